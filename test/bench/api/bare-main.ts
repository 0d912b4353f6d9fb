import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';

/** Bare Express that answers every request with one object: `bare-main.ts FILE`. Prints its port. */
const answer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as object;
const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/', (_, response) => void response.json(answer));
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
