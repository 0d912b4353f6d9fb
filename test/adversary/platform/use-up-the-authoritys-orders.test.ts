import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { OrderLimits } from '../../../dev/platform/ours.ts';
import { platformDomain } from '../../../dev/platform/ours.ts';
import { chartValues } from '../../../dev/platform/chart.ts';
import { kebabCase } from '../../../src/rules/kebab-case.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { actAs } from '../../support/actors.ts';
import type { OwnAttackPlatform } from '../../support/attack-platform.ts';
import { ownPlatform } from '../../support/attack-platform.ts';
import type { AuthorityOrders, TakenOrder } from '../../support/authority-orders.ts';
import { mostWithin, watchAuthorityOrders } from '../../support/authority-orders.ts';
import type { Customer } from '../../support/customers.ts';
import { customer, domainIs } from '../../support/customers.ts';
import { signedIn } from '../../support/dashboard.ts';
import { fromNow } from '../../support/from-now.ts';
import { leap } from '../../support/leap.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { startTwoFacedServer } from '../../support/two-faced-server.ts';

/**
 * Tenants use up what the authority grants, so that nobody else gets a certificate: one hoards domains of its own and
 * names below one registered domain, one lets its authorizations fail, one loses its certificate again and again. Held
 * off: the authority itself is never asked for more than its limits, and who comes next has its certificate before
 * those who waited longer.
 */

const orders = { count: 30, seconds: 120 };
const limits: OrderLimits = {
  ...chartValues().issuer.limits,
  orders,
  registeredDomain: { count: 4, seconds: 600 },
  exactSet: { count: 3, seconds: 600 },
};
/** All but what is kept for renewals, of which there are none here. */
const firstOrders = 24;
/** An account of plan business weighs four: it may have four times what it leaves. */
const hoardersShare = 20;

let attack: OwnAttackPlatform;
let authority: AuthorityOrders;
let hoarder: Customer;
let spoiler: Customer;
let loser: Customer;
let neighbour: Customer;
let twoFaced: { stop(): Promise<void> };
let hostileAddress: string;

const named = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));
const crowded = named(8, (index) => `n${index}.crowd.example`);
const hoarded = named(24, (index) => `www.hoard${index}.example`);
const spoilt = named(8, (index) => `www.spoilt${index}.example`);
const lost = 'www.lost.example';

beforeAll(async () => {
  attack = await ownPlatform({ orderLimits: limits });
  const { stage, facts } = attack;
  authority = watchAuthorityOrders(attack);
  hostileAddress = facts.ingressAddress.replace(/\d+$/, '9');
  twoFaced = await startTwoFacedServer(hostileAddress, facts.ingressAddress);
  [hoarder, spoiler, loser, neighbour] = await Promise.all([
    customer(stage, 'hoarder', 'business'),
    customer(stage, 'spoiler', 'pro'),
    customer(stage, 'loser', 'pro'),
    customer(stage, 'neighbour', 'pro'),
  ]);
}, platformDeadlineMs);

afterAll(async () => {
  await authority.stop();
  await twoFaced.stop();
  await attack.close();
}, platformDeadlineMs);

const zoneOf = (hostname: string): string => hostname.split('.').slice(1).join('.');

/** Adds hostnames with the right record each; redirects, as a project has one hostname only that shows it. */
async function addAll(who: Customer, hostnames: readonly string[]): Promise<void> {
  const zones = Map.groupBy(hostnames, zoneOf);
  for (const [zone, names] of zones) {
    const records = names.map((hostname) => `${hostname.split('.')[0]} CNAME ${who.target}.`);
    await attack.stage.putZone(zone, records.join('\n'));
  }
  const redirect = { role: 'redirect', redirect: { to: `${who.account}-shop.${platformDomain}` } };
  for (const hostname of hostnames) expect(await who.add(hostname, redirect)).toMatchObject({ status: 201 });
}

interface Waits {
  readonly hostname: string;
  readonly reason: string;
  readonly until: string | null;
}

