import type { ApiKey } from '../../generated/api-key.ts';
import { keyIdOf } from '../../rules/api-key-format.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import { CommandFailure, UsageError, didYouMean } from '../usage-errors.ts';
import { onlyName, optionsOf } from '../cluster-options.ts';
import { withCluster } from '../with-cluster.ts';

/** Deletes one key, meant by its object's name, its id, or itself. */
export async function deleteKey(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {});
  const meant = idOf(onlyName(positionals, "key's name or id"));
  const { metadata, spec } = await withCluster(values, async ({ cluster }) => {
    const key = pickKey(await cluster.list(ApiKeyKind), meant);
    const { name, uid } = key.metadata;
    await cluster.remove(ApiKeyKind, { namespace: '', name }, uid ? { uid } : {});
    return key;
  });
  const deleted = { id: spec.keyId ?? null, name: metadata.name, account: spec.account };
  console.log(values.json ? JSON.stringify(deleted) : `key ${deleted.name} of account ${deleted.account} is deleted`);
  return 0;
}

/** Whoever has the whole key at hand need not look for its id; it is printed nowhere. */
function idOf(meant: string): string {
  if (!meant.startsWith('pd_')) return meant;
  const id = keyIdOf(meant);
  if (id === null) throw new UsageError("this looks like a key but is none; give the key's name or id");
  return id;
}

export function pickKey(keys: readonly ApiKey[], meant: string): ApiKey {
  const found = keys.find(({ metadata }) => metadata.name === meant) ?? keys.find(({ spec }) => spec.keyId === meant);
  if (found) return found;
  const names = keys.flatMap(({ metadata, spec }) => [metadata.name, ...(spec.keyId ? [spec.keyId] : [])]);
  throw new CommandFailure(`there is no key ${meant}; 'keys list' shows them.${didYouMean(meant, names)}`);
}
