import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** A connection that was opened for one hostname does not answer for another: a certificate says nothing of that. */

const fixture = useConformance(import.meta.filename);

it('answers 404 or 421 to the other hostname', async () => {
  const { status } = await fixture().ask(inZone('one.misdirected'), '/', { host: inZone('two.misdirected') });
  expect(fixture().exceptions.misdirected ?? [404, 421]).toContain(status);
});
