import type { ApiKey } from '../../generated/api-key.ts';
import { drawKey } from '../../rules/api-key-format.ts';
import { ApiKeyKind } from '../../resources/kinds.ts';
import { keyPlaces, makeWithin } from '../../use-cases/caps.ts';
import { pageOf } from '../../use-cases/pagination.ts';
import { Problem } from '../../use-cases/problem.ts';
import { apiCall } from '../api-call.ts';
import { keyCreated, keyNew, keyPage, pageQuery } from '../schemas.ts';
import { settled, until } from '../../use-cases/cache-wait.ts';
import { keyView } from '../../use-cases/resource-views.ts';
import { createInTurn, inTurn } from '../../use-cases/writes/write-turn.ts';

const deletionShownWithin = 1_000;

export const listKeys = apiCall({
  method: 'get',
  path: '/v1/keys',
  name: 'listKeys',
  summary: "The account's API keys, without their secrets",
  scope: 'keys:write',
  query: pageQuery,
  successes: { 200: { description: 'A page of keys.', schema: keyPage } },
  problems: [],
  handle({ dependencies, caller, query }) {
    const mine = dependencies.caches.apiKeys
      .byIndex('account', caller.account.metadata.name)
      .filter(({ metadata, spec }) => spec.keyId !== undefined && !metadata.deletionTimestamp);
    const { items, nextCursor } = pageOf(mine, ({ spec }) => spec.keyId ?? '', query);
    return Promise.resolve({ status: 200, body: { items: items.map(keyView), nextCursor } });
  },
});

export const createKey = apiCall({
  method: 'post',
  path: '/v1/keys',
  name: 'createKey',
  summary: 'Makes a key; it is shown this once. Both keys work while one takes the place of the other',
  scope: 'keys:write',
  body: keyNew,
  successes: { 201: { description: 'The key.', schema: keyCreated } },
  problems: ['key-cap-reached', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, body, signal } = request;
    const beyond = body.scopes.find((scope) => !caller.apiKey.spec.scopes.includes(scope));
    if (beyond) throw new Problem('scope-missing', `a key cannot give a scope it does not have: ${beyond}`);
    if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= dependencies.now()) {
      throw new Problem('malformed-request', 'expiresAt lies in the past');
    }
    const { key, keyId, sha256 } = drawKey(dependencies.random);
    const drawn = draft(caller.account.metadata.name, { ...body, keyId, sha256 });
    const cache = dependencies.caches.apiKeys;
    const made = { places: keyPlaces(request), cache, key: { namespace: '', name: drawn.metadata.name } };
    const created = await makeWithin(request, made, () => createInTurn(request, ApiKeyKind, drawn));
    await settled(cache, created, signal);
    return { status: 201, body: { ...keyView(created), key }, headers: { location: `/v1/keys/${keyId}` } };
  },
});

interface Parts {
  readonly keyId: string;
  readonly sha256: string;
  readonly scopes: ApiKey['spec']['scopes'];
  readonly expiresAt?: string | undefined;
}

function draft(account: string, { keyId, sha256, scopes, expiresAt }: Parts) {
  const { apiVersion, kind } = ApiKeyKind;
  const spec = {
    account,
    keyId,
    sha256,
    scopes: [...new Set(scopes)],
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { apiVersion, kind, metadata: { name: `key-${keyId}` }, spec };
}

export const deleteKey = apiCall({
  method: 'delete',
  path: '/v1/keys/{key}',
  name: 'deleteKey',
  summary: 'Deletes a key; it opens nothing from then on',
  scope: 'keys:write',
  successes: { 204: { description: 'The key is gone.', schema: null } },
  problems: ['not-found', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, params, signal } = request;
    const { key: keyId = '' } = params;
    const found = dependencies.caches.apiKeys
      .byIndex('keyId', keyId)
      .find(({ spec }) => spec.account === caller.account.metadata.name);
    if (!found) throw new Problem('not-found', `there is no key ${keyId}`);
    const { name, uid } = found.metadata;
    const preconditions = uid ? { uid } : {};
    await inTurn(request, null, () => dependencies.cluster.remove(ApiKeyKind, { namespace: '', name }, preconditions));
    const gone = (seen: ApiKey | undefined) => seen?.metadata.uid !== uid;
    await until(dependencies.caches.apiKeys, { namespace: '', name }, gone, { ms: deletionShownWithin, signal });
    return { status: 204 };
  },
});
