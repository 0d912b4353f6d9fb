import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns, DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import { challengeName } from '../../../src/rules/desired-records.ts';
import { startFaultyServer } from '../../support/dns-servers/faulty-server.ts';
import { startKnot } from '../../support/dns-servers/knot.ts';
import { startNsd } from '../../support/dns-servers/nsd.ts';
import { dnsServerProgram } from '../../support/dns-servers/programs.ts';
import { startUnbound } from '../../support/dns-servers/unbound.ts';
import type { ZoneFile } from '../../support/dns-servers/zone-file.ts';
import { cnameDomain, ownershipValue, platformAddresses, target } from '../platform.ts';
import type { BuiltZones, SignedName } from './signed-name.ts';
import { signedNames } from './signed-names.ts';
import type { SignedHierarchy } from './signed-zones.ts';
import { signedHierarchy } from './signed-zones.ts';

/** Zones signed by Knot, right and broken, and what becomes of the verdicts when two Unbounds validate them. */

const permitted = ['127.0.0.0/8'];
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-dnssec-'));
const stops: (() => Promise<void> | void)[] = [];
let hierarchy: SignedHierarchy;
let net = '';
let customers: readonly Part[] = [];

const at = (host: number) => ({ address: `${net}.${host}`, port: 53 });
const [first, second, silent, refusing, misled, misledToo, fresh] = [40, 41, 42, 43, 44, 45, 46];
/** of a root that does not exist: whoever has it calls everything bogus */
const wrongAnchor = `. DS 1 13 2 ${'AB'.repeat(32)}`;
const wronglyConfigured: readonly number[] = [misled, misledToo];

beforeAll(async () => {
  await dnsServerProgram('kzonesign');
  const corner = await takeCorner();
  net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const addresses = {
    root: at(10).address,
    registry: at(11).address,
    customers: [at(20).address, at(30).address],
  } as const;
  hierarchy = await signedHierarchy(dir, signedNames, addresses);
  const parts = await Promise.all([
    startKnot({ name: 'root', dir, addresses: [addresses.root], zones: hierarchy.root }),
    startKnot({ name: 'registry', dir, addresses: [addresses.registry], zones: hierarchy.registry }),
  ]);
  await serve(hierarchy.customers);
  const resolvers = await Promise.all([first, second, misled, misledToo].map(startResolver));
  stops.push(await startFaultyServer(at(refusing).address, at(first).address, { types: { '*': 'REFUSED' } }));
  stops.push(...[...parts, ...resolvers].map((part) => () => part.stop()), () => corner.release());
}, 120_000);

/** Replaces what the customers' servers serve. */
async function serve(zones: readonly ZoneFile[]): Promise<void> {
  await Promise.all(customers.map((part) => part.stop()));
  customers = await Promise.all([
    startKnot({ name: 'knot', dir, addresses: [at(20).address], zones }),
    startNsd({ name: 'nsd', dir, addresses: [at(30).address], zones }),
  ]);
}

const startResolver = (host: number): Promise<Part> => {
  const trustAnchor = wronglyConfigured.includes(host) ? wrongAnchor : hierarchy.trustAnchor;
  return startUnbound({
    name: `unbound-${host}`,
    dir,
    address: at(host).address,
    rootAddress: at(10).address,
    trustAnchor,
  });
};

afterAll(async () => {
  await Promise.all(customers.map((part) => part.stop()));
  for (const stop of stops) await stop();
  rmSync(dir, { recursive: true, force: true });
});

const builtOf = (name: SignedName): BuiltZones => {
  const built = hierarchy.zones.get(name);
  if (!built) throw new Error(`${name.name} has no zones`);
  return built;
};

async function check(
  name: SignedName,
  resolvers: readonly number[],
  changes: Partial<DesiredDns> = {},
): Promise<DnsVerdict> {
  const hostname = `${name.host ?? 'www'}.${builtOf(name).apex}`;
  const txtName = challengeName(hostname) ?? '';
  const dns = createDnsChecker({ roots: [at(10)], resolvers: resolvers.map(at), permitted });
  const request = { hostname, target, txtName, txtRequired: false, caa: true, dnssec: { platformAddresses } };
  const facts = await dns.check(request, new AbortController().signal);
  return evaluateDns(facts, {
    hostname,
    target,
    cnameDomain,
    platformDomains: ['apps.platform.net'],
    platformAddresses,
    txt: { name: txtName, value: ownershipValue },
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
    ...changes,
  });
}

