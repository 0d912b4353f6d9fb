import { liftBanAnnotation } from '../model/verify.ts';
import type { Decision } from '../quota/port.ts';
import { Problem } from './problem.ts';
import type { ApiWorld, Caller } from './world.ts';

/** What a budget per address allows where no valid key is shown. */
const perAddress = { perMinute: 60, perDay: null } as const;

/** One decision for a valid key; `spend` 0 only looks. */
export function quotaOf({ limiter }: ApiWorld, { apiKey, account, limits }: Caller, spend: 0 | 1): Promise<Decision> {
  const lifted = Date.parse(apiKey.metadata.annotations?.[liftBanAnnotation] ?? '');
  return limiter.decide({
    budget: `a:${account.spec.id ?? account.metadata.name}`,
    key: apiKey.spec.keyId ?? null,
    limits: { perMinute: limits.rateLimit.requestsPerMinute, perDay: limits.rateLimit.requestsPerDay },
    liftedAt: Number.isNaN(lifted) ? null : lifted,
    spend,
  });
}

/** One decision for a request without a valid key. */
export const addressQuota = ({ limiter }: ApiWorld, address: string): Promise<Decision> =>
  limiter.decide({ budget: `ip:${address}`, key: null, limits: perAddress, liftedAt: null, spend: 1 });

/** The problem a refusal is; null when the request may go on. Its headers are the quota's own. */
export function refusal({ kind, retryAfter, ban, binding, degraded }: Decision): Problem | null {
  if (kind === 'allowed') return null;
  const seconds = retryAfter ?? 1;
  const members = { retryAfter: seconds, ...(degraded ? { degraded } : {}) };
  const headers = { 'cache-control': 'no-store' };
  if (kind === 'limited') {
    const detail = `the quota per ${binding} is used up; wait ${seconds} s`;
    return new Problem('quota-exceeded', detail, { members: { ...members, 'violated-policies': [binding] }, headers });
  }
  const until = new Date((ban?.until ?? 0) * 1_000).toISOString();
  const detail = `requests went on although they were refused with Retry-After; the key is banned until ${until}. An administrator can lift it by the annotation ${liftBanAnnotation} on the ApiKey`;
  const why = { until, strikes: ban?.strikes ?? 0, step: ban?.step ?? 0 };
  return new Problem('abnormal-usage-detected', detail, { members: { ...members, ...why }, headers });
}
