/** How a repeated request is known from a new one, where the record of the first is lost. */
export type Idempotency =
  /** what it makes has the name that the request says, or it makes nothing: a repeat finds it there */
  | 'by-name'
  /** what it makes is drawn: only what was kept of the first request tells that it was made */
  | 'by-record';

/** For so long the same key gets the same answer, from the beginning of its request; seconds. */
export const keptSeconds = 24 * 3_600;

/**
 * After so long a request without an answer counts as ended with its process, seconds: as long as the longest wait for a check, or a turn to write
 * with its deadlines. Nothing is wrong with one that goes on.
 */
export const leaseSeconds = 120;

/** What is kept for an account at a time. */
interface Share {
  readonly records: number;
  /** of all of them; the oldest go where one more would be too much. Null where their number and their largest say enough */
  readonly bytes: number | null;
  /** of one answer, sealed */
  readonly answerBytes: number;
}

/** One that is found by name may go before its time. One that is not may not, so the next is refused. */
export const shares: Readonly<Record<Idempotency, Share>> = Object.freeze({
  'by-name': Object.freeze({ records: 1_000, bytes: 1_048_576, answerBytes: 65_536 }),
  'by-record': Object.freeze({ records: 200, bytes: null, answerBytes: 4_096 }),
});

/** Where the record of one request is, and who holds it. */
export interface RecordPlace {
  /** whose share pays for it */
  readonly account: string;
  readonly idempotency: Idempotency;
  /** of the account's records */
  readonly place: string;
  /** 16 random bytes: of this attempt, and of no other */
  readonly holder: Uint8Array;
}

export type Begun =
  /** it is ours to do; the mark is that of the first attempt */
  | { readonly kind: 'begun'; readonly mark: Buffer }
  /** it was done, and this is the answer */
  | { readonly kind: 'kept'; readonly mark: Buffer; readonly answer: Buffer }
  /** another attempt is at it, for so long, and for so long at most; milliseconds */
  | { readonly kind: 'running'; readonly mark: Buffer; readonly sinceMs: number; readonly leftMs: number }
  /** the key belongs to another request */
  | { readonly kind: 'reused'; readonly mark: Buffer }
  /** the account's share is used up, and none of it may go before so many milliseconds */
  | { readonly kind: 'full'; readonly waitMs: number }
  /** Redis has no memory to spare for it */
  | { readonly kind: 'no-room' }
  /** somebody else wrote there */
  | { readonly kind: 'forged' };

/** Records of requests with an idempotency key. Every method rejects with KeptAnswersUnavailable while the store is unreachable. */
export interface KeptAnswers {
  begin(place: RecordPlace, mark: Uint8Array): Promise<Begun>;
  /** Keeps the answer, unless another attempt holds the record by now. */
  finish(place: RecordPlace, answer: Uint8Array): Promise<void>;
  /** Nobody is at it any more; the next attempt takes it up under the same mark. */
  release(place: RecordPlace): Promise<void>;
  /** Nothing was done: the key is free again. */
  forget(place: RecordPlace): Promise<void>;
}

/** What was kept cannot be looked up right now. */
export class KeptAnswersUnavailable extends Error {
  override readonly name = 'KeptAnswersUnavailable';
}
