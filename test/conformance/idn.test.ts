import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** An internationalized hostname is served under its A-label. Fails where an edge decodes names, or refuses hyphens in third and fourth place. */

const fixture = useConformance(import.meta.filename);

it('answers under its A-label', async () => {
  const [hostname = ''] = fixture().hostnames;
  const { status, body } = await fixture().ask(hostname);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: inZone('xn--bcher-kva.idn') })]);
});
