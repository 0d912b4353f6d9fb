import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer, echoOf } from '../support/echo-server.ts';

/** Every method reaches the project with its body. Fails where an edge answers some itself, or takes bodies for forbidden. */

const fixture = useConformance(import.meta.filename, { services: [{ name: 'echo', server: createEchoServer() }] });
const hostname = inZone('www.methods');

it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s', async (method) => {
  const headers = { 'content-length': String('a body'.length) };
  const sent = method === 'GET' ? {} : { body: 'a body', headers };
  const { status, body } = await fixture().exchange(hostname, { method, ...sent });
  expect([status, echoOf(body)]).toEqual([
    200,
    expect.objectContaining({ method, length: method === 'GET' ? 0 : 'a body'.length }),
  ]);
});

it('HEAD, whose answer has no body', async () => {
  const { status, headers, body } = await fixture().exchange(hostname, { method: 'HEAD' });
  expect([status, headers['x-method'], body.length]).toEqual([200, 'HEAD', 0]);
});
