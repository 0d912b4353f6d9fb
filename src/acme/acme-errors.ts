/** One identifier's part of a problem (RFC 8555, section 6.7.1). */
export interface Subproblem {
  readonly type: string;
  readonly detail: string;
  /** the name that it is about; null when it does not say */
  readonly identifier: string | null;
}

interface ProblemFields {
  /** an error type of RFC 8555, section 6.7, without its URN prefix: `rateLimited`, `caa`; other URIs as they are */
  readonly type: string;
  readonly detail: string;
  /** of HTTP; null for a problem within an answer, as of a challenge */
  readonly status: number | null;
  /** milliseconds that the authority asks us to wait; null when it does not */
  readonly retryAfterMs: number | null;
  readonly subproblems: readonly Subproblem[];
}

/** The authority refused. */
export class AcmeProblem extends Error {
  override readonly name = 'AcmeProblem';
  readonly type: string;
  readonly detail: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly subproblems: readonly Subproblem[];

  constructor({ type, detail, status, retryAfterMs, subproblems }: ProblemFields) {
    super(`${type}: ${detail}`);
    this.type = type;
    this.detail = detail;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.subproblems = subproblems;
  }
}

interface UnavailableOptions {
  /** milliseconds that whoever answered asks us to wait; null when it does not, and absent without an answer */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The authority was not reached, or what it answered cannot be understood: a fault that ends with time. */
export class AcmeUnavailable extends Error {
  override readonly name = 'AcmeUnavailable';
  readonly retryAfterMs: number | null;

  constructor(message: string, { retryAfterMs = null, cause }: UnavailableOptions = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}
