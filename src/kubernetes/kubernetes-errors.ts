/** The API server answered, and said no. `reason` and `message` are those of its Status object. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly status: number;
  readonly reason: string;
  /** what Retry-After asked for, milliseconds; null when it did not */
  readonly retryAfterMs: number | null;

  constructor(answer: { status: number; reason: string; message: string; retryAfterMs: number | null }) {
    super(`${answer.status} ${answer.reason}: ${answer.message}`);
    this.status = answer.status;
    this.reason = answer.reason;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** The API server did not answer, or not in a way that can be read: refused, reset, timed out, garbage. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}

/** The API server answered more than is read of one answer. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

const hasStatus =
  (status: number) =>
  (error: unknown): error is KubernetesError =>
    error instanceof KubernetesError && error.status === status;

export const isNotFound = hasStatus(404);
export const isConflict = hasStatus(409);
/** The version asked for is no longer kept: list again. */
export const isGone = hasStatus(410);

/** The version asked for lies in the future, as after a restore of etcd (apiserver: NewTooLargeResourceVersionError). */
const isVersionTooLarge = (error: unknown): boolean =>
  error instanceof KubernetesError && error.status === 504 && error.message.includes('Too large resource version');

/** Reads a Retry-After header in seconds (RFC 9110 section 10.2.3); null when absent or not a number. */
export function retryAfterMs(header: string | undefined): number | null {
  const seconds = header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** An error from the API server's Status object (or whatever stands in its place). */
export function kubernetesError(status: number, body: string, retryAfter: string | undefined): KubernetesError {
  const { reason, message } = parseStatus(body);
  return new KubernetesError({
    status,
    reason: reason ?? `Status${status}`,
    message: message ?? body.slice(0, 300),
    retryAfterMs: retryAfterMs(retryAfter),
  });
}

function parseStatus(body: string): { reason?: string; message?: string } {
  try {
    return (JSON.parse(body) as { reason?: string; message?: string } | null) ?? {};
  } catch {
    return {};
  }
}

/** A known version may belong to a history that is no more (etcd was restored): only a list can tell. */
export class HistoryChangedError extends Error {
  override readonly name = 'HistoryChangedError';
}

/** True when a watch cannot go on from the version that is known. */
export const needsNewList = (error: unknown): boolean =>
  error instanceof HistoryChangedError || isGone(error) || isVersionTooLarge(error);

/**
 * Whether a version lies before another. Versions of one kind are decimal numbers that grow (Kubernetes API concepts,
 * "Resource versions"); false where either is not one.
 */
export function isEarlier(version: string | null, than: string | null): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

const isNumber = (version: string | null): version is string => version !== null && /^[1-9]\d*$/.test(version);
