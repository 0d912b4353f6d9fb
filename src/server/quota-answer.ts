import type { ServerResponse } from 'node:http';
import type { Decision } from '../quota/quota-port.ts';
import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import { addressQuota, headersOf, refusal } from '../use-cases/quota-admission.ts';

/** Sets the quota headers of a response, without Retry-After if the request is served regardless. */
export function setQuotaHeaders(response: ServerResponse, decision: Decision, isAnswered = false): void {
  // Express' own set() looks for a charset in each of them.
  for (const [name, value] of Object.entries(headersOf(decision, isAnswered))) response.setHeader(name, value);
}

/**
 * Sets the quota headers of a response, for calls and pages alike. Throws the problem that the request is refused with;
 * what is `free` is served whatever the decision. `units`: as how many requests it counts, where all of them have to be left.
 */
export function answerDecision(response: ServerResponse, decision: Decision, free: boolean, units = 1): void {
  setQuotaHeaders(response, decision, free);
  const refused = free ? null : refusal(decision, units);
  if (refused) throw refused;
}

/** Has a response carry the quota's headers where it failed before anybody was admitted: its address pays. */
export async function ensureQuotaHeaders(
  response: ServerResponse,
  dependencies: ApiDependencies,
  address: string,
): Promise<void> {
  if (response.headersSent || response.hasHeader('x-ratelimit-limit')) return;
  setQuotaHeaders(response, await addressQuota(dependencies, address), true);
}
