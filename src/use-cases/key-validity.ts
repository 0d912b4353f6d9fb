import { quotaOf } from './quota-admission.ts';
import { openedBy } from './caller.ts';
import type { Scope } from '../rules/scopes.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** What is watched of the key that opened something lasting. */
export interface OpenedStream {
  readonly dependencies: ApiDependencies;
  readonly caller: Caller;
  readonly scope: Scope;
  /** asked every few seconds: whether what else opened it still stands, such as a session */
  readonly alsoHolds: () => Promise<boolean>;
  /** aborts when nobody listens any more */
  readonly signal: AbortSignal;
}

const lookEveryMs = 5_000;
/** How often the quota is asked for a ban that no status tells of. */
const looksToABan = 3;

/**
 * A signal that aborts with the one given, and within seconds of the key being deleted, expired, banned or deprived of the
 * scope. What is watched is given up when it aborts.
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
    if (untilWhen(opening) === null) end();
  });
  let looks = 0;
  const look = async () => {
    looks += 1;
    if ((await stillHolds(opening, looks)) && !ended.signal.aborted) timer = later();
    else end();
  };
  const later = () => setTimeout(() => void look(), Math.min(lookEveryMs, Math.max(1, untilWhen(opening) ?? 0)));
  let timer = later();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return ended.signal;
}

async function stillHolds(opening: OpenedStream, looks: number): Promise<boolean> {
  const { dependencies, caller, alsoHolds } = opening;
  if (untilWhen(opening) === null) return false;
  if (!(await alsoHolds().catch(() => false))) return false;
  return looks % looksToABan !== 0 || (await quotaOf(dependencies, caller, 0)).kind !== 'banned';
}

/** Milliseconds for which the key opens it still, as far as is known; null when it opens it no more. */
function untilWhen({ dependencies: { caches, now }, caller, scope }: OpenedStream): number | null {
  const { metadata } = caller.apiKey;
  const known = caches.apiKeys.get({ namespace: '', name: metadata.name });
  if (!known || known.metadata.uid !== metadata.uid || 'refused' in openedBy(caches, known, now())) return null;
  const bannedUntil = Date.parse(known.status?.bannedUntil ?? '') || 0;
  if (bannedUntil > now() || !known.spec.scopes.includes(scope)) return null;
  const { expiresAt } = known.spec;
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now();
}
