import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { admissionsOf } from './admissions.ts';
import { readKeys } from './served-keys.ts';
import { isVariant, limitsOf } from './variants.ts';

/** One variant's server: `server-main.ts VARIANT allowed|refused REDIS_URL KEYS_FILE`. Prints its port. */
const [variant = '', path = '', redisUrl = '', keysFile = ''] = process.argv.slice(2);
if (!isVariant(variant) || !(path in limitsOf))
  throw new Error('server-main.ts VARIANT allowed|refused REDIS_URL KEYS_FILE');
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
const options = { redisUrl, path: path as keyof typeof limitsOf, find: readKeys(keysFile) };
const { atOnce, handlers } = admissionsOf[variant](options);
app.get('/', ...handlers, (_, response) => void response.json({ ok: true }));
const server = createServer((request, response) => {
  if (!atOnce?.(request, response)) app(request, response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
