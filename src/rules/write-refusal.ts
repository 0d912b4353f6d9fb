import { printableLine } from '../resources/object-limits.ts';
import type { RefusalCode } from './codes/refusal-codes.ts';

/** Why a write was refused. */
export interface Refusal {
  readonly code: RefusalCode;
  /** the name of the quota, policy or webhook; '' where it is none of them, or not known */
  readonly by: string;
  /** the kube-apiserver's own words: printable, on one line, of a bounded length, and the same while nothing but a count changes */
  readonly said: string;
}

/** The fields of an error of a write that are read: those of KubernetesError, or of TransportError (kubernetes/kubernetes-errors.ts). */
interface WriteError {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly said?: unknown;
  readonly causes?: unknown;
  readonly cause?: unknown;
}

const saidAtMost = 500;
const nameAtMost = 253;

/**
 * Why the kube-apiserver refused a write, from its Status (Kubernetes API conventions, "Response Status Kind"); null for an error that
 * says nothing about the write: the kube-apiserver is away or busy, the object is gone, or has changed since it was read.
 */
export function refusalOf(error: unknown): Refusal | null {
  const { name, status, said, cause } = (error ?? {}) as WriteError;
  if (name === 'TransportError')
    return nameOf(cause) === 'TimeoutError' ? { code: 'WriteUnanswered', by: '', said: 'no answer in time' } : null;
  if (name !== 'KubernetesError' || typeof status !== 'number') return null;
  const text = typeof said === 'string' ? said : '';
  const found = codeOf(error as WriteError, text);
  return found && { code: found.code, by: printableLine(found.by, nameAtMost), said: steady(text) };
}

const nameOf = (cause: unknown): unknown => (cause as { readonly name?: unknown } | null | undefined)?.name;

/** `name` is the first group of what matches the text, which begins as written by the kube-apiserver and not by whoever it quotes. */
const sayings: readonly (readonly [RefusalCode, number | null, RegExp])[] = [
  ['AdmissionUnavailable', 500, /^Internal error occurred: failed calling webhook "([^"]*)"/],
  ['AdmissionDenied', null, /^admission webhook "([^"]*)" (?:denied the request|returned)/],
  ['AdmissionDenied', null, /^[^ ]+ "[^"]*" is forbidden: ValidatingAdmissionPolicy '([^']*)'/],
  ['QuotaFull', 403, /^[^ ]+ "[^"]*" is forbidden: exceeded quota: ([^, ]*),/],
  ['QuotaFull', 403, /^[^ ]+ "[^"]*" is forbidden: status unknown for quota: ([^, ]*),/],
  ['OperatorForbidden', 403, /^[^ ]+ (?:"[^"]*" )?is forbidden: User "()/],
];

function codeOf(error: WriteError, text: string): Pick<Refusal, 'code' | 'by'> | null {
  const { status, reason } = error as { readonly status: number; readonly reason: unknown };
  const causes: readonly unknown[] = Array.isArray(error.causes) ? error.causes : [];
  for (const [code, only, saying] of sayings) {
    const match = only === null || only === status ? saying.exec(text) : null;
    if (match) return { code, by: match[1] ?? '' };
  }
  const named = [reason, ...causes].flatMap((word) => (typeof word === 'string' ? (reasons.get(word) ?? []) : []));
  const code = named[0] ?? (rejections.has(status) ? 'ObjectRejected' : null);
  if (code !== null) return { code, by: '' };
  return status === 403 ? { code: 'AdmissionDenied', by: '' } : null;
}

/** The reasons of a Status, and of its causes, that say enough. */
const reasons: ReadonlyMap<string, RefusalCode> = new Map([
  ['Timeout', 'WriteUnanswered'],
  ['NamespaceTerminating', 'NamespaceEnding'],
  ['FieldManagerConflict', 'FieldsOwnedElsewhere'],
  ['AlreadyExists', 'NameTaken'],
]);

/** The object itself is what is wrong; 401, 404, 409, 410 and 429 are about something else. */
const rejections: ReadonlySet<number> = new Set([400, 405, 406, 413, 415, 422]);

/** What a quota has counted changes with everything that others make; the rest stays. */
const steady = (text: string): string => printableLine(text.replace(/, used: [^ ]*(?=, limited: )/, ''), saidAtMost);

/** A namespace, and what follows it where it is part of `namespace/name`. */
const words = /([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)(\/[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)?/g;

/**
 * A text of the cluster's that one account is going to read, without the objects of others that it names, as `namespace/name` or by their
 * namespace alone: a webhook may say who has a hostname already.
 */
export const withoutForeignNames = (text: string, isForeign: (namespace: string) => boolean): string =>
  text.replace(words, (word, namespace: string) => (isForeign(namespace) ? '(of another account)' : word));
