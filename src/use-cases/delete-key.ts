import { ApiKeyKind } from '../resources/kinds.ts';
import { deletionShown } from './cache-wait.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';
import { removeInTurn } from './writes/write-turn.ts';

interface DeleteKey {
  /** the public part of the key */
  readonly keyId: string;
}

/** Deletes a key of the account; it opens nothing from then on. Rejects with not-found, for other accounts' keys too. */
export const deleteKey = useCase<DeleteKey, void>('keys:write', async (context, { keyId }) => {
  const { dependencies, caller, signal } = context;
  const key = dependencies.caches.apiKeys
    .byIndex('keyId', keyId)
    .find(({ spec }) => spec.account === caller.account.metadata.name);
  if (!key) throw new Problem('not-found', `there is no key ${keyId}`);
  await removeInTurn(context, ApiKeyKind, key);
  await deletionShown(dependencies.caches.apiKeys, key, signal);
});