/** Which of them wait, for what and until when, as REST shows it. */
async function waiting(who: Customer, hostnames: readonly string[]): Promise<readonly Waits[]> {
  const seen = await Promise.all(hostnames.map((hostname) => who.domain(hostname)));
  return seen.flatMap(({ body }) => {
    const waits = body.waits as Omit<Waits, 'hostname'> | null;
    return waits === null ? [] : [{ ...waits, hostname: String(body.hostname) }];
  });
}

const waitFor = (who: Customer, hostnames: readonly string[], reason: string, count: number) =>
  eventually(`${count} of ${who.account} wait for ${reason}`, 90_000, async () => {
    const all = await waiting(who, hostnames);
    const some = all.filter((waits) => waits.reason === kebabCase(reason));
    expectThat(some.length >= count, JSON.stringify(all));
    return some;
  });

const taken = async (hostnames: readonly string[]) =>
  (await authority.taken()).filter(({ hostname }) => hostname !== null && hostnames.includes(hostname));

interface SeenDomain {
  readonly status: {
    readonly certificate: { readonly waitsUntil: string };
    readonly conditions: readonly { type: string; status: string; reason: string; message: string }[];
  };
}

interface Told {
  readonly reason: string;
  /** what the object and REST say */
  readonly message: RegExp;
  /** what the dashboard says, in small letters */
  readonly page: RegExp;
}

/** That it waits, and until when, is told to whoever reads the object, asks REST or opens the dashboard. */
async function expectTold(who: Customer, hostname: string, { reason, message, page: shown }: Told): Promise<void> {
  const { body } = await domainIs(who, hostname, 'Verified', reason);
  const until = (body.waits as Waits).until ?? 'nobody knows';
  expect(body.message).toMatch(message);
  expect(Date.parse(until)).not.toBeNaN();
  const seen = await attack.kubectl.get<SeenDomain>('projectdomain', hostname, who.account);
  const condition = seen?.status.conditions.find(({ type }) => type === 'CertificateIssued');
  expect(condition).toMatchObject({ status: 'False', reason, message: expect.stringMatching(message) });
  expect(Date.parse(seen?.status.certificate.waitsUntil ?? '')).not.toBeNaN();
  const visit = await signedIn(attack.facts, who.account);
  const { body: page } = await visit(`/projects/shop/domains/${hostname}`);
  expect(page).toMatch(/not before <time datetime="[^"]+"[^>]*>/);
  expect(page.toLowerCase()).toMatch(shown);
}

describe('orders of the authority that a tenant takes all it can of', () => {
  it('names below one registered domain stop at its limit, and the others say until when', async () => {
    await addAll(hoarder, crowded);
    const [first] = await waitFor(hoarder, crowded, 'LedgerDomainFull', 4);
    await expectTold(hoarder, first?.hostname ?? '', {
      reason: 'LedgerDomainFull',
      message: /below the same registered domain/,
      page: /your domain and its subdomains have had as many certificates/,
    });
    expect((await taken(crowded)).length).toBeLessThanOrEqual(4);
  }, 200_000);

  it('names of its own stop at the share of its account, and the others say until when', async () => {
    await addAll(hoarder, hoarded);
    const [first] = await waitFor(hoarder, hoarded, 'LedgerShareUsed', 1);
    await expectTold(hoarder, first?.hostname ?? '', {
      reason: 'LedgerShareUsed',
      message: /share of the authority's orders/,
      page: /used its share of the certificates/,
    });
  }, 200_000);

  it('a neighbour that comes afterwards is Live, and had its turn while those that came before still waited', async () => {
    await attack.stage.putZone('neighbour.example', `www CNAME ${neighbour.target}.`);
    await neighbour.add('www.neighbour.example');
    await domainIs(neighbour, 'www.neighbour.example', 'Live');
    await attack.stage.answers('www.neighbour.example', 'neighbour-web');
    const before = await eventually('its order is known', 20_000, async () => {
      const names = (await authority.taken()).map((order) => order.hostname);
      expect(names).toContain('www.neighbour.example');
      return names.slice(0, names.indexOf('www.neighbour.example'));
    });
    expect(hoarded.filter((hostname) => !before.includes(hostname)).length).toBeGreaterThan(0);
  }, 200_000);
});

