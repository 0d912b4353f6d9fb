import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** An apex, which cannot have a CNAME, is served by its address and proven by a TXT record. Fails where a hostname is only found below a label. */

const fixture = useConformance(import.meta.filename);

it('answers at the apex, and not below it', async () => {
  const { status, body } = await fixture().ask('apex.example');
  expect([status, JSON.parse(body)]).toEqual([200, { tenant: 'shop-web', host: 'apex.example', path: '/' }]);
  await expect(fixture().ask('www.apex.example')).rejects.toThrow();
});
