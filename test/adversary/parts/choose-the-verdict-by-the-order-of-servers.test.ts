import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../src/dns/dns-facts.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import type { View } from '../../support/dns-facts.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';

/**
 * One of a zone's servers says something that proves more than what the others say (the exact target, where they show
 * shared addresses; a CAA set that permits, where they show none), and is listed first. Of verdicts that agree the weaker
 * one speaks, so every order gives the same judgement.
 */

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
};
const noTxt = name(`_projectdomain-challenge.${hostname}`, [{ TXT: 'NX' }]);
const withCaa = (view: View, CAA: View['CAA']): View => ({ ...view, CAA: CAA ?? 'NODATA' });
const above = [name('example.com', [{ CAA: ['0 issue "other.test"'] }]), name('com', [{ CAA: 'NODATA' }])];

const byTarget = withCaa(addresses(`-> ${target}`), 'NODATA');
const byAddress = withCaa(addresses(['203.0.113.10']), 'NODATA');
const permits = withCaa(addresses(['203.0.113.10']), ['0 issue "ca.test"']);
const stray = withCaa(addresses(['198.51.100.1']), ['0 issue "other.test"']);
const other = withCaa(addresses('-> p-other.cname.apps.example.net'), ['0 issue ";"']);
const silent: View = { A: 'timeout', AAAA: 'timeout', CAA: 'timeout' };

const orders = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((one, index) => orders(list.filter((_, at) => at !== index)).map((rest) => [one, ...rest]));

const verdicts = (views: readonly View[], rest: readonly NameFacts[]) => {
  const { routing, ownership, caa, corroborated } = evaluateDns(
    facts(hostname, [name(hostname, views), ...rest]),
    wanted,
  );
  return { routing, ownership, caa, corroborated };
};

describe('servers that do not say the same', () => {
  it.each<[string, readonly View[], object]>([
    [
      'the target at one and addresses at others: proven by addresses, so TXT is needed',
      [byTarget, byAddress, byAddress],
      {
        routing: { verdict: 'yes', code: 'Verified', by: 'addresses' },
        ownership: { verdict: 'no', code: 'TxtMissing' },
      },
    ],
    [
      'a CAA set that permits at one and none at others: the climb goes on, and above it is forbidden',
      [permits, byAddress, byAddress],
      { caa: { verdict: 'no', code: 'CaaForbidsAuthority' } },
    ],
    ['two kinds of no', [stray, other, silent], { routing: { verdict: 'no', code: 'OtherProjectTarget', by: null } }],
    ['yes and no', [byTarget, stray, silent], { routing: { verdict: 'unknown', code: 'ServersDisagree', by: null } }],
  ])('%s, in every order', (_, views, expected) => {
    const all = orders(views).map((order) => verdicts(order, [noTxt, ...above]));
    for (const one of all) expect(one).toEqual(all[0]);
    expect(all[0]).toMatchObject(expected);
  });
});
