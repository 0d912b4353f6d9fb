import { quotaOf } from './quota-admission.ts';
import { openedBy } from './caller.ts';
import type { CallerContext } from './api-dependencies.ts';

/** A stream of domains, which ends when the key that opened it becomes invalid. */
interface OpenedStream extends CallerContext {
  /** called every few seconds: whether anything else it depends on, such as a session, is still valid; absent: nothing else */
  readonly alsoHolds?: () => Promise<boolean>;
  /** aborts when the client has gone */
  readonly signal: AbortSignal;
}

const checkEveryMs = 5_000;
/** The quota is read on every n-th check, for bans that are not in the ApiKey's status. */
const checksPerQuotaRead = 3;

/**
 * A signal that aborts with the given one, and within seconds after the key is deleted, expires, is banned or loses the
 * scope. All subscriptions end when it aborts.
 */
export function whileKeyIsValid(opening: OpenedStream): AbortSignal {
  const { dependencies, caller, signal } = opening;
  const ended = new AbortController();
  const { name } = caller.apiKey.metadata;
  const end = () => {
    unsubscribe();
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ended.abort();
  };
  const unsubscribe = dependencies.caches.apiKeys.subscribeTo({ namespace: '', name }, () => {
    if (remainingValidityMs(opening) === null) end();
  });
  let checks = 0;
  const check = async () => {
    checks += 1;
    if ((await stillHolds(opening, checks)) && !ended.signal.aborted) timer = later();
    else end();
  };
  const later = () =>
    setTimeout(() => void check(), Math.min(checkEveryMs, Math.max(1, remainingValidityMs(opening) ?? 0)));
  let timer = later();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return ended.signal;
}

async function stillHolds(opening: OpenedStream, checks: number): Promise<boolean> {
  const { dependencies, caller, alsoHolds } = opening;
  if (remainingValidityMs(opening) === null) return false;
  if ((await alsoHolds?.().catch(() => false)) === false) return false;
  return checks % checksPerQuotaRead !== 0 || (await quotaOf(dependencies, caller, 0)).kind !== 'banned';
}

/** Milliseconds for which the key remains valid, as far as is known; null when it no longer is. */
function remainingValidityMs({ dependencies: { caches, now }, caller }: OpenedStream): number | null {
  const { metadata } = caller.apiKey;
  const known = caches.apiKeys.get({ namespace: '', name: metadata.name });
  if (!known || known.metadata.uid !== metadata.uid || 'refused' in openedBy(caches, known, now())) return null;
  const bannedUntil = Date.parse(known.status?.bannedUntil ?? '') || 0;
  if (bannedUntil > now() || !known.spec.scopes.includes('domains:read')) return null;
  const { expiresAt } = known.spec;
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now();
}