const said = ({ routing, ownership, caa }: DnsVerdict) =>
  [routing, ownership, caa].map(({ verdict, code }) => (verdict === 'yes' ? 'yes' : code));

const named = (name: string): SignedName => {
  const found = signedNames.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

describe('names in zones with DNSSEC', () => {
  it.each(signedNames.map((name) => [name.name, name] as const))('%s', async (_, name) => {
    const verdict = await check(name, [first, second]);
    expect(said(verdict)).toEqual([name.expected, name.expected, name.expected]);
    expect(verdict.dnssec).toBe(name.expected === 'yes' ? 'Valid' : 'Bogus');
    expect(verdict.issues).toHaveLength(name.expected === 'yes' ? 0 : 1);
    const [issue] = verdict.issues;
    for (const words of name.says?.(builtOf(name)) ?? []) expect(`${issue?.message}; ${issue?.fix}`).toContain(words);
  });
});

describe('resolvers that call everything bogus', () => {
  it.each(signedNames.map((name) => [name.name, name] as const))(
    'are believed, and no fault is told that a zone does not have: %s',
    async (_, name) => {
      const verdict = await check(name, wronglyConfigured);
      expect(said(verdict)).toEqual(['DnssecBogus', 'DnssecBogus', 'DnssecBogus']);
      const [issue] = verdict.issues;
      if (name.expected === 'yes') expect(issue?.params.fault).toBe('Refused');
    },
  );
});

describe('resolvers that cannot tell', () => {
  const broken = 'a DS record of another key';
  const rows: readonly (readonly [string, readonly number[], string, 'yes' | 'DnssecBogus', boolean])[] = [
    ['none', [], broken, 'yes', false],
    ['only one, as bogus needs two', [first], broken, 'yes', true],
    ['one, beside a silent one', [first, silent], broken, 'yes', true],
    ['one, beside one that refuses', [first, refusing], broken, 'yes', true],
    ['two silent ones', [silent, silent + 100], broken, 'yes', true],
    ['one that is wrong, beside one that is right', [misled, first], 'a signed zone', 'yes', true],
    ['one that refuses, beside one that validates', [refusing, first], 'a signed zone', 'yes', false],
    ['a silent one, with two others behind it', [silent, refusing, first, second], broken, 'DnssecBogus', true],
    ['one that is wrong, with two others behind it', [misled, first, second], 'a signed zone', 'yes', true],
  ];
  it.each(rows)('%s', async (_, resolvers, name, expected, warns) => {
    const verdict = await check(named(name), resolvers);
    expect(said(verdict)).toEqual([expected, expected, expected]);
    const codes = verdict.issues.map(({ code }) => code);
    expect(codes).toEqual(expected === 'DnssecBogus' ? [expected] : warns ? ['DnssecUnchecked'] : []);
  });

  it('are not asked about a hostname that does not lead here, as they would keep the negative answer', async () => {
    const hostname = `nothing.${builtOf(named('a signed zone')).apex}`;
    const dns = createDnsChecker({ roots: [at(10)], resolvers: [at(first), at(second)], permitted });
    const request = { hostname, target, txtName: null, txtRequired: false, caa: true, dnssec: { platformAddresses } };
    const { asked, dnssec } = await dns.check(request, new AbortController().signal);
    expect(dnssec).toBeUndefined();
    expect(asked.map(({ server }) => server).filter((server) => server === at(first).address)).toEqual([]);
  });
});

describe('a zone that was mended', () => {
  const name = named('no signature at the hostname');

  it('is vetoed for as long as resolvers keep what they had, and the customer is told of that', async () => {
    expect(await check(name, [first, second])).toMatchObject({ dnssec: 'Bogus' });
    const { apex, signed } = builtOf(name);
    const lines = signed.get(apex)?.file.lines.map((line) => line.replace('{target}', `${target}.`)) ?? [];
    await serve(hierarchy.customers.map((zone) => (zone.apex === apex ? { ...zone, lines } : zone)));
    const soon = await check(name, [first, second]);
    expect(soon).toMatchObject({ dnssec: 'Bogus', routing: { verdict: 'unknown' } });
    expect(soon.issues[0]?.message).toContain('they still have what was there before');
    const anew = await startResolver(fresh);
    stops.push(() => anew.stop());
    expect(said(await check(name, [fresh, silent]))).toEqual(['yes', 'yes', 'yes']);
  });
});
