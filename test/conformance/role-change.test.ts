import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inZone, useConformance } from '../support/conformance.ts';

/** Two hostnames that change places are never without an answer. */

const fixture = useConformance(import.meta.filename);

it('keeps both answered', async () => {
  const [www, old] = [inZone('www.role-change'), inZone('old.role-change')] as const;
  const visits = fixture().visit([www, old], ({ status }) => status === 200 || status === 301);
  const domains = { primary: old, redirects: [{ from: www }] };
  await fixture().stage.kubectl.run([
    'patch',
    'project',
    'shop',
    '-n',
    fixture().account,
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { domains } }),
  ]);
  await eventually('they have changed places', 60_000, async () => {
    const [first, second] = await Promise.all([fixture().ask(old), fixture().ask(www)]);
    expectThat(first.status === 200 && second.status === 301, `${first.status} and ${second.status}`);
  });
  const { failed } = await visits.end();
  expect(failed).toEqual([]);
});
