import { hash } from 'node:crypto';
import type { Decision, QuotaLimits } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';
import { budgetName } from './quota-admission.ts';

/** Of one session: a person needs two requests for a page, and opens no sixty in a minute. */
export const pagesOfSession: QuotaLimits = Object.freeze({ perMinute: 120, perDay: null });
/** Of all sessions of an account, the same on every plan. */
export const pagesOfAccount: QuotaLimits = Object.freeze({ perMinute: 600, perDay: 10_000 });

/**
 * The decision for a page or a form of the dashboard: what programs spend of the plan keeps nobody from a page, and nothing of this is a way
 * round the plan, as it serves pages alone. No key stands for it, so no refused click is a strike. `session` is the token of its cookie;
 * `spend` 0 reads without spending.
 */
export async function pagesQuota(
  { limiter }: Pick<ApiDependencies, 'limiter'>,
  caller: Caller,
  session: string,
  spend: number,
): Promise<Decision> {
  const ask = { key: null, liftedAt: null, spend } as const;
  // Whoever reads Redis' keys learns no token.
  const sessionName = hash('sha256', `pages ${session}`, 'base64url').slice(0, 22);
  const ofSession = await limiter.decide({ ...ask, budget: `ds:${sessionName}`, limits: pagesOfSession });
  if (ofSession.kind !== 'allowed') return ofSession;
  const ofAccount = await limiter.decide({ ...ask, budget: `da:${budgetName(caller)}`, limits: pagesOfAccount });
  return ofAccount.kind !== 'allowed' || leftOf(ofAccount) < leftOf(ofSession) ? ofAccount : ofSession;
}

const leftOf = ({ minute, day, binding }: Decision): number =>
  binding === 'day' && day ? day.remaining : minute.remaining;
