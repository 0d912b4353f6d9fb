import { hash } from 'node:crypto';
import { liftBanAnnotation } from '../resources/object-metadata.ts';
import { quotaHeaders } from '../quota/quota-port.ts';
import type { Ask, Decision, QuotaLimits } from '../quota/quota-port.ts';
import { timestamp } from '../rules/conditions.ts';
import { Problem } from './problem.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';
import type { Refusal } from './caller.ts';

/** A lookup sends up to a hundred packets to servers of others, so it counts as so many requests. */
export const lookupCost = 10;

/** The signatures of a chain and a key are checked by the process that serves everybody: some ten milliseconds. */
export const certificateCost = 10;

const withoutKey = { key: null, liftedAt: null, spend: 1 } as const;
/** Limits per address for requests without a valid key. */
const perAddress = { perMinute: 60, perDay: null } as const;

/**
 * The decision for a valid key; `spend` is what the call costs, and 0 reads the quota without spending. A limit that is tried out is
 * asked too unless the key is banned, with a budget of its own, and nobody waits for it.
 */
export function quotaOf(dependencies: ApiDependencies, caller: Caller, spend: number): Promise<Decision> {
  const decided = dependencies.limiter.decide(accountAsk(caller, spend));
  if (caller.shadow !== null && spend > 0)
    void decided.then(({ kind }) => (kind === 'banned' ? null : shadowQuota(dependencies, caller, spend)));
  return decided;
}

/**
 * The refusal of a request that costs something, where it is remembered: that holds whatever the request is for. Null where more has to be
 * asked, as where a limit is tried out.
 */
export function rememberedRefusal(
  { limiter }: ApiDependencies,
  found: Caller | Refusal,
  address: string,
): Decision | null {
  const isTriedOut = !('refused' in found) && found.shadow !== null;
  return isTriedOut ? null : limiter.recall('refused' in found ? addressAsk(address) : accountAsk(found, 1));
}

/**
 * The decision on what is done as a whole or not at all, and counts as `units` requests beside the one by which its call was admitted: that is
 * spent where all of it is left, and nothing otherwise. The wait of a refusal is one after which the call passes, with the request that it spends
 * then.
 */
export async function wholeQuotaOf(dependencies: ApiDependencies, caller: Caller, units: number): Promise<Decision> {
  const ask = accountAsk(caller, units);
  const decision = await dependencies.limiter.decide({ ...ask, needs: units });
  if (decision.kind === 'allowed' && caller.shadow !== null) void shadowQuota(dependencies, caller, units);
  if (decision.kind !== 'limited') return decision;
  const later = await dependencies.limiter.decide({ ...ask, spend: 0, needs: units + 1 });
  return later.kind === 'limited' ? later : decision;
}

function accountAsk(caller: Caller, spend: number): Ask {
  const { apiKey, limits } = caller;
  const liftedAt = Date.parse(apiKey.metadata.annotations?.[liftBanAnnotation] ?? '');
  return {
    budget: `a:${budgetName(caller)}`,
    key: banName(apiKey.spec.keyId),
    limits: windowsOf(limits.rateLimit),
    liftedAt: Number.isNaN(liftedAt) ? null : liftedAt,
    spend,
  };
}

const longestBanName = 16;

/** What a key's bans are kept under: its id, which is as long for every key that we draw, or as much of the hash of a longer one. */
function banName(keyId: string | undefined): string | null {
  if (keyId === undefined) return null;
  return keyId.length <= longestBanName ? keyId : hash('sha256', keyId, 'base64url').slice(0, longestBanName);
}

/** Whose budget an account's is. */
const budgetName = ({ account }: Caller): string => account.spec.id ?? account.metadata.name;

const windowsOf = ({ requestsPerMinute, requestsPerDay }: Caller['limits']['rateLimit']): QuotaLimits => ({
  perMinute: requestsPerMinute,
  perDay: requestsPerDay,
});

/** What a limit that is tried out would have said: no key, as it bans none. */
async function shadowQuota({ limiter, shadowed }: ApiDependencies, caller: Caller, spend: number): Promise<void> {
  const limits = windowsOf(caller.shadow ?? caller.limits.rateLimit);
  shadowed(caller, await limiter.decide({ ...withoutKey, budget: `s:${budgetName(caller)}`, limits, spend }));
}

