import { createKey, deleteKey, listKeys } from '../../use-cases/api-keys.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { keyCreated, keyNew, keyPage } from '../key-schemas.ts';
import { pageQuery } from '../schemas.ts';

const listKeysCall = apiCall({
  method: 'get',
  path: '/v1/keys',
  name: 'listKeys',
  summary: "The account's API keys, without their secrets",
  scope: listKeys.scope,
  query: pageQuery,
  successes: { 200: { description: 'A page of keys.', schema: keyPage } },
  problems: [],
  handle: async (request) => ({ status: 200, body: await listKeys(request, request.query) }),
});

const createKeyCall = apiCall({
  method: 'post',
  path: '/v1/keys',
  name: 'createKey',
  summary:
    'Creates a key, which is shown only once. To rotate, create the new key before deleting the old one: both work',
  scope: createKey.scope,
  body: keyNew,
  successes: { 201: { description: 'The key.', schema: keyCreated } },
  problems: ['key-cap-reached', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    const body = await createKey(request, request.body);
    return { status: 201, body, headers: { location: `/v1/keys/${body.id}` } };
  },
});

const deleteKeyCall = apiCall({
  method: 'delete',
  path: '/v1/keys/{key}',
  name: 'deleteKey',
  summary: 'Deletes a key; it is invalid from then on',
  scope: deleteKey.scope,
  successes: { 204: { description: 'The key is gone.', schema: null } },
  problems: ['not-found', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    await deleteKey(request, { keyId: request.params.key });
    return { status: 204 };
  },
});

/** The account's API keys. */
export const keyCalls: readonly ApiCall[] = [listKeysCall, createKeyCall, deleteKeyCall];
