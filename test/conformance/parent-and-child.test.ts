import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** A hostname and one below it are two, each of a project of its own. Fails where a shorter name answers for a longer one, or goes with it. */

const fixture = useConformance(import.meta.filename);
const [parent, child] = [inZone('shop.parent-and-child'), inZone('eu.shop.parent-and-child')] as const;

it('each is answered, and a third is not', async () => {
  for (const hostname of [parent, child]) {
    const { status, body } = await fixture().ask(hostname);
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: hostname })]);
  }
  await expect(fixture().ask(`us.${parent}`)).rejects.toThrow();
});

it('the parent is removed, and the child goes on', async () => {
  const visits = fixture().visit([child], ({ status }) => status === 200);
  await fixture().remove('projectdomain', 'shop');
  await fixture().isGone(parent);
  const { failed } = await visits.end();
  expect(failed).toEqual([]);
});
