interface ErrorAnswer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
  readonly causes?: readonly string[];
}

/** The kube-apiserver answered with an error. `reason`, `said` and `causes` are those of its Status object. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly status: number;
  readonly reason: string;
  /** its message, which `message` begins with status and reason */
  readonly said: string;
  /** the reasons of its causes: `FieldManagerConflict`, `NamespaceTerminating` and the like */
  readonly causes: readonly string[];
  /** the Retry-After header in milliseconds; null when absent */
  readonly retryAfterMs: number | null;

  constructor(answer: ErrorAnswer) {
    super(`${answer.status} ${answer.reason}: ${answer.message}`);
    this.status = answer.status;
    this.reason = answer.reason;
    this.said = answer.message;
    this.causes = answer.causes ?? [];
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** The kube-apiserver gave no usable answer: connection refused or reset, timeout, or a body that is not JSON. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}

/** The answer is longer than the limit for one answer. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
}

const hasStatus =
  (status: number) =>
  (error: unknown): error is KubernetesError =>
    error instanceof KubernetesError && error.status === status;

export const isForbidden = hasStatus(403);
export const isNotFound = hasStatus(404);
export const isConflict = hasStatus(409);
/** An object of that name exists; other conflicts, as with a ResourceQuota, do not say so. */
export const isAlreadyThere = (error: unknown): boolean => isConflict(error) && error.reason === 'AlreadyExists';
/** The requested resource version has expired: list again. */
export const isGone = hasStatus(410);

/** The requested version is in the future, as after a restore of etcd (apiserver: NewTooLargeResourceVersionError). */
const isVersionTooLarge = (error: unknown): boolean =>
  error instanceof KubernetesError && error.status === 504 && error.message.includes('Too large resource version');

/** Reads a Retry-After header in seconds (RFC 9110 section 10.2.3); null when absent or not a number. */
export function retryAfterMs(header: string | undefined): number | null {
  const seconds = header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** An error from the answer's Status object, or from whatever the body contains instead. */
export function kubernetesError(status: number, body: string, retryAfter: string | undefined): KubernetesError {
  const { reason, message, details } = parseStatus(body);
  const causes: readonly Cause[] = Array.isArray(details?.causes) ? (details.causes as readonly Cause[]) : [];
  return new KubernetesError({
    status,
    reason: reason ?? `Status${status}`,
    message: message ?? body.slice(0, 300),
    retryAfterMs: retryAfterMs(retryAfter),
    causes: causes.slice(0, causesAtMost).flatMap((cause) => (typeof cause?.reason === 'string' ? [cause.reason] : [])),
  });
}

/** One is enough to tell what an error is. */
const causesAtMost = 16;

type Cause = { readonly reason?: unknown } | null;

interface StatusBody {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: unknown } | null;
}

function parseStatus(body: string): StatusBody {
  try {
    return (JSON.parse(body) as StatusBody | null) ?? {};
  } catch {
    return {};
  }
}

/** The known version may belong to a history that no longer exists (etcd was restored): list again. */
export class HistoryChangedError extends Error {
  override readonly name = 'HistoryChangedError';
}

/** True when a watch cannot resume from the known version. */
export const needsNewList = (error: unknown): boolean =>
  error instanceof HistoryChangedError || isGone(error) || isVersionTooLarge(error);

/**
 * Whether a resource version is older than another. Versions of one kind are increasing decimal numbers (Kubernetes API
 * concepts, "Resource versions"); false when either is not a number.
 */
export function isEarlier(version: string | null, than: string | null): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

const isNumber = (version: string | null): version is string => version !== null && /^[1-9]\d*$/.test(version);
