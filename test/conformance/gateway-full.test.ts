import { afterAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { SeenDomain } from '../../dev/story/stage.ts';
import { inState } from '../../dev/story/stage.ts';
import { inZone, useConformance } from '../support/conformance.ts';
import { hasPlaces, readConformanceFacts } from '../support/conformance-facts.ts';
import { publishDomain, recordOf } from '../support/published-domain.ts';

/**
 * A Gateway with listeners of hostnames serves as many as it has places for, tells the others, and gives the next place to the account with the fewest.
 * Fails where a listener too many keeps all of them from being written, or an account that adds more takes what becomes free.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });
const facts = readConformanceFacts();
const itOfPlaces = hasPlaces(facts) ? it : it.skip;
const [zone, www, other] = [inZone('gateway-full'), inZone('www.gateway-full'), inZone('other.gateway-full')] as const;
const neighbour = 'gateway-full-other';
const withinMs = 180_000;

afterAll(async () => {
  const objects = ['project/shop', `projectdomain/${other}`, '-n', neighbour, '--ignore-not-found'];
  await fixture().stage.kubectl.run(['delete', ...objects]);
});

async function domains(): Promise<readonly (SeenDomain & { readonly spec: { readonly hostname: string } })[]> {
  const { stage, account } = fixture();
  const listed = await stage.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'json']);
  const { items } = JSON.parse(listed) as { readonly items: Awaited<ReturnType<typeof domains>> };
  return items;
}

const isLive = ({ status }: SeenDomain): boolean => status?.state === 'Live';
const isTold = ({ status }: SeenDomain): boolean => status?.issues?.some(({ code }) => code === 'GatewayFull') ?? false;

/** Leaves these alone of the project's redirects. */
const keep = (hostnames: readonly string[]) =>
  fixture().patch('project', 'shop', {
    spec: { domains: { primary: www, redirects: hostnames.filter((one) => one !== www).map((from) => ({ from })) } },
  });

itOfPlaces(
  'serves as many as there is place for, and the account with the fewest next',
  async () => {
    const { stage, account, hostnames } = fixture();
    const seen = await stage.domainWhere(account, www, 'shows its record', (one) =>
      recordOf(one, 'CNAME') ? null : 'no record',
    );
    await fixture().setRecords(`*.${zone}`, [`CNAME ${recordOf(seen, 'CNAME')?.value}.`]);
    await eventually('each is Live, or told that there is no place', withinMs, async () => {
      const all = await domains();
      const [live, told] = [all.filter(isLive).length, all.filter(isTold).length];
      expectThat(
        told > 0 && live + told === hostnames.length,
        `${live} are Live, ${told} told, of ${hostnames.length}`,
      );
    });
    const { name = '', namespace = '' } = facts.routing.kind === 'Gateway' ? facts.routing : {};
    const gateway = await stage.kubectl.get<{ spec: { listeners: readonly unknown[] } }>('gateway', name, namespace);
    expect(gateway?.spec.listeners).toHaveLength(64);
    const waiting = (await domains()).filter(isTold).map(({ spec }) => spec.hostname);

    await publishDomain(stage, neighbour, other);
    const shown = await stage.domainWhere(neighbour, other, 'shows its record', (one) =>
      recordOf(one, 'CNAME') ? null : 'no record',
    );
    await fixture().setRecords(other, [`CNAME ${recordOf(shown, 'CNAME')?.value}.`]);
    await eventually('the other account is told, too', withinMs, async () => {
      expectThat(isTold(await stage.domain(neighbour, other)), 'not yet');
    });
    const served = hostnames.filter((one) => one !== www && !waiting.includes(one));
    // Its platform hostname has the other place.
    await keep([...served.slice(2), ...waiting]);
    await stage.domainWhere(neighbour, other, 'has the next place', inState('Live'));
    const live = (await domains()).filter(isLive).map(({ spec }) => spec.hostname);
    expect(waiting.filter((one) => live.includes(one))).toEqual([]);
    await keep(waiting);
    await eventually('all that are left are Live', withinMs, async () => {
      const all = await domains();
      const count = all.filter(isLive).length;
      expectThat(count === all.length && count === waiting.length + 1, `${count} of ${all.length}`);
    });
    expect((await fixture().ask(www)).status).toBe(200);
    for (const hostname of waiting) expect((await fixture().ask(hostname)).status).toBe(301);
  },
  900_000,
);
