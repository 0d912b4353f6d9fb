import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer, echoOf } from '../support/echo-server.ts';

/** Twenty megabytes pass in both directions, byte for byte. Fails where an edge limits or cuts bodies. */

const large = randomBytes(20 * 1024 * 1024);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const fixture = useConformance(import.meta.filename, {
  services: [
    { name: 'echo', server: createEchoServer() },
    { name: 'large', server: createServer((_, response) => response.end(large)) },
  ],
});

it('to the project', async () => {
  const asked = { method: 'POST', body: large, timeoutMs: 30_000 };
  const { status, body } = await fixture().exchange(inZone('www.large-bodies'), asked);
  const { length, sha256: found } = echoOf(body);
  expect([status, length, found]).toEqual([200, large.length, sha256(large)]);
}, 60_000);

it('from the project', async () => {
  const { status, body } = await fixture().exchange(inZone('large.large-bodies'), { timeoutMs: 30_000 });
  expect([status, body.length, sha256(body)]).toEqual([200, large.length, sha256(large)]);
}, 60_000);
