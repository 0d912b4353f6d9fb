import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import { refusalOf } from '../../../../src/dns/verdict/caa-verdict.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';
import type { Said } from '../../../support/dns-facts.ts';

/** A wildcard: proven by the delegation of its base's challenge name alone, and led here by the target alone. */

const hostname = '*.example.com';
const challenge = '_acme-challenge.example.com';
const zone = 'acme.example.net';
const right = `mine.${zone}`;
const wanted: DesiredDns = {
  hostname,
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: '_projectdomain-challenge.example.com', value: 'projectdomain-verify=right' },
  txtRequired: false,
  delegation: { name: challenge, value: right, label: 'mine', zone, isAhead: true },
  ca: null,
};
const switched: Partial<DesiredDns> = { delegation: { ...wanted.delegation, isAhead: false } as never };
const elsewhere = name(hostname, [addresses(['198.51.100.7']), addresses(['198.51.100.7'])]);
const here = name(hostname, [addresses(`-> ${wanted.target}`), addresses(`-> ${wanted.target}`)]);
const ours = name(hostname, [addresses(['203.0.113.10']), addresses(['203.0.113.10'])]);
const delegated = (...said: readonly Said[]) =>
  name(
    challenge,
    said.map((TXT) => ({ TXT })),
  );
const found = delegated(`-> ${right}`, `-> ${right}`);
const missing = delegated('NX', 'NX');
const txt = (said: Said) => name('_projectdomain-challenge.example.com', [{ TXT: said }, { TXT: said }]);

const look = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, names), { ...wanted, ...changes });

describe('a wildcard in DNS', () => {
  it.each<[string, readonly NameFacts[], Partial<DesiredDns>, readonly [string, string | null, string]]>([
    ['delegated and elsewhere, it is prepared', [elsewhere, txt('NX'), found], {}, ['yes', 'delegation', 'yes']],
    ['delegated and here, it is routed by the target', [here, found], {}, ['yes', 'target', 'yes']],
    ['here and not delegated, nothing proves it', [here, missing], {}, ['yes', 'target', 'no']],
    [
      'the platform’s addresses are no proof, nor do they lead here',
      [ours, txt('NX'), missing],
      {},
      ['no', null, 'no'],
    ],
    [
      'the text of its base is no proof',
      [here, txt(['projectdomain-verify=right']), missing],
      {},
      ['yes', 'target', 'no'],
    ],
    [
      'of another account before, it needs the text too',
      [here, txt('NX'), found],
      { txtRequired: true },
      ['yes', 'target', 'no'],
    ],
    [
      'with both it moves',
      [here, txt(['projectdomain-verify=right']), found],
      { txtRequired: true },
      ['yes', 'target', 'yes'],
    ],
    [
      'with the text alone it does not',
      [here, txt(['projectdomain-verify=right']), missing],
      { txtRequired: true },
      ['yes', 'target', 'no'],
    ],
    [
      'once it was here and has left, its delegation keeps nothing',
      [elsewhere, txt('NX'), found],
      switched,
      ['no', null, 'yes'],
    ],
  ])('%s', (_title, names, changes, expected) => {
    const { routing, ownership } = look(names, changes);
    expect([routing.verdict, routing.by, ownership.verdict]).toEqual(expected);
  });

  it('needs two servers that show the delegation, where it leads here as well', () => {
    expect(look([here, found]).corroborated).toBe(true);
    expect(look([here, delegated(`-> ${right}`, 'timeout')]).corroborated).toBe(false);
  });

  it('is told once which record is missing, and nothing about records beside it', () => {
    const { issues } = look([
      name(hostname, [addresses('-> old.host.test')]),
      txt('NX'),
      delegated('-> old.host.test'),
    ]);
    expect(issues.map(({ code, create }) => [code, create.map(({ fqdn, value }) => `${fqdn} ${value}`)])).toEqual([
      ['DelegationMissing', [`${challenge} ${right}`]],
    ]);
    const afterwards = look([here, missing], switched);
    expect(afterwards.issues.map(({ code }) => code)).toEqual(['DelegationMissing']);
  });

  it('asks for no token, which one hostname of many would answer', () => {
    expect(look([elsewhere, txt('NX'), found]).needsToken).toBe(false);
  });
});

describe.each(['boulder', 'strict'] as const)('CAA for a wildcard, as %s reads it', (caaProfile) => {
  const ca = { domains: ['ca.test'], accountUri: null, method: 'dns-01', caaProfile };
  const refusal = (isForWildcard: boolean, ...records: readonly (readonly [string, string])[]) =>
    refusalOf(
      records.map(([tag, value]) => ({ flags: 0, tag, value })),
      { ...ca, isForWildcard },
    );

  it.each<[string, readonly (readonly [string, string])[], string | null, string | null]>([
    ['issue alone decides for both', [['issue', 'ca.test']], null, null],
    ['issue of another forbids both', [['issue', 'other.test']], 'CaaForbidsAuthority', 'CaaForbidsAuthority'],
    [
      'issuewild of ours permits the wildcard alone',
      [
        ['issue', ';'],
        ['issuewild', 'ca.test'],
      ],
      null,
      'CaaForbidsAuthority',
    ],
    [
      'issuewild of nobody forbids the wildcard alone',
      [
        ['issue', 'ca.test'],
        ['issuewild', ';'],
      ],
      'CaaForbidsAuthority',
      null,
    ],
    ['a method that is not ours', [['issuewild', 'ca.test; validationmethods=http-01']], 'CaaForbidsMethod', null],
  ])('%s', (_title, records, ofWildcard, ofHostname) => {
    expect(refusal(true, ...records)).toBe(ofWildcard);
    expect(refusal(false, ...records)).toBe(ofHostname);
  });
});
