import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer, echoOf } from '../support/echo-server.ts';

/** Fields of requests and of answers pass through, repeated and long ones too. Fails where an edge joins cookies, or has no room for 16 KiB of them. */

const answering = createServer((_, response) => {
  response.writeHead(418, {
    'set-cookie': ['a=1; Path=/', 'b=2; Secure; HttpOnly'],
    'content-security-policy': "default-src 'self'",
    'x-long': 'y'.repeat(4_000),
    'cache-control': 'private',
    etag: '"abc"',
  });
  response.end('teapot');
});
const fixture = useConformance(import.meta.filename, {
  services: [
    { name: 'echo', server: createEchoServer() },
    { name: 'answering', server: answering },
  ],
});

it('of a request', async () => {
  const sent = {
    authorization: 'Bearer abc',
    cookie: `session=${'x'.repeat(16_000)}`,
    'x-custom': 'Grüße'.normalize('NFC'),
    'accept-language': 'de, en;q=0.5',
    'if-none-match': '"abc"',
  };
  const { status, body } = await fixture().exchange(inZone('www.headers-pass'), { headers: sent });
  expect(status).toBe(200);
  expect(echoOf(body).headers).toMatchObject(sent);
});

it('of an answer, with its status and body', async () => {
  const { status, headers, body } = await fixture().exchange(inZone('answering.headers-pass'));
  expect([status, body.toString()]).toEqual([418, 'teapot']);
  expect(headers).toMatchObject({
    'set-cookie': ['a=1; Path=/', 'b=2; Secure; HttpOnly'],
    'content-security-policy': "default-src 'self'",
    'x-long': 'y'.repeat(4_000),
    'cache-control': 'private',
    etag: '"abc"',
  });
});
