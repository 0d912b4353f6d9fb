import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { RestAnswer } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { tally } from '../../support/tally.ts';

/**
 * One account sends more changes at once than the cluster can take, so that everybody's wait behind them until they fail.
 * Changes wait in a line that is shared round robin over accounts and bounded for each.
 */

let api: ApiOnStores;

afterEach(() => api.stop());

const domains = '/v1/projects/shop/domains';
const burst = (account: string) => (_: unknown, index: number) => ({
  method: 'POST',
  body: { hostname: `h${index}.example.com`, role: 'redirect', redirect: { to: `${account}.apps.example.net` } },
});

describe('a burst of changes', () => {
  it('of one account lets another change something before it is through with a third of its own', async () => {
    api = await startApiOnStores({ writeMs: 150, atATime: 4 });
    const [greedy, neighbour] = [api.account('greedy', 'business'), api.account('neighbour', 'business')];
    const adds = Array.from({ length: 200 }, burst('greedy')).map((add) => greedy(domains, add));
    await Promise.race(adds);
    const before = api.cluster.written.length;
    const answer = await neighbour(domains, { method: 'POST', body: { hostname: 'www.neighbour.example' } });
    expect(answer.status).toBe(201);
    const passed = api.cluster.written.indexOf('neighbour/www.neighbour.example') - before;
    expect(passed).toBeLessThan(66);
    expect(tally(await Promise.all(adds))).toEqual({ '201': 200 });
  }, 60_000);

  it('that is slower than a write may take is answered in full all the same: waiting is not sent', async () => {
    api = await startApiOnStores({ writeMs: 200, atATime: 2 });
    const rest = api.account('patient', 'business');
    const adds = Array.from({ length: 150 }, burst('patient')).map((add) => rest(domains, add));
    expect(tally(await Promise.all(adds))).toEqual({ '201': 150 });
    expect(api.cluster.mostAtOnce()).toBeLessThanOrEqual(12);
  }, 60_000);

  it('beyond what may wait is refused at once and says when to come back; reads never wait', async () => {
    api = await startApiOnStores({ writeMs: 2_000, atATime: 1 });
    const rest = api.account('greedy', 'enterprise');
    const account = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name: 'greedy' } };
    api.put({
      ...account,
      spec: { plan: 'enterprise', id: 'i', overrides: { customDomains: { maxPerProject: 1_000 } } },
    });
    const refused: RestAnswer[] = [];
    const note = (answer: RestAnswer) => void (answer.status === 429 && refused.push(answer));
    const cutAtTheEnd = () => undefined;
    for (const add of Array.from({ length: 700 }, burst('greedy'))) rest(domains, add).then(note, cutAtTheEnd);
    // On a slow machine some are written, and leave their places, before the last has arrived.
    const settled = () => refused.length + api.cluster.written.length;
    await eventually('what is too much was refused', 30_000, () =>
      Promise.resolve(expectThat(settled() >= 190, `${refused.length} were`)),
    );
    expect(tally(refused)).toEqual({ '429 too-many-writes': refused.length });
    expect(refused.filter(({ headers }) => !(Number(headers.get('retry-after')) > 0))).toEqual([]);
    expect((await rest(domains)).status).toBe(200);
  }, 60_000);

  it('of edits of one object is made one after another, and none fails for another', async () => {
    api = await startApiOnStores({ writeMs: 5, watchMs: 20 });
    const rest = api.account('busy', 'business');
    const edits = Array.from({ length: 100 }, (_, index) =>
      rest('/v1/projects/shop', { method: 'PATCH', body: { subdomain: `x${index}` } }),
    );
    expect(tally(await Promise.all(edits))).toEqual({ '200': 100 });
  }, 60_000);
});
