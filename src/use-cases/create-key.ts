import { ApiKeyKind } from '../resources/kinds.ts';
import type { ApiKeyWish } from './api-key-object.ts';
import { drawApiKey } from './api-key-object.ts';
import { settled } from './cache-wait.ts';
import { keyPlaces, makeWithin } from './caps.ts';
import type { KeyView } from './list-keys.ts';
import { keyView } from './list-keys.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';
import { createInTurn } from './writes/write-turn.ts';

export type NewApiKey = Omit<ApiKeyWish, 'account'>;

export interface CreatedKeyView extends KeyView {
  /** the key itself; it is shown this once */
  readonly key: string;
}

/** Makes a key of the account. Rejects with scope-missing for more than the caller's own key may, or key-cap-reached. */
export const createKey = useCase<NewApiKey, CreatedKeyView>('keys:write', async (context, { scopes, expiresAt }) => {
  const { dependencies, caller, signal } = context;
  const beyond = scopes.find((scope) => !caller.apiKey.spec.scopes.includes(scope));
  if (beyond) throw new Problem('scope-missing', `a key cannot give a scope it does not have: ${beyond}`);
  if (expiresAt !== undefined && Date.parse(expiresAt) <= dependencies.now()) {
    throw new Problem('malformed-request', 'expiresAt lies in the past');
  }
  const account = caller.account.metadata.name;
  const { key, object } = drawApiKey(dependencies.random, { account, scopes, expiresAt });
  const cache = dependencies.caches.apiKeys;
  const making = { places: keyPlaces(context), cache, key: { namespace: '', name: object.metadata.name } };
  const created = await makeWithin(context, making, () => createInTurn(context, ApiKeyKind, object));
  await settled(cache, created, signal);
  return { ...keyView(created), key };
});