interface Ledger {
  readonly spec: {
    readonly orders?: readonly { readonly request: string; readonly at: string; readonly state: string }[];
  };
}

/** Leaps of our clocks, and when they began. */
const leaps: { readonly at: number; readonly ms: number }[] = [];

async function leapOn(ms: number): Promise<void> {
  leaps.push({ at: fromNow(0), ms });
  await leap(attack.facts, ms);
}

const ledger = () => attack.kubectl.get<Ledger>('orderledger', 'pebble');

describe('an operator that is restarted', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['knows what was ordered', () => Promise.resolve()],
    [
      'knows it from the claims when the ledger was deleted meanwhile',
      () => attack.kubectl.run(['delete', 'orderledger', 'pebble']),
    ],
  ])(
    '%s',
    async (_, meanwhile) => {
      await attack.platform.ours('operator')?.stop();
      const before = await ledger();
      expect(before?.spec.orders).not.toHaveLength(0);
      await meanwhile();
      await attack.platform.restart('operator');
      await eventually('the ledger holds what is in the window', 90_000, async () => {
        const after = await ledger();
        expectThat(after !== null, 'there is no ledger');
        const oldest = fromNow(-orders.seconds * 1_000);
        const missing = (before?.spec.orders ?? []).filter(
          ({ request, at, state }) =>
            state !== 'Granted' &&
            Date.parse(at) > oldest &&
            !after.spec.orders?.some((order) => order.request === request),
        );
        expectThat(missing.length === 0, JSON.stringify(missing));
      });
    },
    200_000,
  );

  it('goes on with those who waited, as the window moves and nobody asks anew', async () => {
    await eventually('all names of its own were ordered', 200_000, async () => {
      await leapOn(1_000);
      const { length } = await taken(hoarded);
      expectThat(length === hoarded.length, `${length} orders`);
    });
  }, 300_000);
});

