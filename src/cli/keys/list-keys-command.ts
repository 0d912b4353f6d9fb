import type { ApiKey } from '../../generated/api-key.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import type { KeyView } from '../../use-cases/api-keys.ts';
import { keyView } from '../../use-cases/api-keys.ts';
import { noNames, optionsOf } from '../cluster-options.ts';
import { withCluster } from '../with-cluster.ts';
import { table } from '../terminal-output.ts';
import { tell, writeResult } from '../write-output.ts';

/** A key as administrators see it and `--json` prints it: as in REST, whose `name` is `displayName` here. */
export interface KeySummary extends Omit<KeyView, 'id' | 'name' | 'createdAt'> {
  /** null until the key has been generated */
  readonly id: string | null;
  /** of the ApiKey object */
  readonly name: string;
  /** what its owner calls the key */
  readonly displayName: string | null;
  readonly account: string;
}

/** Prints the keys of all accounts, or of one. */
export async function listKeys(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, { account: { type: 'string' } });
  noNames(positionals);
  const { account } = values;
  const found = await withCluster(values, ({ cluster }) => cluster.list(ApiKeyKind));
  const items = found
    .map(keySummary)
    .filter((key) => account === undefined || key.account === account)
    .sort((a, b) => a.account.localeCompare(b.account) || a.name.localeCompare(b.name));
  if (values.json || items.length > 0)
    writeResult({ items }, values.json, (shown) => printKeys(shown.items, Date.now()));
  else tell(account === undefined ? 'There are no keys.' : `Account ${account} has no keys.`);
  return 0;
}

function keySummary(key: ApiKey): KeySummary {
  const { name: displayName, scopes, expiresAt, lastUsedAt, bannedUntil } = keyView(key);
  const { keyId: id = null, account } = key.spec;
  return { id, name: key.metadata.name, displayName, account, scopes, expiresAt, lastUsedAt, bannedUntil };
}

/** One line per key; bans that have ended are not shown. */
export function printKeys(items: readonly KeySummary[], now: number): string {
  const isPast = (time: string) => Date.parse(time) <= now;
  const rows = items.map(({ id, name, displayName, account, scopes, expiresAt, lastUsedAt, bannedUntil }) => [
    id ?? '-',
    name,
    displayName ?? '-',
    account,
    scopes.join(','),
    expiresAt === null ? 'never' : expiresAt + (isPast(expiresAt) ? ' (expired)' : ''),
    lastUsedAt ?? 'never',
    bannedUntil === null || isPast(bannedUntil) ? '-' : bannedUntil,
  ]);
  return table(['Id', 'Name', 'Display name', 'Account', 'Scopes', 'Expires', 'Last used', 'Banned until'], rows);
}
