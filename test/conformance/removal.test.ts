import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inZone, useConformance } from '../support/conformance.ts';

/** A hostname that is removed is served no more, and its neighbours are. */

const fixture = useConformance(import.meta.filename);

it('ends with the domain, beside another that goes on', async () => {
  const visits = fixture().visit([inZone('other.removal')], ({ status }) => status === 200);
  await fixture().stage.kubectl.run(['delete', 'projectdomain', 'www', '-n', fixture().account]);
  await eventually('nothing is served', 30_000, async () => {
    const answer = await fixture()
      .ask(inZone('www.removal'))
      .catch(() => null);
    expectThat(answer === null || answer.status === 404, `status ${answer?.status}`);
  });
  await visits.further(25);
  const { failed } = await visits.end();
  expect(failed).toEqual([]);
});
