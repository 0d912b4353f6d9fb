import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, Verdict } from '../../src/dns/verdict/dns-verdict.ts';
import { challengeName } from '../../src/rules/desired-records.ts';
import { takeCorner } from '../../dev/platform/address.ts';
import { startFaultyServer } from '../support/dns-servers/faulty-server.ts';
import { startKnot } from '../support/dns-servers/knot.ts';
import { startNsd } from '../support/dns-servers/nsd.ts';
import type { CorpusName } from './corpus-name.ts';
import { cnameDomain, corpusZones, ownershipValue, platformAddresses, target } from './corpus-zones.ts';
import { brokenServers } from './names/broken-servers.ts';
import { usualNames } from './names/usual-names.ts';

/** Names on real servers, each with the verdict that has to come out. Fails when any of them comes out otherwise. */

const names: readonly CorpusName[] = [...usualNames, ...brokenServers];
const hostnames = new Map<CorpusName, string>();
const stops: (() => Promise<unknown>)[] = [];
let check: (name: CorpusName) => Promise<DnsVerdict> = () => Promise.reject(new Error('not started'));

beforeAll(async () => {
  const corner = await takeCorner();
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-corpus-'));
  stops.push(() => {
    corner.release();
    rmSync(dir, { recursive: true, force: true });
    return Promise.resolve();
  });
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const range = corner.serviceRange.split('.').slice(0, 2).join('.');
  const at = {
    root: `${net}.10`,
    registry: [`${net}.11`, `${net}.12`] as const,
    knot: `${net}.20`,
    nsd: `${net}.30`,
    faulty: (number: number) => `${range}.${number >> 7}.${(number & 127) + 1}`,
  };
  const zones = corpusZones(names, at);
  const parts = await Promise.all([
    startKnot({ name: 'root', dir, addresses: [at.root], zones: zones.root }),
    startKnot({ name: 'registry', dir, addresses: at.registry, zones: zones.registry }),
    startKnot({ name: 'knot', dir, addresses: [at.knot], zones: zones.knot }),
    startNsd({ name: 'nsd', dir, addresses: [at.nsd], zones: zones.nsd }),
  ]);
  stops.unshift(...parts.map((part) => () => part.stop()));
  for (const { address, behind, faults } of zones.faulty)
    stops.unshift(await startFaultyServer(address, behind, faults));
  for (const [index, name] of names.entries()) hostnames.set(name, zones.hostnames[index] ?? '');
  const dns = createDnsChecker({ roots: [{ address: at.root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] });
  check = async (name) => {
    const hostname = hostnames.get(name) ?? '';
    const txtName = challengeName(hostname);
    const facts = await dns.check(
      { hostname, target, txtName, txtRequired: name.txtRequired ?? false, caa: true },
      new AbortController().signal,
    );
    return evaluateDns(facts, {
      hostname,
      target,
      cnameDomain,
      platformDomains: ['apps.platform.net'],
      platformAddresses,
      txt: txtName === null ? null : { name: txtName, value: ownershipValue },
      txtRequired: name.txtRequired ?? false,
      ca: { domains: ['ca.test'], accountUri: 'https://ca.test/acme/1', method: 'http-01', caaProfile: 'strict' },
    });
  };
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

const said = ({ verdict, code }: Verdict): string => (verdict === 'yes' ? 'yes' : `${verdict} ${code}`);

describe('the corpus', () => {
  it('names each of its names once', () => {
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
  });

  it.each(names.map((name) => [name.name, name] as const))('%s', async (_, name) => {
    const { routing, ownership, caa } = await check(name);
    const expected = { routing: name.routing, ownership: name.ownership, caa: name.caa };
    expect({ routing: said(routing), ownership: said(ownership), caa: said(caa) }).toEqual(expected);
  });
});
