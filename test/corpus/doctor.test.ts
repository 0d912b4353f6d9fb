import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeProjectDomain } from '../../src/controllers/project-domain/observe-project-domain.ts';
import type { ControllerNeeds } from '../../src/controllers/controllers.ts';
import { checkerOptions, createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { issuerIdentity } from '../../src/dns/verdict/desired-dns.ts';
import type { DnsVerdict, Verdict } from '../../src/dns/verdict/dns-verdict.ts';
import type { OperatorConfig } from '../../src/operator/config.ts';
import { operatorConfig } from '../support/process-configs.ts';
import { accountsWith, orderLimits, domain, settings, snapshot } from '../support/snapshot.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { inParallel, startCorpus } from './corpus-servers.ts';
import { no, unknown, unproven, withCaa, yes } from './names/expected.ts';
import { cnameDomain, ownershipValue, platformAddresses, target } from './platform.ts';

/**
 * The doctor with the operator's configuration says what the operator says: the same names, by the command as a process
 * and by the operator's own observation, on real servers. Fails when either of them builds what DNS should be, or the
 * check itself, in a way of its own.
 */

const accountUri = 'https://ca.test/acme/1';
const proof = '_projectdomain-challenge.www TXT {right}';
const www = { host: 'www', why: 'the doctor says what the operator says' } as const;
const privateServer = { program: 'knot', named: 'ns.{apex}', glue: ['10.11.12.13'] } as const;

/** `txtRequired`: another account proved the name. */
const names: readonly (CorpusName & { readonly requireTxt?: true })[] = [
  { ...www, name: 'the exact target', zone: ['www CNAME {target}'], ...yes },
  {
    ...www,
    name: "the platform's own hostname, with the record",
    zone: ['www CNAME {platform}', proof],
    ...no('WrongTarget'),
    ownership: 'yes',
  },
  { ...www, name: "another project's target", zone: ['www CNAME {other}'], ...no('OtherProjectTarget') },
  { ...www, name: 'the bare CNAME domain', zone: ['www CNAME {bare}'], ...no('BareCnameDomain') },
  { ...www, name: 'addresses with the record', zone: ['www A {ours}', proof], ...yes },
  { ...www, name: 'the address that only the target shows', zone: ['www A {ours2}', proof], ...yes },
  { ...www, name: 'addresses without the record', zone: ['www A {ours}'], ...unproven('TxtMissing') },
  { ...www, name: 'a foreign address', zone: ['www A 198.51.100.7'], ...no('StrayAddress') },
  { ...www, name: 'nothing', zone: [], ...no('RecordMissing') },
  { ...www, name: 'the zone twice', zone: ['www.{label} CNAME {target}'], ...no('DoubledZone') },
  { ...www, name: 'a contested name', zone: ['www CNAME {target}'], txtRequired: true, ...unproven('TxtMissing') },
  { ...www, name: 'a contested name with the record', zone: ['www CNAME {target}', proof], txtRequired: true, ...yes },
  {
    ...www,
    name: 'a record that policy requires',
    zone: ['www CNAME {target}'],
    requireTxt: true,
    ...unproven('TxtMissing'),
  },
  {
    ...www,
    name: 'CAA for another authority',
    zone: ['www CNAME {target}', '@ CAA 0 issue "other.test"'],
    ...withCaa('no CaaForbidsAuthority'),
  },
  {
    ...www,
    name: 'CAA for our account',
    zone: ['www CNAME {target}', `@ CAA 0 issue "ca.test; accounturi=${accountUri}"`],
    ...yes,
  },
  {
    ...www,
    name: 'CAA for another account',
    zone: ['www CNAME {target}', '@ CAA 0 issue "ca.test; accounturi=x:y"'],
    ...withCaa('no CaaForbidsAccount'),
  },
  {
    ...www,
    name: 'CAA for another method',
    zone: ['www CNAME {target}', '@ CAA 0 issue "ca.test; validationmethods=dns-01"'],
    ...withCaa('no CaaForbidsMethod'),
  },
  {
    ...www,
    name: 'a server that is gone beside one that is not',
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot' }, { program: 'nsd', isGone: true }],
    ...yes,
  },
  {
    ...www,
    name: 'servers that disagree',
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot' }, { program: 'nsd', serves: ['www A 198.51.100.7'] }],
    ...unknown('ServersDisagree'),
    caa: 'yes',
  },
  {
    ...www,
    name: 'servers at private addresses',
    zone: ['www CNAME {target}'],
    servers: [privateServer],
    ...unknown('NoUsableAnswer'),
  },
];

interface Report extends Pick<DnsVerdict, 'routing' | 'ownership' | 'caa' | 'issues' | 'zone' | 'nameServers'> {
  readonly asked: readonly { readonly server: string; readonly outcome: string }[];
  readonly explanation: { readonly names: readonly { readonly name: string; readonly answers: readonly object[] }[] };
}

interface Compared {
  readonly doctor: Report;
  readonly operator: DnsVerdict;
  readonly explained: string;
}

const root = join(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-doctor-'));
const compared = new Map<string, Compared>();
let servers: CorpusServers | undefined;

beforeAll(async () => {
  servers = await startCorpus(names);
  const { root: rootServer, hostnames } = servers;
  await inParallel(2, names, async (name) => {
    const hostname = hostnames.get(name) ?? '';
    const config = configOf(rootServer, name);
    const file = join(dir, `${names.indexOf(name)}.json`);
    writeFileSync(file, JSON.stringify(config));
    const args = [hostname, '--config', file, '--target', target, '--txt', ownershipValue, '--account-uri', accountUri];
    const required = name.txtRequired ? ['--txt-required'] : [];
    const isExplained = name.name === 'servers at private addresses';
    const [operator, json, explained] = await Promise.all([
      observed(config, hostname, name),
      doctor(...args, ...required, '--json'),
      isExplained ? doctor(...args, '--explain') : '',
    ]);
    compared.set(name.name, { doctor: JSON.parse(json) as Report, operator, explained });
  });
}, 300_000);

afterAll(async () => {
  await servers?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const configOf = (rootServer: string, { requireTxt = false }: { readonly requireTxt?: boolean }): OperatorConfig => ({
  ...operatorConfig,
  platformDomain: 'apps.platform.net',
  cnameDomain,
  platformAddresses,
  roots: [rootServer],
  resolvers: [],
  permittedRanges: ['127.0.0.0/8'],
  caDomains: ['ca.test'],
  requireTxt,
});

function doctor(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const entry = ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', 'check', ...args];
    const child = spawn(process.execPath, entry, { cwd: root });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject).on('close', () => (err === '' ? resolve(out) : reject(new Error(err))));
  });
}

/** What the operator observes of a domain that was just added. */
async function observed(config: OperatorConfig, hostname: string, name: CorpusName): Promise<DnsVerdict> {
  const { platformDomain, requireTxt, caDomains } = config;
  const here = { platformDomain, cnameDomain, platformAddresses, requireTxt, ca: issuerIdentity(caDomains) };
  const assessed = snapshot({
    settings: { ...settings, ...here },
    domain: domain({ spec: { hostname } }),
    target,
    ownership: ownershipValue,
    claimRelation: name.txtRequired ? { kind: 'Foreign', phase: 'Held', epoch: 2 } : { kind: 'Free', epoch: 1 },
    issuerAccounts: accountsWith(orderLimits, accountUri),
  });
  const dependencies = {
    certManagerUnavailable: () => false,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    now: () => assessed.now,
    dns: createDnsChecker(checkerOptions(config)),
    targets: { of: () => [], saw: () => undefined },
  } as unknown as ControllerNeeds;
  const { verdict } = await observeProjectDomain(dependencies, assessed, new AbortController().signal);
  if (!verdict) throw new Error(`the operator did not check ${hostname}`);
  return verdict;
}

const comparedOf = (name: string): Compared => {
  const found = compared.get(name);
  if (!found) throw new Error(`${name} was not checked`);
  return found;
};

const said = ({ verdict, code }: Verdict): string => (verdict === 'yes' ? 'yes' : `${verdict} ${code}`);

describe('the doctor says what the operator says, and both are right', () => {
  it.each(names.map((name) => [name.name, name] as const))('%s', (_, { name, routing, ownership, caa }) => {
    const { doctor: report, operator } = comparedOf(name);
    const expected = { routing, ownership, caa };
    const verdictsOf = (one: Pick<DnsVerdict, 'routing' | 'ownership' | 'caa'>) => ({
      routing: said(one.routing),
      ownership: said(one.ownership),
      caa: said(one.caa),
    });
    expect(verdictsOf(operator)).toEqual(expected);
    expect(verdictsOf(report)).toEqual(expected);
    expect(report.issues).toEqual(operator.issues);
    expect([report.zone, report.nameServers]).toEqual([operator.zone, operator.nameServers]);
  });
});

describe('what the doctor explains', () => {
  it('has each server of the hostname with what it said', () => {
    const { explanation } = comparedOf('servers that disagree').doctor;
    const answers = explanation.names.flatMap(({ answers: all }) => all);
    expect(answers).toContainEqual(
      expect.objectContaining({ type: 'A', outcome: 'alias', values: [`CNAME ${target}`] }),
    );
    expect(answers).toContainEqual(
      expect.objectContaining({ type: 'A', outcome: 'records', values: ['198.51.100.7'] }),
    );
  });

  it('has addresses that must not be queried, once each', () => {
    const { asked } = comparedOf('servers at private addresses').doctor;
    const refused = asked.filter(({ outcome }) => outcome === 'address-not-allowed');
    expect(refused.map(({ server }) => server)).toEqual(['10.11.12.13']);
  });

  it('says the same to people', () => {
    const { explained } = comparedOf('servers at private addresses');
    expect(explained).toMatch(/com {2}2 of 2/);
    expect(explained).toMatch(/\(10\.11\.12\.13\) +A +address-not-allowed/);
    expect(explained).toMatch(/ms$/m);
  });
});
