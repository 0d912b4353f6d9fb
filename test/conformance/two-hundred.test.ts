import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { SeenDomain } from '../../dev/story/stage.ts';
import { inZone, useConformance } from '../support/conformance.ts';
import { hasPlaces, readConformanceFacts } from '../support/conformance-facts.ts';
import { recordOf } from '../support/published-domain.ts';

/**
 * A project has two hundred hostnames, as many as a plan allows, each with a certificate of its own, and loses all but one at once. Fails where an edge has a bound below
 * that, or a visitor of the one that stays notices.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });
const [zone, www] = [inZone('two-hundred'), inZone('www.two-hundred')] as const;
const withinMs = 120_000;
const itOfMany = hasPlaces(readConformanceFacts()) ? it.skip : it;

itOfMany(
  'serves them all, and one when the others are gone',
  async () => {
    const { stage, account, hostnames } = fixture();
    const seen = await stage.domainWhere(account, www, 'shows its record', (one) =>
      recordOf(one, 'CNAME') ? null : 'no record',
    );
    await fixture().setRecords(`*.${zone}`, [`CNAME ${recordOf(seen, 'CNAME')?.value}.`]);
    await eventually('all are Live', withinMs, async () => {
      const { items } = JSON.parse(await stage.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'json'])) as {
        readonly items: readonly SeenDomain[];
      };
      const live = items.filter(({ status }) => status?.state === 'Live').length;
      expectThat(live === 200, `${live} are`);
    });
    const statuses: number[] = [];
    for (const hostname of hostnames) statuses.push((await fixture().ask(hostname)).status);
    expect(statuses).toEqual(hostnames.map((hostname) => (hostname === www ? 200 : 301)));

    const visits = fixture().visit([www], ({ status }) => status === 200);
    await fixture().patch('project', 'shop', { spec: { domains: { primary: www, redirects: [] } } });
    await eventually('the others are gone', withinMs, async () => {
      for (const hostname of hostnames) {
        const answer =
          hostname === www
            ? null
            : await fixture()
                .ask(hostname)
                .catch(() => null);
        expectThat(answer === null || answer.status === 404, `${hostname} answers ${answer?.status}`);
      }
    });
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  400_000,
);
