import { timestamp } from '../rules/conditions.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import type { Decision } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** A key's last use is written at most this often. */
const writtenEveryMs = 5 * 60_000;
const rememberedKeys = 10_000;

interface WarnLog {
  warn(fields: { readonly key: string; readonly err: unknown }, message: string): void;
}

/**
 * Writes to an ApiKey's status when it was last used and until when it is banned, without delaying the request. A ban
 * is written at once, last use at most every five minutes.
 */
export function createKeyStatus(
  { cluster, now }: Pick<ApiDependencies, 'cluster' | 'now'>,
  log: WarnLog,
): (caller: Caller, decision: Pick<Decision, 'ban' | 'banBegins'>) => void {
  const written = new Map<string, number>();
  return ({ apiKey }, { ban, banBegins }) => {
    const { name, uid } = apiKey.metadata;
    const before = Math.max(written.get(name) ?? 0, Date.parse(apiKey.status?.lastUsedAt ?? '') || 0);
    if (!banBegins && now() - before < writtenEveryMs) return;
    if (written.size >= rememberedKeys) written.clear();
    written.set(name, now());
    const { apiVersion, kind } = ApiKeyKind;
    const status = { lastUsedAt: timestamp(now()), ...(ban ? { bannedUntil: timestamp(ban.until * 1_000) } : {}) };
    cluster
      .applyStatus(ApiKeyKind, { apiVersion, kind, metadata: { name, ...(uid ? { uid } : {}) }, status })
      .catch((error: unknown) => log.warn({ key: name, err: error }, 'the status of a key could not be written'));
  };
}
