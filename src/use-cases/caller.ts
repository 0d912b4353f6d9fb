import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { Plan } from '../generated/plan.ts';
import { digestOfKey, keyIdOf } from '../rules/api-key-format.ts';
import { effectiveLimits } from '../rules/plan-limits.ts';
import { accountLabel } from '../resources/object-metadata.ts';
import type { ApiCaches, Caller } from './api-dependencies.ts';
import { Problem } from './problem.ts';

/** The key as it was sent: `Authorization: Bearer …`, or X-API-Key; undefined without one. */
export function keyOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const plain = headers['x-api-key'];
  return bearer ?? (typeof plain === 'string' ? plain : undefined);
}

export type RefusalCode = 'missing' | 'malformed' | 'unknown' | 'expired' | 'not-ready';

/** Why a key is not accepted. */
export interface Refusal {
  readonly code: RefusalCode;
  /** the sentence that REST answers with */
  readonly refused: string;
  /** when an expired key expired: RFC 3339 */
  readonly at?: string;
}

/** The response to a request whose key is not accepted (RFC 9110 section 11.6.1). */
export const unauthenticated = ({ refused }: Refusal): Problem =>
  new Problem('unauthenticated', refused, { headers: { 'www-authenticate': 'Bearer realm="projectdomain"' } });

/**
 * The caller a key belongs to. Format and checksum are checked first, so that made-up keys cost no look-up; the hash is
 * compared in constant time.
 */
export function callerOf(caches: ApiCaches, key: string | undefined, now: number): Caller | Refusal {
  if (key === undefined)
    return { code: 'missing', refused: 'send an API key: Authorization: Bearer pd_…, or X-API-Key' };
  const keyId = keyIdOf(key);
  if (keyId === null)
    return { code: 'malformed', refused: 'that API key is not valid; check that all of it was copied' };
  const digest = digestOfKey(key);
  const apiKey = caches.apiKeys
    .byIndex('keyId', keyId)
    .find(({ spec }) => spec.sha256 !== undefined && equal(Buffer.from(spec.sha256, 'hex'), digest));
  return openedBy(caches, apiKey, now);
}

/** The caller that an ApiKey authenticates, if it is (still) valid. */
export function openedBy(caches: ApiCaches, apiKey: ApiKey | undefined, now: number): Caller | Refusal {
  if (!apiKey || apiKey.metadata.deletionTimestamp)
    return { code: 'unknown', refused: 'the API key is unknown or was deleted' };
  const { account: name, expiresAt } = apiKey.spec;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now)
    return { code: 'expired', refused: `the API key expired at ${expiresAt}`, at: expiresAt };
  const account = caches.accounts.get({ namespace: '', name });
  const plan = account && caches.plans.get({ namespace: '', name: account.spec.plan });
  if (!account?.spec.id || !plan)
    return { code: 'not-ready', refused: `the account of the API key, ${name}, is not set up` };
  const limits = effectiveLimits(plan.spec, account.spec.overrides);
  return Object.freeze({ apiKey, account, limits, shadow: shadowOf(plan, account) });
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** The namespace of the caller's account; null until an administrator has labelled one. */
export function namespaceOf(caches: ApiCaches, { account }: Caller): string | null {
  const labelled = caches.namespaces.byIndex('account', account.metadata.name);
  return (
    labelled.find(({ metadata }) => metadata.labels?.[accountLabel] === account.metadata.name)?.metadata.name ?? null
  );
}

/** As it would be for the account, whose overrides stay. */
function shadowOf({ spec }: Plan, account: Account): Caller['shadow'] {
  const { shadowRateLimit: rateLimit } = spec;
  return rateLimit ? effectiveLimits({ ...spec, rateLimit }, account.spec.overrides).rateLimit : null;
}
