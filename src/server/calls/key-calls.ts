import { z } from 'zod';
import { keyNameForm, scopes } from '../../rules/api-key-format.ts';
import type { CreatedKeyView, KeyView } from '../../use-cases/api-keys.ts';
import { createKey, deleteKey, listKeys } from '../../use-cases/api-keys.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { bounded, describing, page, pageQuery, saying, sentTime, time } from '../schemas.ts';

/** Bodies of the calls about API keys. */

const scope = z.enum(scopes);

/** With the white space around it, which is taken off. */
const mostTyped = 200;

const keyName = bounded(mostTyped)
  .trim()
  .min(1)
  .max(64)
  .regex(keyNameForm, 'use visible characters only')
  .meta({ description: 'What its owner calls the key, such as the program that uses it; of visible characters.' });

const keyFields = {
  id: z.string().meta({ description: 'The public part of the key.' }),
  name: z.string().nullable().meta({ description: 'What its owner calls the key.' }),
  scopes: saying(z.array(scope), 'What it may do.'),
  expiresAt: saying(time.nullable(), 'When it ends; null: never.'),
  createdAt: saying(time, 'When it was made.'),
  lastUsedAt: time.nullable().meta({ description: 'Accurate to five minutes.' }),
  bannedUntil: saying(time.nullable(), 'When its ban ends; null without one.'),
};

const key = describing<KeyView>()(
  z.strictObject(keyFields).meta({ id: 'Key', description: 'An API key, without its secret.' }),
);

const keyCreated = describing<CreatedKeyView>()(
  z
    .strictObject({
      ...keyFields,
      key: z.string().meta({ description: 'The key itself. This is the only time it is shown.' }),
    })
    .meta({ id: 'CreatedKey', description: 'A newly created key.' }),
);

export const keyNew = z
  .strictObject({
    name: keyName.optional(),
    scopes: saying(z.array(scope).min(1).max(scopes.length), 'What it may do.'),
    expiresAt: saying(sentTime.optional(), 'When it ends; absent: never.'),
  })
  .meta({ id: 'NewKey', description: "A key to create; its scopes must be among those of the caller's key." });

const keyPage = page(key, 'KeyPage');

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
  idempotency: 'by-record',
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
