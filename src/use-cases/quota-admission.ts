import { liftBanAnnotation } from '../resources/object-metadata.ts';
import { quotaHeaders } from '../quota/quota-port.ts';
import type { Decision } from '../quota/quota-port.ts';
import { Problem } from './problem.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

const stranger = { key: null, liftedAt: null, spend: 1 } as const;
/** What a budget per address allows where no valid key is shown. */
const perAddress = { perMinute: 60, perDay: null } as const;

/** One decision for a valid key; `spend` 0 only looks. */
export function quotaOf(
  { limiter }: ApiDependencies,
  { apiKey, account, limits }: Caller,
  spend: 0 | 1,
): Promise<Decision> {
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
export const addressQuota = ({ limiter }: ApiDependencies, address: string): Promise<Decision> =>
  limiter.decide({ ...stranger, budget: `ip:${address}`, limits: perAddress });

/** What a correct key may sign in, whoever uses up what its address may ask. */
const perSignInKey = { perMinute: 20, perDay: null } as const;
/** Tries with a wrong key from one address, and at one key's id. */
const wrongPerAddress = { perMinute: 30, perDay: null } as const;
const wrongPerKey = { perMinute: 10, perDay: null } as const;

/** One decision for a sign-in with a correct key. */
export const signInQuota = ({ limiter }: ApiDependencies, { apiKey }: Caller): Promise<Decision> =>
  limiter.decide({ ...stranger, budget: `si:${apiKey.spec.keyId ?? ''}`, limits: perSignInKey });

/** One decision for a sign-in with a wrong key; `keyId` where there is a key of that id. */
export async function wrongTryQuota(
  { limiter }: ApiDependencies,
  address: string,
  keyId: string | null,
): Promise<Decision> {
  const byAddress = await limiter.decide({ ...stranger, budget: `sa:${address}`, limits: wrongPerAddress });
  if (keyId === null || byAddress.kind !== 'allowed') return byAddress;
  const byKey = await limiter.decide({ ...stranger, budget: `sw:${keyId}`, limits: wrongPerKey });
  return byKey.kind === 'allowed' ? byAddress : byKey;
}

/** What an answer that spends nothing says of an address's budget. */
export const addressLook = ({ limiter }: ApiDependencies, address: string): Promise<Decision> =>
  limiter.decide({ ...stranger, budget: `ip:${address}`, limits: perAddress, spend: 0 });

/** The headers of an answer; without Retry-After where the request was answered all the same. */
export function headersOf(decision: Decision, isAnswered: boolean): Readonly<Record<string, string>> {
  const { 'Retry-After': wait, ...headers } = quotaHeaders(decision);
  return { ...headers, ...(wait === undefined || isAnswered ? {} : { 'Retry-After': wait }) };
}

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
