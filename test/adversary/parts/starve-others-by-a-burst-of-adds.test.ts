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

/** Holds the cluster: nothing is done before it is released. */
function gate() {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release: () => release() };
}

describe('a burst of changes', () => {
  it("of one account leaves room for another: eight of its own are sent, and a neighbour's is the ninth", async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until });
    const [greedy, neighbour] = [api.account('greedy', 'business'), api.account('neighbour', 'business')];
    const sent = (count: number) =>
      eventually(`${count} writes are sent`, 30_000, () =>
        Promise.resolve(expectThat(api.cluster.mostAtOnce() >= count, `${api.cluster.mostAtOnce()} are`)),
      );
    const adds = Array.from({ length: 200 }, burst('greedy')).map((add) => greedy(domains, add));
    await sent(8);
    const answer = neighbour(domains, { method: 'POST', body: { hostname: 'www.neighbour.example' } });
    await sent(9);
    release();
    expect((await answer).status).toBe(201);
    expect(tally(await Promise.all(adds))).toEqual({ '201': 200 });
    expect(api.cluster.written.indexOf('neighbour/www.neighbour.example')).toBeLessThanOrEqual(8);
  }, 60_000);

  it('that is slower than a write may take is answered in full all the same: waiting is not sent', async () => {
    api = await startApiOnStores({ writeMs: 200, atATime: 2 });
    const rest = api.account('patient', 'business');
    const adds = Array.from({ length: 150 }, burst('patient')).map((add) => rest(domains, add));
    expect(tally(await Promise.all(adds))).toEqual({ '201': 150 });
    expect(api.cluster.mostAtOnce()).toBeLessThanOrEqual(12);
  }, 60_000);

  it('beyond what may wait is refused at once and says when to come back; reads never wait', async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until });
    const rest = api.account('greedy', 'enterprise');
    const account = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name: 'greedy' } };
    api.put({
      ...account,
      spec: { plan: 'enterprise', id: 'i', overrides: { customDomains: { maxPerProject: 1_000 } } },
    });
    const refused: RestAnswer[] = [];
    const note = (answer: RestAnswer) => void (answer.status === 429 && refused.push(answer));
    const adds = Array.from({ length: 700 }, burst('greedy')).map((add) => rest(domains, add));
    for (const add of adds) void add.then(note);
    await eventually('what is too much was refused', 30_000, () =>
      Promise.resolve(expectThat(refused.length >= 700 - 8 - 500, `${refused.length} were`)),
    );
    expect(tally(refused)).toEqual({ '429 too-many-writes': refused.length });
    expect(refused.filter(({ headers }) => !(Number(headers.get('retry-after')) > 0))).toEqual([]);
    expect((await rest(domains)).status).toBe(200);
    release();
    expect(tally(await Promise.all(adds))).toEqual({ '201': 508, '429 too-many-writes': 192 });
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