const addressAsk = (address: string): Ask => ({ ...withoutKey, budget: `ip:${address}`, limits: perAddress });

/** The decision for a request without a valid key. */
export const addressQuota = ({ limiter }: ApiDependencies, address: string): Promise<Decision> =>
  limiter.decide(addressAsk(address));

/** Sign-ins with a correct key, counted per key, so that others at the same address cannot use them up. */
const perSignInKey = { perMinute: 20, perDay: null } as const;
/** Sign-in attempts with a wrong key, per address and per key id. */
const wrongPerAddress = { perMinute: 30, perDay: null } as const;
const wrongPerKey = { perMinute: 10, perDay: null } as const;

/** The decision for a sign-in with a correct key. */
export const signInQuota = ({ limiter }: ApiDependencies, { apiKey }: Caller): Promise<Decision> =>
  limiter.decide({ ...withoutKey, budget: `si:${apiKey.spec.keyId ?? ''}`, limits: perSignInKey });

/** The decision for a sign-in with a wrong key; `keyId` if a key with that id exists. */
export async function wrongTryQuota(
  { limiter }: ApiDependencies,
  address: string,
  keyId: string | null,
): Promise<Decision> {
  const byAddress = await limiter.decide({ ...withoutKey, budget: `sa:${address}`, limits: wrongPerAddress });
  if (keyId === null || byAddress.kind !== 'allowed') return byAddress;
  const byKey = await limiter.decide({ ...withoutKey, budget: `sw:${keyId}`, limits: wrongPerKey });
  return byKey.kind === 'allowed' ? byAddress : byKey;
}

/** Views of one hand-over link, from all addresses together. They are nobody's requests: the account's budget is safe. */
const perLink = { perMinute: 60, perDay: 5_000 } as const;

/** The decision for a view of a hand-over link, for which the address was asked before. */
export const linkQuota = ({ limiter }: ApiDependencies, id: string): Promise<Decision> =>
  limiter.decide({ ...withoutKey, budget: `hl:${id}`, limits: perLink });

/** The state of an address's budget, for responses that spend nothing. */
export const readAddressQuota = ({ limiter }: ApiDependencies, address: string): Promise<Decision> =>
  limiter.decide({ ...addressAsk(address), spend: 0 });

/** The quota headers of a response, without Retry-After if the request was served regardless. */
export const headersOf = (decision: Decision, isAnswered: boolean): Readonly<Record<string, string>> =>
  quotaHeaders(isAnswered && decision.retryAfter !== null ? { ...decision, retryAfter: null } : decision);

/** The problem of a refused request, which counts as so many; null when it is allowed. The quota headers are set separately. */
export function refusal(decision: Decision, units = 1): Problem | null {
  const { kind, retryAfter, ban, binding, degraded } = decision;
  if (kind === 'allowed') return null;
  const seconds = retryAfter ?? 1;
  const members = { retryAfter: seconds, ...(degraded ? { degraded } : {}) };
  const headers = { 'cache-control': 'no-store' };
  if (kind === 'limited') {
    const detail = `${missing(decision, units)}; wait ${seconds} s, and back off exponentially if that happens again`;
    return new Problem('quota-exceeded', detail, { members: { ...members, violatedPolicies: [binding] }, headers });
  }
  const until = timestamp((ban?.until ?? 0) * 1_000);
  const detail = `the client kept sending requests before Retry-After had passed; the key is banned until ${until}. Stop all programs that use it until then, and back off exponentially`;
  const why = { until, strikes: ban?.strikes ?? 0, step: ban?.step ?? 0 };
  return new Problem('abnormal-usage-detected', detail, { members: { ...members, ...why }, headers });
}

/** What there was not enough of. */
const missing = (decision: Decision, units: number): string =>
  units === 1
    ? `the limit of requests per ${decision.binding} is reached`
    : `this counts as ${units} requests, and ${leftOf(decision)} are left of the ${decision.binding}; nothing was done`;

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
