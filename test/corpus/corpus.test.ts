import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { exchange } from '../../src/dns/wire/dns-exchange.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, Verdict } from '../../src/dns/verdict/dns-verdict.ts';
import { verdictCodes } from '../../src/rules/verdict-codes.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { inParallel, startCorpus } from './corpus-servers.ts';
import { createCutShort } from './cut-short.ts';
import { createInTime } from './in-time.ts';
import { withKnownDelays } from './known-delays.ts';
import { requestFor, wantedOf } from './wanted-of.ts';
import { names } from './names/all-names.ts';
import { factsOfResolver } from './resolver-facts.ts';

/** Names on real servers, each with the verdict that has to come out. Fails when any of them comes out otherwise. */

const checked = new Map<CorpusName, DnsVerdict>();
/** for how many turns of the event loop each goes on after its time is over, by name */
const overtimes: (readonly [string, number])[] = [];
/** what comes of a recursive resolver's answers by the same rules; asked again where it differs, as its answers vary */
const resolved = new Map<CorpusName, DnsVerdict>();
let servers: CorpusServers | undefined;

/** at once; a check that waits for a silent server costs nothing */
const checks = 6;
const resolutions = 60;
const resolvedAgain = 5;
/** With it a check's time is over, when that is cut short: root and registry have been asked by then, and servers of the name are waited for. */
const lastQuery = 5;

beforeAll(async () => {
  servers = await startCorpus(names);
  const { root, resolver, hostnames } = servers;
  const options = { roots: [{ address: root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] };
  const inTime = createInTime(withKnownDelays(exchange, servers.delays));
  const dns = createDnsChecker(options, inTime.exchange);
  await inParallel(checks, [...hostnames], async ([name, hostname]) => {
    const wanted = wantedOf(name, hostname);
    const facts = await inTime.result(() => dns.check(requestFor(wanted), new AbortController().signal));
    checked.set(name, evaluateDns(facts, wanted));
  });
  const cutShort = createCutShort(exchange, lastQuery);
  const hurried = createDnsChecker(options, cutShort.exchange);
  await inParallel(checks, [...hostnames], async ([name, hostname]) => {
    const request = requestFor(wantedOf(name, hostname));
    const turns = await cutShort.turnsOf((signal) => hurried.check(request, signal));
    if (turns !== null) overtimes.push([name.name, turns]);
  });
  const resolve = (wanted: readonly CorpusName[]) =>
    inParallel(resolutions, wanted, async (name) => {
      const desired = wantedOf(name, hostnames.get(name) ?? '');
      resolved.set(name, evaluateDns(await factsOfResolver(resolver, desired), desired));
    });
  await resolve(names.filter(isComparable));
  for (let again = 0; again < resolvedAgain; again += 1)
    await resolve(names.filter((name) => isComparable(name) && differences(name).length > 0));
}, 600_000);

afterAll(() => servers?.stop());

const said = ({ verdict, code }: Verdict): string => (verdict === 'yes' ? 'yes' : `${verdict} ${code}`);

const checkedOf = (name: CorpusName): DnsVerdict => {
  const found = checked.get(name);
  if (!found) throw new Error(`${name.name} was not checked`);
  return found;
};

/** Is there a verdict that a resolver's answer could contradict? */
const isComparable = (name: CorpusName): boolean =>
  parts.some((part) => !reasonFor(name, checkedOf(name)[part].verdict));

const parts = ['routing', 'ownership'] as const;

const reasonFor = (name: CorpusName, ours: Verdict['verdict']): string | undefined =>
  ours === 'unknown' ? name.worseThanUnbound : name.betterThanUnbound;

/** Where one of the two can tell yes from no and the other one cannot, for no reason that the name gives. */
const differences = (name: CorpusName): readonly string[] =>
  parts.flatMap((part) => {
    const ours = checkedOf(name)[part].verdict;
    const theirs = resolved.get(name)?.[part].verdict ?? ours;
    const differs = (ours === 'unknown') !== (theirs === 'unknown');
    return differs && !reasonFor(name, ours) ? [`${part}: ${ours}, and ${theirs} by the resolver`] : [];
  });

describe('the corpus', () => {
  it('names each of its names once, and gives a reason', () => {
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    expect(names.filter(({ why }) => why === '')).toEqual([]);
  });

  it.each(names.map((name) => [name.name, name] as const))('%s', (_, name) => {
    const { routing, ownership, caa } = checkedOf(name);
    const expected = { routing: name.routing, ownership: name.ownership, caa: name.caa };
    expect({ routing: said(routing), ownership: said(ownership), caa: said(caa) }).toEqual(expected);
  });

  it('ends each check some turns of the event loop after its time is over, whatever servers it waits for', () => {
    expect(overtimes.length).toBeGreaterThan(names.length / 2);
    expect(overtimes.filter(([, turns]) => turns > overtimeAtMost)).toEqual([]);
  });

  it('reaches every code that DNS can give', () => {
    const verdicts = names.map((name) => checkedOf(name));
    const codes = verdicts.flatMap(({ routing, ownership, caa, issues }) =>
      [routing, ownership, caa, ...issues].map(({ code }) => code),
    );
    const missing = Object.keys(verdictCodes).filter((code) => !codes.some((found) => found === code));
    expect(missing).toEqual(unreachable);
  });
});

/** None goes on for a single one; whoever waits for a server that is silent goes through thousands. */
const overtimeAtMost = 10;

/**
 * NotAsked is the verdict on CAA without an authority; those about vantage points need several of them; those about DNSSEC
 * are in dnssec/signed-names.ts; what a CDN answers is no part of DNS (test/unit/dns/verdict/token-proof.test.ts), nor is the edge that a
 * project has of its own (test/unit/dns/verdict/former-edge.test.ts), nor what
 * browsers alone read (test/unit/dns/verdict/https-hints.test.ts).
 */
const unreachable = [
  'NotAsked',
  'CdnNeedsOriginCertificate',
  'CdnRedirectLoop',
  'CdnForbids',
  'DnssecBogus',
  'DnssecUnchecked',
  'FormerEdge',
  'StaleHttpsHints',
  'VantagePointsDisagree',
  'VantagePointSilent',
];

describe('beside a recursive resolver', () => {
  it.each(names.map((name) => [name.name, name] as const))('differs only for a reason: %s', (_, name) => {
    expect(differences(name)).toEqual([]);
  });
});
