import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import { createPki } from '../../../dev/platform/pki.ts';
import type { Part } from '../../../dev/platform/process.ts';
import type { Dns } from '../../../src/dns/dns-facts.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { parseEndpoint } from '../../../src/dns/wire/dns-endpoint.ts';
import { createVantageDns } from '../../../src/dns/vantage/vantage-dns.ts';
import { createVantagePoint } from '../../../src/dns/vantage/vantage-point.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { startKnot } from '../../support/dns-servers/knot.ts';
import { fullCheck, hostname, target } from '../../support/vantage.ts';
import type { VantageProcess } from '../../support/vantage-process.ts';
import { startVantage } from '../../support/vantage-process.ts';

/**
 * Somebody announces the network of a customer's name servers, and one place on the Internet believes it: there, other
 * servers answer. Each place has a hierarchy of real servers of its own here, the same but for the customer's; the
 * vantage points are real processes.
 */

const evilTarget = 'p-evil.cname.apps.example.net';

let corner: Corner;
let dir: string;
const parts: Part[] = [];
let honest: VantageProcess;
let hijacked: VantageProcess;
let [honestRoot, hijackedRoot] = ['', ''];

beforeAll(async () => {
  corner = await takeCorner();
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-hijack-'));
  const pki = createPki(join(dir, 'pki'));
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  [honestRoot, hijackedRoot] = [`${net}.10`, `${net}.20`];
  await startHierarchy('honest', net, 10, target);
  await startHierarchy('hijacked', net, 20, evilTarget);
  honest = await startVantage({ name: 'frankfurt', dir, pki, root: honestRoot });
  hijacked = await startVantage({ name: 'singapore', dir, pki, root: hijackedRoot });
  parts.push(honest.part, hijacked.part);
}, 120_000);

afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  corner.release();
  rmSync(dir, { recursive: true, force: true });
});

/** Root, registry and the customer's two servers, on Knot, as one place reaches them. */
async function startHierarchy(name: string, net: string, first: number, leadsTo: string): Promise<void> {
  const [root, registry, ns1, ns2] = [0, 1, 2, 3].map((number) => `${net}.${first + number}`) as [
    string,
    string,
    string,
    string,
  ];
  const delegation = ['NS ns1', 'NS ns2'];
  const below = (apex: string) => ({
    apex,
    lines: [
      '@ NS a.gtld.net.',
      ...(apex === 'net' ? [`a.gtld A ${registry}`] : []),
      ...delegation.map((ns) => `example ${ns}.example.${apex}.`),
      `ns1.example A ${ns1}`,
      `ns2.example A ${ns2}`,
    ],
  });
  const own = (apex: string, lines: readonly string[]) => ({
    apex,
    lines: [...delegation.map((ns) => `@ ${ns}`), `ns1 A ${ns1}`, `ns2 A ${ns2}`, ...lines],
  });
  const toRegistry = ['com. NS a.gtld.net.', 'net. NS a.gtld.net.', `a.gtld.net. A ${registry}`];
  const rootZone = { apex: '', lines: ['@ NS a.root.', `a.root. A ${root}`, ...toRegistry] };
  const customer = own('example.com', [`www CNAME ${leadsTo}.`]);
  const platform = own('example.net', ['*.cname.apps A 203.0.113.10']);
  parts.push(
    await startKnot({ name: `${name}-root`, dir, addresses: [root], zones: [rootZone] }),
    await startKnot({ name: `${name}-registry`, dir, addresses: [registry], zones: [below('com'), below('net')] }),
    await startKnot({ name: `${name}-servers`, dir, addresses: [ns1, ns2], zones: [customer, platform] }),
  );
}

const dnsAt = (root: string): Dns =>
  createDnsChecker({ roots: [parseEndpoint(root)], resolvers: [], permitted: ['127.0.0.0/8'] });