/** Leads to the two-faced server whatever the authority is about to look at, from its challenge on, until it is ended. */
function spoil(): { end(): Promise<void> } {
  const { kubectl, kubeconfig } = attack.facts;
  const watched = ['get', 'challenges.acme.cert-manager.io', '-n', 'spoiler', '--watch'];
  const args = ['--kubeconfig', kubeconfig, ...watched, '-o', 'jsonpath={.spec.dnsName}{"\\n"}'];
  const child = spawn(kubectl, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const spoiling = (async () => {
    for await (const name of createInterface({ input: child.stdout }))
      if (name !== '') await attack.stage.putZone(zoneOf(name), `www A ${hostileAddress}`);
  })();
  return {
    async end() {
      child.kill();
      await spoiling;
    },
  };
}

describe('authorizations that a tenant lets fail', () => {
  it('cost one order a name, and the name says how long it pauses', async () => {
    const spoiling = spoil();
    try {
      await addAll(spoiler, spoilt);
      await eventually('two orders failed at the authority', 120_000, async () => {
        const { length } = (await taken(spoilt)).filter((order) => order.failed);
        expectThat(length >= 2, `${length} failed`);
      });
    } finally {
      await spoiling.end();
    }
    const failed = (await taken(spoilt)).filter((order) => order.failed);
    const hostname = failed[0]?.hostname ?? '';
    await attack.stage.putZone(zoneOf(hostname), `www CNAME ${spoiler.target}.`);
    const [waits] = await waitFor(spoiler, [hostname], 'IssuanceLimited', 1);
    expect(Date.parse(waits?.until ?? '')).not.toBeNaN();
  }, 300_000);

  it('are not forgotten when the name is removed and added again', async () => {
    const [failed] = (await taken(spoilt)).filter((order) => order.failed);
    const hostname = failed?.hostname ?? '';
    expect([202, 204]).toContain((await spoiler.remove(hostname)).status);
    await eventually('the name is free to be added', 60_000, async () => {
      const { status } = await spoiler.domain(hostname);
      expectThat(status === 404, `status ${status}`);
    });
    await addAll(spoiler, [hostname]);
    await expectTold(spoiler, hostname, { reason: 'IssuanceLimited', message: /failed/, page: /failed/ });
    expect(await taken([hostname])).toHaveLength(1);
  }, 200_000);
});

const secret = childName(lost);

const certificateOfLost = () =>
  eventually('the certificate is there', 180_000, async () => {
    const ready = await attack.kubectl.run([
      'get',
      'certificate',
      secret,
      '-n',
      'loser',
      '-o',
      'jsonpath={.status.conditions[?(@.type=="Ready")].status}',
    ]);
    const found = await attack.kubectl.get('secret', secret, 'loser');
    expectThat(ready === 'True' && found !== null, `ready ${ready}`);
  });

describe('a certificate that is lost again and again', () => {
  it('is not lost by its tenant: it may not delete the Secret', async () => {
    const { kubectl } = attack;
    const tenant = { user: 'loser-tenant' };
    await kubectl.run([
      'create',
      'rolebinding',
      'tenant',
      '--clusterrole=edit',
      `--user=${tenant.user}`,
      '-n',
      'loser',
    ]);
    await addAll(loser, [lost]);
    await certificateOfLost();
    await eventually('the tenant has its rights, and is refused', 30_000, () =>
      expect(kubectl.run([...actAs(tenant), 'delete', 'secret', secret, '-n', 'loser'])).rejects.toThrow(
        /ValidatingAdmissionPolicy/,
      ),
    );
  }, 300_000);

  it('by anybody else is issued as often as the authority allows for one name, then waits and says until when', async () => {
    for (let times = 1; times < limits.exactSet.count; times += 1) {
      await attack.kubectl.run(['delete', 'secret', secret, '-n', 'loser']);
      await eventually('it is ordered again', 180_000, async () => {
        const { length } = await taken([lost]);
        expectThat(length === times + 1, `${length} orders`);
      });
      await certificateOfLost();
    }
    await attack.kubectl.run(['delete', 'secret', secret, '-n', 'loser']);
    const [waits] = await waitFor(loser, [lost], 'LedgerNameFull', 1);
    expect(Date.parse(waits?.until ?? '')).not.toBeNaN();
    expect(await taken([lost])).toHaveLength(limits.exactSet.count);
  }, 600_000);
});

/** Our clocks leapt, and the authority's did not: its orders with their times by ours. */
const byOurClocks = (taken: readonly TakenOrder[]): readonly TakenOrder[] =>
  taken.map((order) => {
    // Its log has whole seconds.
    const before = leaps.filter(({ at }) => at < order.at + 1_000);
    return { ...order, at: order.at + before.reduce((sum, { ms }) => sum + ms, 0) };
  });

describe('the authority', () => {
  it('was never asked for more than its limits, whoever asked', async () => {
    const all = byOurClocks(await authority.taken());
    const of = (hostnames: readonly string[]) =>
      all.filter(({ hostname }) => hostname !== null && hostnames.includes(hostname));
    const report = {
      total: all.length,
      unnamed: all.filter(({ hostname }) => hostname === null).length,
      window: mostWithin(all, orders.seconds),
      hoarder: mostWithin(of([...crowded, ...hoarded]), orders.seconds),
      crowded: of(crowded).length,
      spoilt: spoilt.map((hostname) => of([hostname]).length),
      lost: of([lost]).length,
    };
    expect(report.unnamed).toBe(0);
    // Else its windows would not have been tried.
    expect(report.total).toBeGreaterThan(orders.count);
    expect(report.window).toBeLessThanOrEqual(firstOrders);
    expect(report.hoarder).toBeLessThanOrEqual(hoardersShare);
    expect(report.crowded).toBeLessThanOrEqual(limits.registeredDomain.count);
    expect(Math.max(...report.spoilt)).toBe(1);
    expect(report.lost).toBe(limits.exactSet.count);
  });
});
