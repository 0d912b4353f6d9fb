import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** An apex, which cannot have a CNAME, is served by its address and proven by a TXT record. Fails where a hostname is only found below a label. */

const fixture = useConformance(import.meta.filename);

it('answers at the apex, and not below it', async () => {
  const { status, body } = await fixture().ask(inZone('apex'));
  expect([status, JSON.parse(body)]).toEqual([200, { tenant: 'shop-web', host: inZone('apex'), path: '/' }]);
  await expect(fixture().ask(inZone('www.apex'))).rejects.toThrow();
});
