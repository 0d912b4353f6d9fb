import type { ApiKey } from '../generated/api-key.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import { timestamp } from '../rules/conditions.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import type { Decision } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** What the API server says of a key in its status. */
type UsageStatus = Pick<NonNullable<ApiKey['status']>, 'lastUsedAt' | 'bannedUntil' | 'bans' | 'limited'>;

/** What of a decision a key's status tells. */
export type NotedDecision = Pick<Decision, 'kind' | 'binding' | 'ban' | 'degraded'>;

/** A key's last use and its last refusal are each written at most this often. */
const writtenEveryMs = 5 * 60_000;
const rememberedKeys = 10_000;
const rememberedBans = 5;

interface WarnLog {
  warn(fields: { readonly key: string; readonly err: unknown }, message: string): void;
}

/**
 * Writes to an ApiKey's status when it was last used, when a limit last refused it, and its bans, without delaying the request. A ban that it
 * does not have yet, and the end of one that was lifted, are written at once, the others at most every five minutes. Of a key there is one
 * write at a time, so that an earlier one is not the last to be made.
 */
export function createKeyStatus(
  { cluster, now }: Pick<ApiDependencies, 'cluster' | 'now'>,
  log: WarnLog,
): (caller: Caller, decision: NotedDecision) => void {
  /** by uid: a key that is made again under its name has a history of its own */
  const written = createBoundedMap<UsageStatus>(rememberedKeys);
  /** keys that are being written, and what is to be written after that */
  const writing = new Map<string, UsageStatus | null>();
  const apply = async ({ name, uid }: ApiKey['metadata'], status: UsageStatus) => {
    const { apiVersion, kind } = ApiKeyKind;
    try {
      await cluster.applyStatus(ApiKeyKind, { apiVersion, kind, metadata: { name, ...(uid ? { uid } : {}) }, status });
    } catch (error) {
      log.warn({ key: name, err: error }, 'the status of a key could not be written');
    }
  };
  const write = async (id: string, metadata: ApiKey['metadata'], first: UsageStatus) => {
    let next: UsageStatus | null = first;
    while (next) {
      writing.set(id, null);
      await apply(metadata, next);
      next = writing.get(id) ?? null;
    }
    writing.delete(id);
  };
  return ({ apiKey: { metadata, status: cached } }, decision) => {
    const id = metadata.uid ?? metadata.name;
    const known = newer(written.get(id), cached);
    const at = now();
    if (!isNews(known, decision, at)) return;
    const status = statusAfter(known, decision, at);
    written.set(id, status);
    if (writing.has(id)) writing.set(id, status);
    else void write(id, metadata, status);
  };
}

const timeOf = (text: string | undefined): number => Date.parse(text ?? '') || 0;

/** Another API server may have written since, and the cache may not have seen yet what this one wrote. */
function newer(own: UsageStatus | undefined, cached: UsageStatus = {}): UsageStatus {
  return own && timeOf(own.lastUsedAt) >= timeOf(cached.lastUsedAt) ? own : cached;
}

function isNews(known: UsageStatus, decision: NotedDecision, now: number): boolean {
  if (isNewBan(known, decision) || isLifted(known, decision, now)) return true;
  if (now - timeOf(known.lastUsedAt) >= writtenEveryMs) return true;
  return decision.kind === 'limited' && now - timeOf(known.limited?.at) >= writtenEveryMs;
}

const untilOf = ({ ban }: NotedDecision): string | null => ban && timestamp(ban.until * 1_000);

/** Whoever learns of a ban first writes it: the decision that began it may have been a report, which no request waited for. */
const isNewBan = ({ bans = [] }: UsageStatus, decision: NotedDecision): boolean => {
  const until = untilOf(decision);
  return until !== null && !bans.some((known) => known.until === until);
};

/** Only an admission by Redis says so: another process may remember the ban for some seconds. */
const isLifted = ({ bannedUntil }: UsageStatus, { kind, degraded }: NotedDecision, now: number): boolean =>
  kind === 'allowed' && !degraded && timeOf(bannedUntil) > now;

function statusAfter(known: UsageStatus, decision: NotedDecision, now: number): UsageStatus {
  const { kind, binding, ban } = decision;
  const limited = kind === 'limited' ? { at: timestamp(now), window: binding } : known.limited;
  const until = untilOf(decision);
  const isNew = ban && until && isNewBan(known, decision);
  const begun = isNew ? [{ from: timestamp((ban.until - ban.seconds) * 1_000), until, step: ban.step }] : [];
  const bans = [...begun, ...(known.bans ?? [])].slice(0, rememberedBans);
  return {
    lastUsedAt: timestamp(now),
    ...(until ? { bannedUntil: until } : {}),
    ...(bans.length > 0 ? { bans } : {}),
    ...(limited ? { limited } : {}),
  };
}
