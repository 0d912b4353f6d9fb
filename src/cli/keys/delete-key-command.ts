import type { ApiKey } from '../../generated/api-key.ts';
import { keyIdOf } from '../../rules/api-key-format.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import { CommandFailure, UsageError, didYouMean } from '../usage-errors.ts';
import { onlyName, optionsOf } from '../cluster-options.ts';
import { withCluster } from '../with-cluster.ts';
import { writeResult } from '../write-output.ts';

/** Deletes one key, given by object name, by id, or as the key itself. */
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
