/** What the resources' schemas allow (crds/): a status beyond it would be refused whole, over and over. */
export const schemaBounds = Object.freeze({ message: 4_096, issues: 32, issueText: 1_024, projectDomains: 10_000 });

/** Text cut to a number of characters, with an ellipsis where something is missing. */
export function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/**
 * What a ResourceQuota refused, read off the API server's answer to a create (403 Forbidden, `exceeded quota: …, requested:
 * count/projects.projectdomain.io=1`; it has no reason of its own). Null for any other error.
 */
export function exceededQuota(error: unknown): 'projects' | 'domains' | null {
  const message = forbidden(error);
  if (!/exceeded quota: /.test(message)) return null;
  if (message.includes('count/projects.projectdomain.io=')) return 'projects';
  return message.includes('count/projectdomains.projectdomain.io=') ? 'domains' : null;
}

/** A ResourceQuota whose counting has not begun refuses everything; it is a matter of seconds. */
export const isQuotaNotCountedYet = (error: unknown): boolean => /status unknown for quota: /.test(forbidden(error));

function forbidden(error: unknown): string {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return status === 403 && typeof message === 'string' ? message : '';
}
