import type { ServerResponse } from 'node:http';
import type { PagesMount } from '../server/app-options.ts';
import { setQuotaHeaders } from '../server/quota-answer.ts';
import { pagesQuota, refusal } from '../use-cases/quota-admission.ts';
import { Problem } from '../use-cases/problem.ts';
import type { DashboardDependencies, Visitor } from './dashboard-page.ts';

interface Pages extends Pick<PagesMount, 'decided'> {
  readonly dependencies: DashboardDependencies;
}

interface Spending {
  /** as how many requests it counts; 0 only reads */
  readonly units: number;
  /** served whatever the decision */
  readonly free?: boolean;
}

/**
 * Spends the budget of pages, whose headers the response gets. Throws the problem that a page or a form is refused with, which says when to
 * try again: `retryAt`, RFC 3339.
 */
export async function spendPages(
  { dependencies, decided }: Pages,
  response: ServerResponse,
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
