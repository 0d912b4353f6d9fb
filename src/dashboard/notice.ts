import type { CustomerStatus } from '../rules/next-step.ts';
import type { Refusal, RefusalCode } from '../use-cases/caller.ts';
import type { Problem, ProblemCode } from '../use-cases/problem.ts';

/** A problem as data; its words come from the catalogue, by code and members. */
export interface ProblemView {
  readonly code: ProblemCode;
  /** the sentence that REST answers with, for problems whose code says too little */
  readonly detail: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** A message at the top of a page: what was done, in words of the catalogue, or why it failed. */
export type Notice =
  | { readonly kind: 'done'; readonly title: string; readonly detail: string }
  /** a check was asked for: of what the page shows from this version on it can say how that ended. `was` is the status key before */
  | { readonly kind: 'checking'; readonly since: number; readonly was: string }
  /** it has ended; `at` in RFC 3339 */
  | { readonly kind: 'checked'; readonly at: string; readonly status: CustomerStatus; readonly isSame: boolean }
  | { readonly kind: 'problem'; readonly problem: ProblemView };

export const problemView = ({ code, message, members }: Problem): ProblemView => ({ code, detail: message, members });

/** With the time at which another try is worth it, where the problem says how long that is; `now` in milliseconds since the Unix epoch. */
export function withRetryAt(problem: ProblemView, now: number): ProblemView {
  const { retryAfter, retryAt } = problem.members;
  if (typeof retryAfter !== 'number' || retryAt !== undefined) return problem;
  return { ...problem, members: { ...problem.members, retryAt: new Date(now + retryAfter * 1_000).toISOString() } };
}

/** Why somebody is not signed in. */
export interface SignInRefusal {
  readonly code: RefusalCode | 'banned' | 'session-ended' | 'signed-out';
  /** when the key expired, or when its ban ends: RFC 3339 */
  readonly at?: string;
}

export const refusalOf = ({ code, at }: Refusal): SignInRefusal => ({ code, ...(at === undefined ? {} : { at }) });
