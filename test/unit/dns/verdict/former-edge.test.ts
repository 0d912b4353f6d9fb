import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { checkOf } from '../../../../src/dns/verdict/desired-dns.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** A hostname that still leads to an edge that its project has left: who has to change what. */

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const [former, present] = ['203.0.113.10', '203.0.113.50'];
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: [former, present],
  toldAddresses: [present],
  txt: null,
  txtRequired: false,
  ca: null,
};
const { toldAddresses: _, ...anywhere } = wanted;
const issuesOf = (names: readonly NameFacts[], desired: DesiredDns = wanted) =>
  evaluateDns(facts(hostname, names), desired).issues;
const byTarget = name(hostname, [addresses(`-> ${target}`)]);
const targetAt = (...found: string[]) => name(target, [addresses(found)]);

describe('a hostname that leads to a former edge', () => {
  it('by its target has its platform change the target', () => {
    expect(issuesOf([byTarget, targetAt(former)])).toMatchObject([
      {
        code: 'FormerEdge',
        severity: 'Warning',
        act: 'MoveTarget',
        actor: 'Platform',
        delete: [],
        create: [],
        fix: `nothing to change in your records: the platform has to lead ${target} to ${present}`,
      },
    ]);
  });

  it('by its own address has its owner change that, to the present one where there is no ALIAS', () => {
    const [issue, ...others] = issuesOf([name(hostname, [addresses([former])])]);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      code: 'FormerEdge',
      severity: 'Warning',
      act: 'ChangeRecords',
      actor: 'Owner',
      delete: [{ fqdn: hostname, type: 'A', value: former }],
      create: [{ fqdn: hostname, value: target }],
    });
  });

  it.each<[sentence: string, names: readonly NameFacts[], desired: DesiredDns]>([
    ['is the right one, once its target leads there', [byTarget, targetAt(present)], wanted],
    ['is the right one, once its address is that', [name(hostname, [addresses([present])])], wanted],
    ['is right, where its project has no edge of its own', [byTarget, targetAt(former)], anywhere],
    ['is not known, where nobody has asked for the addresses of the target', [byTarget], wanted],
  ])('%s', (_sentence, names, desired) => {
    expect(issuesOf(names, desired)).toEqual([]);
  });
});

describe('a check', () => {
  it('asks for the addresses of the target only where the edge matters, as they cost packets', () => {
    expect([checkOf(wanted).needsTargetAddresses, checkOf(anywhere).needsTargetAddresses]).toEqual([true, undefined]);
  });
});
