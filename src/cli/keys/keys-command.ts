import type { ApiKey } from '../../generated/api-key.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import { keyIdOf } from '../../rules/api-key-format.ts';
import type { KeyView } from '../../use-cases/api-keys.ts';
import { keyView } from '../../use-cases/api-keys.ts';
import { clusterUsage, noNames, onlyName, optionsOf } from '../cluster-options.ts';
import { table, tell, writeResult } from '../terminal-output.ts';
import { CommandFailure, didYouMean, UsageError } from '../usage-errors.ts';
import { withCluster } from '../with-cluster.ts';
import { createKey } from './create-key-command.ts';

export const usage = `usage: projectdomain keys create --account NAME [options]
       projectdomain keys list [--account NAME] [options]
       projectdomain keys delete NAME-OR-ID [options]

create makes an API key for an account and prints it once: only its hash is stored. list shows the keys with their
accounts, their scopes and when they were last used. delete revokes a key immediately.

  --account NAME      the Account a key belongs to
  --scopes A,B        create: any of domains:read, domains:write, keys:write; default: all of them
  --display-name TEXT create: what the key is for, such as "deploy script"; default: none
  --expires TIME      create: RFC 3339; default: the key does not expire
${clusterUsage}
                      (create prints {"id", "key"}, list {"items"})
Keys belong to accounts, not to namespaces, so --namespace has no effect here.

exit status: 0 done, 1 not found or refused, 3 wrong usage`;

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  create: createKey,
  list: listKeys,
  delete: deleteKey,
};

/** Creates, lists and deletes API keys. */
export async function run([verb, ...args]: readonly string[]): Promise<number> {
  const known = Object.keys(verbs).join(', ');
  const act = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act) return act(args);
  throw new UsageError(
    verb ? `keys has no such command; there are ${known}` : `a command for keys is missing; there are ${known}`,
  );
}

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
async function listKeys(args: readonly string[]): Promise<number> {
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

/** Deletes one key, given by object name, by id, or as the key itself. */
async function deleteKey(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {});
  const meant = idOf(onlyName(positionals, "key's name or id"));
  const { metadata, spec } = await withCluster(values, async ({ cluster }) => {
    const key = pickKey(await cluster.list(ApiKeyKind), meant);
    const { name, uid } = key.metadata;
    await cluster.remove(ApiKeyKind, { namespace: '', name }, uid ? { uid } : {});
    return key;
  });
  const deleted = { id: spec.keyId ?? null, name: metadata.name, account: spec.account };
  writeResult(deleted, values.json, ({ name, account }) => `key ${name} of account ${account} is deleted`);
  return 0;
}

/** Accepts a whole key, so that its id need not be looked up; the key is not printed. */
function idOf(meant: string): string {
  if (!meant.startsWith('pd_')) return meant;
  const id = keyIdOf(meant);
  if (id === null) throw new UsageError("this looks like an API key but is not valid; give the key's name or id");
  return id;
}

export function pickKey(keys: readonly ApiKey[], meant: string): ApiKey {
  const found = keys.find(({ metadata }) => metadata.name === meant) ?? keys.find(({ spec }) => spec.keyId === meant);
  if (found) return found;
  const names = keys.flatMap(({ metadata, spec }) => [metadata.name, ...(spec.keyId ? [spec.keyId] : [])]);
  throw new CommandFailure(`there is no key ${meant}; 'keys list' shows them.${didYouMean(meant, names)}`);
}
