import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { exchange } from '../../src/dns/lookup/dns-exchange.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, Verdict } from '../../src/dns/verdict/dns-verdict.ts';
import { verdictCodes } from '../../src/rules/verdict-codes.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { inParallel, startCorpus } from './corpus-servers.ts';
import { createOvertime } from './overtime.ts';
import { requestFor, wantedOf } from './wanted-of.ts';
import { names } from './names/all-names.ts';
import { factsOfResolver } from './resolver-facts.ts';

/** Names on real servers, each with the verdict that has to come out. Fails when any of them comes out otherwise. */

interface Checked {
  readonly verdict: DnsVerdict;
  /** for how many turns of the event loop the check went on after its time was over; null where it was done before */
  readonly overtime: number | null;
}

const checked = new Map<CorpusName, Checked>();
/** what comes of a recursive resolver's answers by the same rules; asked twice where it differs, as its answers vary */
const resolved = new Map<CorpusName, DnsVerdict>();
let servers: CorpusServers | undefined;

/** at once; a check that waits for a silent server costs nothing */
const checks = 6;
const resolutions = 60;

beforeAll(async () => {
  servers = await startCorpus(names);
  const { root, resolver, hostnames } = servers;
  const overtime = createOvertime(exchange);
  const options = { roots: [{ address: root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] };
  const dns = createDnsChecker(options, overtime.exchange);
  await inParallel(checks, [...hostnames], async ([name, hostname]) => {
    const wanted = wantedOf(name, hostname);
    const { result: facts, turns } = await overtime.during(() =>
      dns.check(requestFor(wanted), new AbortController().signal),
    );
    checked.set(name, { verdict: evaluateDns(facts, wanted), overtime: turns });
  });
  const resolve = (wanted: readonly CorpusName[]) =>
    inParallel(resolutions, wanted, async (name) => {
      const desired = wantedOf(name, hostnames.get(name) ?? '');
      resolved.set(name, evaluateDns(await factsOfResolver(resolver, desired), desired));
    });
  await resolve(names.filter(isComparable));
  await resolve(names.filter((name) => isComparable(name) && differences(name).length > 0));
}, 600_000);

afterAll(() => servers?.stop());

const said = ({ verdict, code }: Verdict): string => (verdict === 'yes' ? 'yes' : `${verdict} ${code}`);

const checkedOf = (name: CorpusName): Checked => {
  const found = checked.get(name);
  if (!found) throw new Error(`${name.name} was not checked`);
  return found;
};

/** Is there a verdict that a resolver's answer could contradict? */
const isComparable = (name: CorpusName): boolean =>
  parts.some((part) => !reasonFor(name, checkedOf(name).verdict[part].verdict));

const parts = ['routing', 'ownership'] as const;

const reasonFor = (name: CorpusName, ours: Verdict['verdict']): string | undefined =>
  ours === 'unknown' ? name.worseThanUnbound : name.betterThanUnbound;

/** Where one of the two can tell yes from no and the other one cannot, for no reason that the name gives. */
const differences = (name: CorpusName): readonly string[] =>
  parts.flatMap((part) => {
    const ours = checkedOf(name).verdict[part].verdict;
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
    const { routing, ownership, caa } = checkedOf(name).verdict;
    const expected = { routing: name.routing, ownership: name.ownership, caa: name.caa };
    expect({ routing: said(routing), ownership: said(ownership), caa: said(caa) }).toEqual(expected);
  });

  it('has names whose servers outlast a check, which then waits for none of them any more', () => {
    const longest = names.flatMap((name) => {
      const { overtime } = checkedOf(name);
      return overtime === null ? [] : [[name.name, overtime] as const];
    });
    expect(longest.length).toBeGreaterThan(0);
    expect(longest.filter(([, turns]) => turns > overtimeAtMost)).toEqual([]);
  });

  it('reaches every code that DNS can give', () => {
    const verdicts = names.map((name) => checkedOf(name).verdict);
    const codes = verdicts.flatMap(({ routing, ownership, caa, issues }) =>
      [routing, ownership, caa, ...issues].map(({ code }) => code),
    );
    const missing = Object.keys(verdictCodes).filter((code) => !codes.some((found) => found === code));
    expect(missing).toEqual(unreachable);
  });
});

/** Sockets are closed and what waits is told, in some turns; whoever waits for a server that is silent goes through thousands. */
const overtimeAtMost = 50;

/**
 * NotAsked is the verdict on CAA without an authority; those about vantage points need several of them; those about DNSSEC
 * are in dnssec/signed-names.ts; what a CDN answers is no part of DNS (test/unit/dns/verdict/token-proof.test.ts), nor is the edge that a
 * project has of its own (test/unit/dns/verdict/former-edge.test.ts).
 */
const unreachable = [
  'NotAsked',
  'CdnNeedsOriginCertificate',
  'CdnRedirectLoop',
  'CdnForbids',
  'DnssecBogus',
  'DnssecUnchecked',
  'FormerEdge',
  'VantagePointsDisagree',
  'VantagePointSilent',
];

describe('beside a recursive resolver', () => {
  it.each(names.map((name) => [name.name, name] as const))('differs only for a reason: %s', (_, name) => {
    expect(differences(name)).toEqual([]);
  });
});
