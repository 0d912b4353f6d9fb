import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { CaaProfile } from '../../../../src/dns/verdict/caa-profile.ts';
import { caaVerdict } from '../../../../src/dns/verdict/caa-verdict.ts';
import type { CaIdentity, DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { facts, name } from '../../../support/dns-facts.ts';
import type { Said } from '../../../support/dns-facts.ts';

const account = 'https://ca.test/acct/1';
const ca: CaIdentity = {
  domains: ['ca.test', 'ca2.test'],
  accountUri: account,
  method: 'http-01',
  caaProfile: 'strict',
};
const host = 'www.example.com';

const at = (where: string, said: Said): NameFacts => name(where, [{ CAA: said }]);
const top = at('com', 'NODATA');
const none = [at(host, 'NODATA'), at('example.com', 'NODATA'), top];
const zone = (...values: string[]): NameFacts[] => [at(host, 'NODATA'), at('example.com', values), top];

describe('CAA (RFC 8659, RFC 8657)', () => {
  it.each<[string, NameFacts[], string, string]>([
    ['no CAA anywhere permits', none, 'yes', 'Verified'],
    ['NXDOMAIN is no CAA', [at(host, 'NX'), at('example.com', 'NODATA'), top], 'yes', 'Verified'],
    ['our domain at the zone permits', zone('0 issue "ca.test"'), 'yes', 'Verified'],
    ['any of our domains permits', zone('0 issue "ca2.test"'), 'yes', 'Verified'],
    ['the case of domain and tag does not matter', zone('0 issue "CA.Test"'), 'yes', 'Verified'],
    ['another domain forbids', zone('0 issue "other.test"'), 'no', 'CaaForbidsAuthority'],
    ['one of several records is enough', zone('0 issue "other.test"', '0 issue "ca.test"'), 'yes', 'Verified'],
    ['an empty issuer forbids', zone('0 issue ";"'), 'no', 'CaaForbidsAuthority'],
    ['nothing but white space forbids', zone('0 issue " "'), 'no', 'CaaForbidsAuthority'],
    ['issuewild alone says nothing of a plain name', zone('0 issuewild "other.test"'), 'yes', 'Verified'],
    [
      'issuewild does not permit a plain name either',
      zone('0 issue "other.test"', '0 issuewild "ca.test"'),
      'no',
      'CaaForbidsAuthority',
    ],
    ['iodef alone permits', zone('0 iodef "mailto:a@example.com"'), 'yes', 'Verified'],
    ['an unknown property that is not critical is ignored', zone('0 future "x"'), 'yes', 'Verified'],
    ['an unknown critical property forbids', zone('128 future "x"', '0 issue "ca.test"'), 'no', 'CaaCriticalUnknown'],
    ['a critical property that is known is fine', zone('128 issue "ca.test"'), 'yes', 'Verified'],
    ['a malformed issuer forbids', zone('0 issue "ca_test!"'), 'no', 'CaaMalformed'],
    ['a malformed parameter forbids', zone('0 issue "ca.test; what"'), 'no', 'CaaMalformed'],
    [
      'a malformed record beside a good one does not matter',
      zone('0 issue "%%"', '0 issue "ca.test"'),
      'yes',
      'Verified',
    ],
    ['our account permits', zone(`0 issue "ca.test; accounturi=${account}"`), 'yes', 'Verified'],
    [
      'another account forbids',
      zone('0 issue "ca.test; accounturi=https://ca.test/acct/2"'),
      'no',
      'CaaForbidsAccount',
    ],
    [
      'two accounts in one property forbid',
      zone(`0 issue "ca.test; accounturi=${account}; accounturi=${account}"`),
      'no',
      'CaaMalformed',
    ],
    ['our method permits', zone('0 issue "ca.test; validationmethods=dns-01,http-01"'), 'yes', 'Verified'],
    ['another method forbids', zone('0 issue "ca.test; validationmethods=dns-01"'), 'no', 'CaaForbidsMethod'],
    [
      'parameters have their tags in any case and order',
      zone(`0 issue "ca.test;ValidationMethods=http-01 ; AccountURI=${account}"`),
      'yes',
      'Verified',
    ],
    [
      'a method in another case is another method',
      zone('0 issue "ca.test; validationmethods=HTTP-01"'),
      'no',
      'CaaForbidsMethod',
    ],
    ['an unknown parameter is ignored', zone('0 issue "ca.test; policy=ev"'), 'yes', 'Verified'],
    [
      "a set at the name itself hides the zone's",
      [at(host, ['0 issue "ca.test"']), at('example.com', ['0 issue "other.test"']), top],
      'yes',
      'Verified',
    ],
    [
      'a set at the top-level domain counts',
      [at(host, 'NODATA'), at('example.com', 'NODATA'), at('com', ['0 issue "other.test"'])],
      'no',
      'CaaForbidsAuthority',
    ],
    [
      'an alias is followed for its set',
      [at(host, '-> x.cdn.test'), at('x.cdn.test', ['0 issue "other.test"'])],
      'no',
      'CaaForbidsAuthority',
    ],
    [
      'an alias without a set climbs from the original name',
      [
        at(host, '-> x.cdn.test'),
        at('x.cdn.test', 'NODATA'),
        at('cdn.test', ['0 issue "other.test"']),
        at('example.com', ['0 issue "ca.test"']),
        top,
      ],
      'yes',
      'Verified',
    ],
    [
      'SERVFAIL is unknown, never permission',
      [at(host, 'servfail'), at('example.com', 'NODATA'), top],
      'unknown',
      'NoUsableAnswer',
    ],
    [
      'SERVFAIL above is unknown too',
      [at(host, 'NODATA'), at('example.com', 'servfail'), top],
      'unknown',
      'NoUsableAnswer',
    ],
    [
      'SERVFAIL above a set that decides does not matter',
      [at(host, ['0 issue "ca.test"']), at('example.com', 'servfail')],
      'yes',
      'Verified',
    ],
    ['a circle of aliases is unknown', [at(host, '-> a.test'), at('a.test', `-> ${host}`)], 'unknown', 'AliasLoop'],
  ])('%s', (_, names, verdict, code) => {
    expect(caaVerdict(facts(host, names), host, ca)).toMatchObject({ verdict, code });
  });

  it('servers that disagree are unknown', () => {
    const split = name(host, [{ CAA: ['0 issue "ca.test"'] }, { CAA: ['0 issue "other.test"'] }]);
    expect(caaVerdict(facts(host, [split]), host, ca)).toMatchObject({ verdict: 'unknown', code: 'ServersDisagree' });
  });

  it('is not judged for a caller without an authority', () => {
    expect(caaVerdict(facts(host, []), host, null)).toMatchObject({ verdict: 'yes', code: 'NotAsked' });
  });
});

const wanted: DesiredDns = {
  hostname: host,
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: [],
  txt: null,
  txtRequired: false,
  ca: null,
};

/** Fails when people are told to add a record that does not help. */
describe('the CAA record that is asked for', () => {
  it.each<[CaaProfile]>([['strict'], ['boulder']])('permits the authority by the %s profile', (caaProfile) => {
    const mixed = { ...ca, domains: ['LetsEncrypt.org'], caaProfile };
    const { issues } = evaluateDns(facts(host, zone('0 issue "other.test"')), { ...wanted, ca: mixed });
    const fix = issues.find(({ code }) => code === 'CaaForbidsAuthority')?.fix ?? '';
    const [asked = ''] = /(?<=CAA ).*"/.exec(fix) ?? [];
    expect(caaVerdict(facts(host, zone('0 issue "other.test"', asked)), host, mixed).verdict).toBe('yes');
  });
});
