import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { redirectTargets } from '../support/redirect-urls.ts';

/** A redirect keeps path and query byte for byte, whatever the edge makes of paths. */

const fixture = useConformance(import.meta.filename);

it('leads to the same path and query', async () => {
  const found = await fixture().locations(inZone('old.redirect'), redirectTargets);
  expect(found).toEqual(redirectTargets.map((target) => `https://${inZone('www.redirect')}${target}`));
});