/** The verdict for a project with this target, from here and from other places. */
async function look(ours: string, root: string, remote: readonly VantageProcess[]): Promise<DnsVerdict> {
  const points = remote.map(({ point }, index) => createVantagePoint({ ...point, name: `${point.name}-${index}` }));
  const dns = createVantageDns({ local: dnsAt(root), points });
  const facts = await dns.check({ ...fullCheck, target: ours }, new AbortController().signal);
  return evaluateDns(facts, {
    hostname,
    target: ours,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [],
    txt: null,
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
  });
}

const shown = ({ routing, corroborated }: DnsVerdict) => [routing.verdict, routing.code, corroborated];

/** Fails when what one place alone is made to see is proof. */
describe('whoever leads one place to other name servers', () => {
  it('would have a proof there, if that were the only place', async () => {
    expect(shown(await look(evilTarget, hijackedRoot, []))).toEqual(['yes', 'Verified', true]);
  });

  it('has none while another place sees the customer’s own servers', async () => {
    for (const [root, other] of [[hijackedRoot, honest] as const, [honestRoot, hijacked] as const]) {
      const verdict = await look(evilTarget, root, [other]);
      expect(shown(verdict)).toEqual(['unknown', 'VantagePointsDisagree', false]);
      expect(verdict.issues[0]?.message).toMatch(/here: \w+, CNAME p-\w+.*; (frankfurt|singapore)-0: \w+, CNAME p-/);
    }
  });

  it('is told no where two places see the customer’s own servers', async () => {
    expect(shown(await look(evilTarget, hijackedRoot, [honest, honest]))[0]).toBe('no');
  });

  it('takes nothing from the customer, neither of two places nor of three', async () => {
    expect(shown(await look(target, honestRoot, [hijacked]))).toEqual(['unknown', 'VantagePointsDisagree', false]);
    const verdict = await look(target, honestRoot, [honest, hijacked]);
    expect(shown(verdict)).toEqual(['yes', 'Verified', true]);
    expect(verdict.issues.map(({ code }) => code)).toEqual(['VantagePointsDisagree']);
  });
});

describe('places that see the same', () => {
  it('say yes together, CAA too, and one of them may be away where there are three', async () => {
    const { routing, ownership, caa, corroborated, issues } = await look(target, honestRoot, [honest]);
    expect([routing.verdict, ownership.verdict, caa.verdict, corroborated]).toEqual(['yes', 'yes', 'yes', true]);
    expect(issues).toEqual([]);
    const away = { ...honest, point: { ...honest.point, name: 'away', url: 'https://localhost:1' } };
    expect(shown(await look(target, honestRoot, [honest, away]))).toEqual(['yes', 'Verified', true]);
    expect(shown(await look(target, honestRoot, [away]))).toEqual(['unknown', 'VantagePointSilent', false]);
  });
});

describe('the process', () => {
  it('counts what it answers', async () => {
    await look(target, honestRoot, [honest]);
    const text = await fetch(`http://${honest.metricsAddress}/metrics`).then((response) => response.text());
    expect(text).toMatch(/projectdomain_vantage_requests_total\{status="200"\} \d+/);
    expect(text).toMatch(/projectdomain_ready\{process="vantage"\} 1/);
  });

  it('takes a new token without a restart, and the old one no longer', async () => {
    writeFileSync(honest.tokenFile, 'the-next-token-of-thirty-two-characters-or-more\n');
    await eventually('the old token is refused', 30_000, async () => {
      const { routing } = await look(target, honestRoot, [honest]);
      expectThat(routing.code === 'VantagePointSilent', `it is ${routing.code}`);
    });
    writeFileSync(honest.point.tokenFile, 'the-next-token-of-thirty-two-characters-or-more\n');
    expect(shown(await look(target, honestRoot, [honest]))).toEqual(['yes', 'Verified', true]);
  });

  it('ends when it is told to', async () => {
    hijacked.part.signal('SIGTERM');
    await eventually('it has ended', 20_000, () =>
      Promise.resolve(expectThat(hijacked.part.exitStatus() === 0, `its status is ${hijacked.part.exitStatus()}`)),
    );
  });
});
