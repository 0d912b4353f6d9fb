import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { platformDomain } from '../../../dev/platform/ours.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { caDomain } from '../../../dev/platform/services.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { AuthorityOrders, TakenOrder } from '../../support/authority-orders.ts';
import { watchAuthorityOrders } from '../../support/authority-orders.ts';
import type { Customer } from '../../support/customers.ts';
import { customer, domainIs } from '../../support/customers.ts';
import type { Faults } from '../../support/dns-servers/faulty-server.ts';
import { startFaultyServer } from '../../support/dns-servers/faulty-server.ts';
import { startKnot } from '../../support/dns-servers/knot.ts';
import { startNsd } from '../../support/dns-servers/nsd.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/**
 * Names whose records let nobody order: the authority is never asked, by its own log, although the operator checks them
 * again and again; and it is asked once the records are mended, so nothing else stood in the way.
 */

interface RefusedName {
  readonly why: string;
  readonly zone: string;
  /** what Knot and NSD serve */
  readonly lines: { readonly knot: readonly string[]; readonly nsd: readonly string[] };
  /** NSD is reached through a server with these faults */
  readonly faults?: Faults;
  /** the state it stays in, and what Ready or CertificateIssued says */
  readonly stays: { readonly state: string; readonly reason: string };
}

const right = ['www CNAME @target@'];
const same = (...lines: string[]) => ({ knot: [...right, ...lines], nsd: [...right, ...lines] });
const permitted = `@ CAA 0 issue "${caDomain}"`;

const names: readonly RefusedName[] = [
  {
    why: 'CAA names another authority',
    zone: 'caa-other.example',
    lines: same('@ CAA 0 issue "other.example"'),
    stays: { state: 'Verified', reason: 'CaaForbidsAuthority' },
  },
  {
    why: 'CAA names another account of the authority',
    zone: 'caa-account.example',
    lines: same(`@ CAA 0 issue "${caDomain}; accounturi=https://${caDomain}/other"`),
    stays: { state: 'Verified', reason: 'CaaForbidsAccount' },
  },
  {
    why: 'CAA has an unknown property that is critical',
    zone: 'caa-critical.example',
    lines: same(permitted, '@ CAA 128 unheard "of"'),
    stays: { state: 'Verified', reason: 'CaaCriticalUnknown' },
  },
  {
    why: 'the servers disagree about CAA',
    zone: 'caa-differs.example',
    lines: { knot: [...right, permitted], nsd: [...right, '@ CAA 0 issue ";"'] },
    stays: { state: 'Verified', reason: 'CAAUnknown' },
  },
  {
    why: 'the servers disagree about the CNAME',
    zone: 'cname-differs.example',
    lines: { knot: right, nsd: ['www CNAME elsewhere.example.'] },
    stays: { state: 'Unverified', reason: 'ServersDisagree' },
  },
  {
    why: 'only one of two servers answers',
    zone: 'one-alone.example',
    lines: same(),
    faults: { types: { '*': 'SERVFAIL' } },
    stays: { state: 'Unverified', reason: 'OneServerAlone' },
  },
];

const hostnameOf = ({ zone }: RefusedName): string => `www.${zone}`;
const allowed = 'www.allowed.example';
const later = 'www.later.example';
/** checks of every name that a verdict is to hold for */
const checksWaitedFor = 3;

let dir: string;
let platform: Platform;
let stage: Stage;
let authority: AuthorityOrders;
let owner: Customer;
let servers: readonly Part[] = [];
let stopFaulty: readonly (() => Promise<void>)[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-orders-'));
  platform = await testPlatform(true);
  stage = testStage(platform, 90_000);
  authority = watchAuthorityOrders(platform);
  owner = await customer(stage, 'owner', 'business');
}, platformDeadlineMs);

afterAll(async () => {
  await authority.stop();
  await stage.close();
  await Promise.all([...servers.map((server) => server.stop()), ...stopFaulty.map((stop) => stop())]);
  await platform.stop();
  rmSync(dir, { recursive: true, force: true });
}, platformDeadlineMs);

const at = (host: number): string => platform.facts.ingressAddress.replace(/\d+$/, String(host));

