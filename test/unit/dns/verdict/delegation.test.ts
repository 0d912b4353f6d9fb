import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';
import type { Said } from '../../../support/dns-facts.ts';

/** A hostname that is prepared: what stands at its challenge name counts while DNS leads elsewhere. */

const hostname = 'www.example.com';
const challenge = `_acme-challenge.${hostname}`;
const zone = 'acme.example.net';
const right = `mine.${zone}`;
const wanted: DesiredDns = {
  hostname,
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=right' },
  txtRequired: false,
  delegation: { name: challenge, value: right, label: 'mine', zone, isAhead: true },
  ca: null,
};
const elsewhere = name(hostname, [addresses(['198.51.100.7']), addresses(['198.51.100.7'])]);
const at = (...said: readonly Said[]) =>
  name(
    challenge,
    said.map((TXT) => ({ TXT })),
  );
const noTxt = name(`_projectdomain-challenge.${hostname}`, [{ TXT: 'NX' }]);

const look = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, names), { ...wanted, ...changes });

const lines = (records: readonly { type: string; fqdn: string; value: string }[]) =>
  records.map(({ type, fqdn, value }) => `${fqdn} ${type} ${value}`);

describe('before the switch', () => {
  it.each<[string, NameFacts, string, string]>([
    ['the alias that we gave it, at every server', at(`-> ${right}`, `-> ${right}`), 'yes', 'Verified'],
    ['nothing there', at('NX', 'NX'), 'no', 'DelegationMissing'],
    ['the name without texts', at('NODATA', 'NODATA'), 'no', 'DelegationMissing'],
    ['an alias of another domain here', at(`-> other.${zone}`), 'no', 'DelegationWrong'],
    ['an alias that the present host needs', at('-> www.validation.host.test'), 'no', 'ChallengeNameInUse'],
    ['a text that the present host needs', at(['abc']), 'no', 'ChallengeNameInUse'],
    [
      'a zone of its own, which another company may serve',
      { ...at(`-> ${right}`), zone: challenge },
      'no',
      'ChallengeNameInUse',
    ],
    ['servers that disagree', at(`-> ${right}`, 'NX'), 'unknown', 'ServersDisagree'],
    ['one server alone that answers', at(`-> ${right}`, 'timeout'), 'yes', 'Verified'],
    ['no server that answers', at('servfail', 'timeout'), 'unknown', 'TypeUnanswered'],
  ])('%s', (_title, found, verdict, code) => {
    const { routing, ownership } = look([elsewhere, noTxt, found]);
    expect([routing.verdict, routing.code]).toEqual([verdict, code]);
    expect(routing.by).toBe(verdict === 'yes' ? 'delegation' : null);
    expect(ownership.verdict).toBe(verdict);
  });

  it('needs two servers that answer for a first claim, as any proof does', () => {
    expect(look([elsewhere, noTxt, at(`-> ${right}`, `-> ${right}`)]).corroborated).toBe(true);
    expect(look([elsewhere, noTxt, at(`-> ${right}`, 'timeout')]).corroborated).toBe(false);
  });

  it('proves nothing about a name that another account has or had: that takes a TXT record too', () => {
    const { routing, ownership } = look([elsewhere, noTxt, at(`-> ${right}`)], { txtRequired: true });
    expect([routing.verdict, ownership.verdict]).toEqual(['yes', 'no']);
  });

  it('counts for nothing once DNS leads here', () => {
    const here = name(hostname, [addresses(`-> ${wanted.target}`)]);
    const { routing, issues } = look([here, at('NX')]);
    expect([routing.verdict, routing.by, issues]).toEqual(['yes', 'target', []]);
  });

  it('counts for nothing where the hostname is not prepared', () => {
    const { routing } = look([elsewhere, noTxt, at(`-> ${right}`)], { delegation: null });
    expect([routing.verdict, routing.code]).toEqual(['no', 'StrayAddress']);
  });

  it('says what the records are, that of routing as one that is still to come', () => {
    const { records } = look([elsewhere, noTxt, at(`-> ${right}`)]);
    expect(records.map(({ purpose, status }) => [purpose, status])).toEqual([
      ['Routing', 'Wrong'],
      ['Ownership', 'Missing'],
      ['Certificate', 'Found'],
    ]);
  });

  it('asks CAA for the method by which the certificate is validated', () => {
    const ca = { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' } as const;
    const caa = (said: string) => name(hostname, [{ ...addresses(['198.51.100.7']), CAA: [said] }]);
    const parents = ['example.com', 'com'].map((parent) => name(parent, [{ CAA: 'NODATA' }]));
    const codeOf = (method: string) =>
      look([caa(`0 issue "ca.test; validationmethods=${method}"`), ...parents, noTxt, at(`-> ${right}`)], { ca }).caa
        .code;
    expect([codeOf('dns-01'), codeOf('http-01')]).toEqual(['Verified', 'CaaForbidsMethod']);
  });
});

describe('what it advises', () => {
  const issueOf = (names: readonly NameFacts[]) => look(names).issues[0];

  it('is to create the delegation, and to leave the record that leads to the former server', () => {
    const issue = issueOf([elsewhere, noTxt, at('NX')]);
    expect([issue?.code, lines(issue?.delete ?? []), lines(issue?.create ?? [])]).toEqual([
      'DelegationMissing',
      [],
      [`${challenge} CNAME ${right}`],
    ]);
  });

  it('is to delete an old delegation', () => {
    const issue = issueOf([elsewhere, noTxt, at(`-> other.${zone}`)]);
    expect([lines(issue?.delete ?? []), lines(issue?.create ?? [])]).toEqual([
      [`${challenge} CNAME other.${zone}`],
      [`${challenge} CNAME ${right}`],
    ]);
  });

  it('is to leave what the present host needs', () => {
    const issue = issueOf([elsewhere, noTxt, at(['abc'])]);
    expect([issue?.act, issue?.delete, issue?.create]).toEqual(['SwitchWithoutPreparing', [], []]);
  });

  it('is to give a hostname that a wildcard serves its own record, as a name below it ends the wildcard there', () => {
    const wildcard = name(hostname, [addresses('-> host.test')]);
    const end = name('host.test', [addresses(['198.51.100.7'])], [], 'host.test');
    const issue = issueOf([wildcard, end, noTxt, at('-> host.test')]);
    expect([issue?.code, lines(issue?.create ?? [])]).toEqual([
      'DelegationMissing',
      [`${challenge} CNAME ${right}`, `${hostname} CNAME host.test`],
    ]);
  });
});
