import type { ApiKey } from '../generated/api-key.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import { timestamp } from '../rules/conditions.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import type { Decision } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** What the API server says of a key in its status. */
type UsageStatus = Pick<NonNullable<ApiKey['status']>, 'lastUsedAt' | 'bannedUntil' | 'bans' | 'limited'>;

/** What of a decision a key's status tells. */
export type NotedDecision = Pick<Decision, 'kind' | 'binding' | 'ban' | 'banBegins'>;

/** A key's last use and its last refusal are each written at most this often. */
const writtenEveryMs = 5 * 60_000;
const rememberedKeys = 10_000;
const rememberedBans = 5;

interface WarnLog {
  warn(fields: { readonly key: string; readonly err: unknown }, message: string): void;
}

/**
 * Writes to an ApiKey's status when it was last used, when a limit last refused it, and its bans, without delaying the request. A
 * ban is written at once, the others at most every five minutes.
 */
export function createKeyStatus(
  { cluster, now }: Pick<ApiDependencies, 'cluster' | 'now'>,
  log: WarnLog,
): (caller: Caller, decision: NotedDecision) => void {
  const written = createBoundedMap<UsageStatus>(rememberedKeys);
  return ({ apiKey }, decision) => {
    const { name, uid } = apiKey.metadata;
    const known = newer(written.get(name), apiKey.status);
    const at = now();
    if (!isNews(known, decision, at)) return;
    const status = statusAfter(known, decision, at);
    written.set(name, status);
    const { apiVersion, kind } = ApiKeyKind;
    cluster
      .applyStatus(ApiKeyKind, { apiVersion, kind, metadata: { name, ...(uid ? { uid } : {}) }, status })
      .catch((error: unknown) => log.warn({ key: name, err: error }, 'the status of a key could not be written'));
  };
}

const timeOf = (text: string | undefined): number => Date.parse(text ?? '') || 0;

/** Another API server may have written since, and the cache may not have seen yet what this one wrote. */
function newer(own: UsageStatus | undefined, cached: UsageStatus = {}): UsageStatus {
  return own && timeOf(own.lastUsedAt) >= timeOf(cached.lastUsedAt) ? own : cached;
}

function isNews({ lastUsedAt, limited }: UsageStatus, { kind, banBegins }: NotedDecision, now: number): boolean {
  if (banBegins || now - timeOf(lastUsedAt) >= writtenEveryMs) return true;
  return kind === 'limited' && now - timeOf(limited?.at) >= writtenEveryMs;
}

function statusAfter(known: UsageStatus, { kind, binding, ban, banBegins }: NotedDecision, now: number): UsageStatus {
  const limited = kind === 'limited' ? { at: timestamp(now), window: binding } : known.limited;
  const until = ban && timestamp(ban.until * 1_000);
  const begun = ban && until && banBegins ? [{ from: timestamp(now), until, step: ban.step }] : [];
  const bans = [...begun, ...(known.bans ?? [])].slice(0, rememberedBans);
  return {
    lastUsedAt: timestamp(now),
    ...(until ? { bannedUntil: until } : {}),
    ...(bans.length > 0 ? { bans } : {}),
    ...(limited ? { limited } : {}),
  };
}
