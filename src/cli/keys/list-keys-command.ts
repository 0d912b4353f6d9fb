import type { ApiKey } from '../../generated/api-key.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import { noNames, optionsOf } from '../cluster-options.ts';
import { withCluster } from '../with-cluster.ts';
import { table } from '../text-table.ts';

/** A key as it is shown: nothing that opens anything, and no hash. */
export interface KeyView {
  /** null until the operator has made the key */
  readonly id: string | null;
  readonly name: string;
  readonly account: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly bannedUntil: string | null;
}

/** Prints the keys of all accounts, or of one. */
export async function listKeys(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, { account: { type: 'string' } });
  noNames(positionals);
  const { account } = values;
  const found = await withCluster(values, ({ cluster }) => cluster.list(ApiKeyKind));
  const items = found
    .map(keyView)
    .filter((key) => account === undefined || key.account === account)
    .sort((a, b) => a.account.localeCompare(b.account) || a.name.localeCompare(b.name));
  if (values.json) console.log(JSON.stringify({ items }, null, 2));
  else if (items.length > 0) console.log(printKeys(items, Date.now()));
  else console.error(account === undefined ? 'There are no keys.' : `Account ${account} has no keys.`);
  return 0;
}

function keyView({ metadata, spec, status }: ApiKey): KeyView {
  return {
    id: spec.keyId ?? null,
    name: metadata.name,
    account: spec.account,
    scopes: spec.scopes,
    expiresAt: spec.expiresAt ?? null,
    lastUsedAt: status?.lastUsedAt ?? null,
    bannedUntil: status?.bannedUntil ?? null,
  };
}

/** One line a key; bans that are over are not shown. */
export function printKeys(items: readonly KeyView[], now: number): string {
  const isPast = (time: string) => Date.parse(time) <= now;
  const rows = items.map(({ id, name, account, scopes, expiresAt, lastUsedAt, bannedUntil }) => [
    id ?? '-',
    name,
    account,
    scopes.join(','),
    expiresAt === null ? 'never' : expiresAt + (isPast(expiresAt) ? ' (over)' : ''),
    lastUsedAt ?? 'never',
    bannedUntil === null || isPast(bannedUntil) ? '-' : bannedUntil,
  ]);
  return table(['Id', 'Name', 'Account', 'Scopes', 'Expires', 'Last used', 'Banned until'], rows);
}
