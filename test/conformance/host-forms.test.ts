import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** The ways in which clients may spell a hostname lead to its project. Fails where an edge compares Host byte for byte. */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.host-forms');

it.each([
  ['capitals', 'WWW.Host-Forms.EXAMPLE'],
  ['a port', `${hostname}:443`],
])('answers to a Host with %s', async (_, host) => {
  const { status, body } = await fixture().ask(hostname, '/', { host });
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ tenant: 'shop-web' })]);
});

it('answers to a Host with a trailing dot, or says that there is none', async () => {
  const { status } = await fixture().ask(hostname, '/', { host: `${hostname}.` });
  expect(fixture().exceptions.trailingDot ?? [200]).toContain(status);
});
