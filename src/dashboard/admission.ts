import type { Response } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import { answerDecision, setQuotaHeaders } from '../server/quota-answer.ts';
import { pagesQuota, addressQuota, readAddressQuota, refusal } from '../use-cases/quota-admission.ts';
import { Problem } from '../use-cases/problem.ts';
import type { DashboardOptions, Visitor } from './dashboard-page.ts';

interface Terms {
  /** served whatever the decision */
  readonly free?: boolean;
}

/** Sets the quota headers of a response. Throws the problem that the request is refused with. */
export function admit(
  { decided }: DashboardOptions,
  response: Response,
  decision: Decision,
  { free = false }: Terms = {},
): void {
  decided(decision, null);
  answerDecision(response, decision, free);
}

/** Spends the address's budget, for a request without a session. Throws the problem that it is refused with. */
export async function admitAnonymous(options: DashboardOptions, response: Response): Promise<void> {
  admit(options, response, await addressQuota(options.dependencies, options.addressOf(response)));
}

/** What is the same for everybody is always served, even when other clients have used up the address's budget; its response says what is left. */
export async function admitFreely(options: DashboardOptions, response: Response): Promise<void> {
  admit(options, response, await readAddressQuota(options.dependencies, options.addressOf(response)), { free: true });
}

/**
 * What ended before anybody was admitted, as a path that cannot be decoded does, is paid for by the address. Throws the problem that it is
 * refused with.
 */
export async function admitTheRest(options: DashboardOptions, response: Response): Promise<void> {
  if (response.headersSent || response.hasHeader('x-ratelimit-limit')) return;
  await admitAnonymous(options, response);
}

interface Spending extends Terms {
  /** as how many requests it counts; 0 only reads */
  readonly units: number;
}

/**
 * Spends the budget of pages, whose headers the response gets. Throws the problem that a page or a form is refused with, which says when to
 * try again: `retryAt`, RFC 3339.
 */
export async function spendPages(
  { dependencies, decided }: DashboardOptions,
  response: Response,
  { caller, token }: Visitor,
  { units, free = false }: Spending,
): Promise<void> {
  const decision = await pagesQuota(dependencies, caller, token, units);
  decided(decision, caller, 'pages');
  setQuotaHeaders(response, decision, free);
  const refused = free ? null : refusal(decision);
  if (refused === null) return;
  const retryAt = new Date(decision.now + (decision.retryAfter ?? 1) * 1_000).toISOString();
  const members = { ...refused.members, retryAt };
  throw new Problem(refused.code, refused.message, { members, headers: refused.headers });
}
