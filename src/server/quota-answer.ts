import type { Response } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import { headersOf, refusal } from '../use-cases/quota-admission.ts';

/**
 * Sets the quota headers of a response, for calls and pages alike. Throws the problem that the request is refused with;
 * what is `free` is served whatever the decision.
 */
export function answerDecision(response: Response, decision: Decision, free: boolean): void {
  // Express' own set() looks for a charset in each of them.
  for (const [name, value] of Object.entries(headersOf(decision, free))) response.setHeader(name, value);
  const refused = free ? null : refusal(decision);
  if (refused) throw refused;
}