/** Serves all zones at two servers each and delegates them there. */
async function serveRefused(): Promise<void> {
  const [knot, nsd] = [at(21), at(22)];
  const faulty = names.filter(({ faults }) => faults !== undefined);
  const second = (name: RefusedName) => (faulty.includes(name) ? at(31 + faulty.indexOf(name)) : nsd);
  const zones = (server: 'knot' | 'nsd') =>
    names.map((name) => {
      const own = ['@ NS ns1', '@ NS ns2', `ns1 A ${knot}`, `ns2 A ${second(name)}`];
      const lines = name.lines[server].map((line) => line.replace('@target@', `${owner.target}.`));
      return { apex: name.zone, lines: [...own, ...lines] };
    });
  servers = await Promise.all([
    startKnot({ name: 'knot', dir, addresses: [knot], zones: zones('knot') }),
    startNsd({ name: 'nsd', dir, addresses: [nsd], zones: zones('nsd') }),
  ]);
  stopFaulty = await Promise.all(
    faulty.map(({ faults = {} }, index) => startFaultyServer(at(31 + index), nsd, faults)),
  );
  for (const name of names) platform.dns.delegate(name.zone, [knot, second(name)]);
}

/** Serves the right record, and nothing else, by the platform's DNS, which the authority's resolver reads too. */
async function mend({ zone }: RefusedName): Promise<void> {
  await stage.putZone(zone, `www CNAME ${owner.target}.`);
  platform.dns.endDelegation(zone);
}

const redirect = { role: 'redirect', redirect: { to: `owner-shop.${platformDomain}` } };

/** Those whose hostname is not known are among them. */
async function ordersOf(hostnames: readonly string[]): Promise<readonly TakenOrder[]> {
  const orders = await authority.taken();
  return orders.filter(({ hostname }) => hostname === null || hostnames.includes(hostname));
}

/** Such as `www.example.com, revision 1`. */
const described = (orders: readonly TakenOrder[]): readonly string[] =>
  orders.map(({ hostname, revision }) => `${hostname}, revision ${revision}`).sort();

async function checkedAt(hostname: string): Promise<string> {
  const seen = await stage.domain(owner.account, hostname);
  return seen.status?.check?.checkedAt ?? '';
}

/** Waits until the operator has checked a name so many times more. */
async function checkedAgain(hostname: string, times: number): Promise<void> {
  const seen = new Set([await checkedAt(hostname)]);
  await eventually(`${hostname} is checked ${times} times more`, 120_000, async () => {
    await owner.verify(hostname);
    seen.add(await checkedAt(hostname));
    expectThat(seen.size > times, `${seen.size - 1} checks`);
  });
}

describe('names whose records let nobody order', () => {
  it('are all added, beside one that is right', async () => {
    await serveRefused();
    await stage.putZone('allowed.example', `www CNAME ${owner.target}.`);
    for (const hostname of [...names.map(hostnameOf), allowed])
      expect(await owner.add(hostname, redirect)).toMatchObject({ status: 201 });
    await domainIs(owner, allowed, 'Live');
  }, 120_000);

  it.each(names.map((name) => [name.why, name] as const))(
    '%s: says so and stays as it is over several checks',
    async (_, name) => {
      const hostname = hostnameOf(name);
      await domainIs(owner, hostname, name.stays.state, name.stays.reason);
      await checkedAgain(hostname, checksWaitedFor);
      await domainIs(owner, hostname, name.stays.state, name.stays.reason);
    },
    180_000,
  );

  it('the authority was asked for the one that is right and for none of them', async () => {
    // What their checks let be ordered is ordered before this one, which is added after them.
    await stage.putZone('later.example', `www CNAME ${owner.target}.`);
    expect(await owner.add(later, redirect)).toMatchObject({ status: 201 });
    await domainIs(owner, later, 'Live');
    const ordered = await ordersOf([...names.map(hostnameOf), allowed, later]);
    expect(described(ordered)).toEqual([allowed, later].map((hostname) => `${hostname}, revision 1`));
  }, 120_000);

  it('are Live, each by one order, once their records are mended', async () => {
    for (const name of names) {
      await mend(name);
      await owner.verify(hostnameOf(name));
      await domainIs(owner, hostnameOf(name), 'Live');
    }
    // cert-manager asks for revision 2 at once where it sees its Certificate before the Secret that it has just written.
    const ordered = (await ordersOf(names.map(hostnameOf))).filter(({ revision }) => revision !== 2);
    expect(described(ordered)).toEqual(names.map((name) => `${hostnameOf(name)}, revision 1`).sort());
  }, 300_000);
});
