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
let customers: Part;

const at = (host: number) => ({ address: `${net}.${host}`, port: 53 });
const [first, second, silent, refusing] = [40, 41, 42, 43];

beforeAll(async () => {
  await dnsServerProgram('kzonesign');
  const corner = await takeCorner();
  net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const addresses = { root: at(10).address, registry: at(11).address, customers: [at(20).address, at(30).address] } as const;
  hierarchy = await signedHierarchy(dir, signedNames, addresses);
  const resolver = { dir, rootAddress: addresses.root, trustAnchor: hierarchy.trustAnchor };
  const parts = await Promise.all([
    startKnot({ name: 'root', dir, addresses: [addresses.root], zones: hierarchy.root }),
    startKnot({ name: 'registry', dir, addresses: [addresses.registry], zones: hierarchy.registry }),
    startNsd({ name: 'nsd', dir, addresses: [addresses.customers[1]], zones: hierarchy.customers }),
  ]);
  customers = await startKnot({ name: 'knot', dir, addresses: [addresses.customers[0]], zones: hierarchy.customers });
  const resolvers = await Promise.all(
    [first, second].map((host) => startUnbound({ ...resolver, name: `unbound-${host}`, address: at(host).address })),
  );
  stops.push(await startFaultyServer(at(refusing).address, at(first).address, { types: { '*': 'REFUSED' } }));
  stops.push(...[...parts, customers, ...resolvers].map((part) => () => part.stop()), () => corner.release());
}, 120_000);

afterAll(async () => {
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
