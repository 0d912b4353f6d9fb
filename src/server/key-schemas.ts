import { z } from 'zod';
import { keyNameForm, scopes } from '../rules/api-key-format.ts';
import type { CreatedKeyView, KeyView } from '../use-cases/api-keys.ts';
import { bounded, describing, page, sentTime, time } from './schemas.ts';

/** The request and response bodies of the calls for API keys. */

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
  scopes: z.array(scope),
  expiresAt: time.nullable(),
  createdAt: time,
  lastUsedAt: time.nullable().meta({ description: 'Accurate to five minutes.' }),
  bannedUntil: time.nullable(),
};

const key = describing<KeyView>()(
  z.strictObject(keyFields).meta({ id: 'Key', description: 'An API key, without its secret.' }),
);

export const keyCreated = describing<CreatedKeyView>()(
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
    scopes: z.array(scope).min(1).max(scopes.length),
    expiresAt: sentTime.optional(),
  })
  .meta({ id: 'NewKey', description: "A key to create; its scopes must be among those of the caller's key." });

export const keyPage = page(key, 'KeyPage');
