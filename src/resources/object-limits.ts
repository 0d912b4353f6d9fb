import { printable, visible } from '../lib/printable.ts';

/** Limits of the resources' schemas (crds/): a status that exceeds one would be rejected as a whole, every time. */
export const schemaBounds = Object.freeze({
  message: 4_096,
  issues: 32,
  issueText: 1_024,
  issueRecords: 16,
  issueServers: 6,
  recordName: 300,
  recordValue: 512,
  foundRecords: 8,
  serverAddress: 64,
  nameServers: 13,
  nameServer: 253,
  timelineText: 256,
  ownSecrets: 8,
  projectDomains: 10_000,
});

/** The words of somebody else's program, which may be of any length, on one line and with no more than `length` characters. */
export const printableLine = (text: string, length: number): string =>
  clip(printable(text.slice(0, 8 * length)).trim(), length);

/**
 * A text as an object may have it, for whoever reads that in a terminal: on one line, without anything hidden, and cut to a number of
 * code points, with an ellipsis at the end if something is missing.
 */
export function clip(text: string, length: number): string {
  const shown = visible(text);
  if (shown.length <= length) return shown;
  const characters = [...shown];
  return characters.length <= length ? shown : `${characters.slice(0, length - 1).join('')}…`;
}

/**
 * What a ResourceQuota refused, from the kube-apiserver's answer to a create (403 Forbidden, `exceeded quota: …,
 * requested: count/projects.projectdomain.io=1`; there is no specific reason for it). Null for any other error.
 */
export function exceededQuota(error: unknown): 'projects' | 'domains' | null {
  const message = forbidden(error);
  if (!/exceeded quota: /.test(message)) return null;
  if (message.includes('count/projects.projectdomain.io=')) return 'projects';
  return message.includes('count/projectdomains.projectdomain.io=') ? 'domains' : null;
}

/** A ResourceQuota refuses everything until its usage has first been counted, which takes seconds. */
export const isQuotaNotCountedYet = (error: unknown): boolean => /status unknown for quota: /.test(forbidden(error));

function forbidden(error: unknown): string {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return status === 403 && typeof message === 'string' ? message : '';
}
