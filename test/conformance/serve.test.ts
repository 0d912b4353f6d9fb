import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** A hostname is answered by its project, with a certificate of its own. */

const fixture = useConformance(import.meta.filename);

it('answers over HTTPS from the project, under its own name', async () => {
  const { status, body } = await fixture().ask(inZone('www.serve'), '/a/path?q=1');
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({ tenant: 'shop-web', host: inZone('www.serve'), path: '/a/path?q=1' });
});
