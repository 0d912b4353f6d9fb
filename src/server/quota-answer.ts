import type { Response } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import { headersOf, refusal } from '../use-cases/quota-admission.ts';

/**
 * Puts what the quota says into the answer's headers, of calls and pages alike. Throws what the request is refused with;
 * what is `free` is answered whatever the quota says.
 */
export function answerDecision(response: Response, decision: Decision, free: boolean): void {
  response.set(headersOf(decision, free));
  const refused = free ? null : refusal(decision);
  if (refused) throw refused;
}
