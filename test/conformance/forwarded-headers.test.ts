import { isIP } from 'node:net';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer, echoOf } from '../support/echo-server.ts';

/**
 * A project is told by what scheme and from where a visitor came, and a visitor cannot say otherwise. Fails where an edge passes on what visitors
 * claim in these fields.
 */

const fixture = useConformance(import.meta.filename, { services: [{ name: 'echo', server: createEchoServer() }] });
const hostname = inZone('www.forwarded-headers');

it('tells the scheme and the address, whatever the visitor claims', async () => {
  const { body } = await fixture().exchange(hostname, {
    headers: {
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '192.0.2.66',
      'x-forwarded-host': 'bank.example',
      'x-real-ip': '192.0.2.66',
    },
  });
  const { headers } = echoOf(body);
  expect([headers.host, headers['x-forwarded-proto']]).toEqual([hostname, 'https']);
  // The last is what the edge itself says: for a visitor on its own machine Envoy gives that machine's address.
  const told = String(headers['x-forwarded-for']).split(/, */).at(-1);
  expect([told === '192.0.2.66', isIP(told ?? '')]).toEqual([false, 4]);
});

it('keeps no address and no host of the visitor’s own', async () => {
  const claimed = { 'x-forwarded-for': '192.0.2.66', 'x-forwarded-host': 'bank.example' };
  const { body } = await fixture().exchange(hostname, { headers: claimed });
  const { headers } = echoOf(body);
  const kept = Object.entries(claimed).flatMap(([name, value]) =>
    String(headers[name] ?? '').includes(value) ? [name] : [],
  );
  expect(kept).toEqual(fixture().exceptions.keptForwarded ?? []);
});
