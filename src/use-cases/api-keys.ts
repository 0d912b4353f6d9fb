import type { ApiKey } from '../generated/api-key.ts';
import type { NewKey, Scope } from '../rules/api-key-format.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { cursorsOf } from './account-cursors.ts';
import { pageOf } from './pagination.ts';
import { useCase } from './use-case.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import { settled, deletionShown } from './cache-wait.ts';
import { keyPlaces, makeWithin } from './caps.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { createInTurn, removeInTurn, statusOf } from './writes/write-turn.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { drawKey } from '../rules/api-key-format.ts';

/** An API key as it is shown: neither the key itself nor its hash. Times are RFC 3339. */
export interface KeyView {
  /** the public part of the key */
  readonly id: string;
  /** what its owner calls it */
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  /** accurate to five minutes */
  readonly lastUsedAt: string | null;
  readonly bannedUntil: string | null;
}

export const keyView = ({ metadata, spec, status }: ApiKey): KeyView => ({
  id: spec.keyId ?? '',
  name: spec.displayName ?? null,
  scopes: [...spec.scopes],
  expiresAt: spec.expiresAt ?? null,
  createdAt: metadata.creationTimestamp ?? '',
  lastUsedAt: status?.lastUsedAt ?? null,
  bannedUntil: status?.bannedUntil ?? null,
});

/** The account's API keys, sorted by id, without those that have not been generated yet. */
export const listKeys = useCase<PageRequest, ResultPage<KeyView>>('keys:write', (context, page) => {
  const { dependencies, caller } = context;
  const mine = dependencies.caches.apiKeys
    .byIndex('account', caller.account.metadata.name)
    .filter(({ metadata, spec }) => spec.keyId !== undefined && !metadata.deletionTimestamp);
  const positionOf = ({ metadata, spec }: ApiKey) => `${spec.keyId} ${metadata.name}`;
  const { items, nextCursor } = pageOf(mine, positionOf, page, cursorsOf(context, 'keys'));
  return { items: items.map(keyView), nextCursor };
});

export type NewApiKey = Omit<ApiKeyRequest, 'account'>;

export interface CreatedKeyView extends KeyView {
  /** the key itself; this is the only time it is shown */
  readonly key: string;
}

/**
 * Creates a key for the account. Rejects with scope-missing if it asks for a scope that the caller's own key lacks, or
 * with key-cap-reached.
 */
export const createKey = useCase<NewApiKey, CreatedKeyView>(
  'keys:write',
  async (context, { scopes, name, expiresAt }) => {
    const { dependencies, caller, signal } = context;
    const beyond = scopes.find((scope) => !caller.apiKey.spec.scopes.includes(scope));
    if (beyond)
      throw new Problem('scope-missing', `a key cannot give a scope it does not have: ${beyond}`, {
        members: { scope: beyond },
      });
    if (expiresAt !== undefined && Date.parse(expiresAt) <= dependencies.now()) {
      const message = 'send a time that is still to come';
      const errors = [{ pointer: '/expiresAt', code: 'too-small', message }];
      throw new Problem('malformed-request', `the body, expiresAt: ${message}`, { members: { errors } });
    }
    const account = caller.account.metadata.name;
    const { key, object } = drawApiKey(dependencies.random, { account, scopes, name, expiresAt });
    const created = await createOnce(context, object);
    await settled(dependencies.caches.apiKeys, created, signal);
    return { ...keyView(created), key };
  },
);

/** Creates the object of a key, or finds it: a request whose answer was lost draws the same key when it is repeated. */
async function createOnce(context: RequestContext, object: DrawnApiKey['object']): Promise<ApiKey> {
  const { caches, cluster } = context.dependencies;
  const place = { namespace: '', name: object.metadata.name };
  const isOurs = (found: ApiKey | undefined): found is ApiKey => found?.spec.sha256 === object.spec.sha256;
  const known = caches.apiKeys.get(place);
  if (isOurs(known)) return known;
  try {
    const making = { places: keyPlaces(context), cache: caches.apiKeys, key: place };
    return await makeWithin(context, making, () => createInTurn(context, ApiKeyKind, object));
  } catch (error) {
    const found = statusOf(error) === 409 ? await cluster.get(ApiKeyKind, place) : undefined;
    if (isOurs(found)) return found;
    throw error;
  }
}

interface DeleteKey {
  /** the public part of the key */
  readonly keyId: string;
}

/** Deletes a key of the account; it is invalid from then on. Rejects with not-found, also for other accounts' keys. */
export const deleteKey = useCase<DeleteKey, void>('keys:write', async (context, { keyId }) => {
  const { dependencies, caller, signal } = context;
  const key = dependencies.caches.apiKeys
    .byIndex('keyId', keyId)
    .find(({ spec }) => spec.account === caller.account.metadata.name);
  if (!key)
    throw new Problem('not-found', `there is no API key ${keyId}`, { members: { missing: 'key', name: keyId } });
  await removeInTurn(context, ApiKeyKind, key);
  await deletionShown(dependencies.caches.apiKeys, key, signal);
});

/** A request for a new key: its account, name, scopes and expiry. */
export interface ApiKeyRequest {
  readonly account: string;
  readonly scopes: readonly Scope[];
  /** what its owner calls it; absent: nothing */
  readonly name?: string | undefined;
  /** RFC 3339; absent: it does not expire */
  readonly expiresAt?: string | undefined;
}

/** A newly generated key: the key itself, which its owner sees once, and the object that is stored. */
export interface DrawnApiKey extends Pick<NewKey, 'key' | 'keyId'> {
  /** holds only the key's hash, never the key */
  readonly object: ApiKey & Intent;
}

/** Generates a key. `random(n)` returns an integer in [0, n) from a cryptographically secure source. */
export function drawApiKey(random: (below: number) => number, request: ApiKeyRequest): DrawnApiKey {
  const { account, scopes, name, expiresAt } = request;
  const { key, keyId, sha256 } = drawKey(random);
  const { apiVersion, kind } = ApiKeyKind;
  const optional = {
    ...(name === undefined ? {} : { displayName: name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const spec = { account, keyId, sha256, scopes: [...new Set(scopes)], ...optional };
  return { key, keyId, object: { apiVersion, kind, metadata: { name: `key-${keyId}` }, spec } };
}
