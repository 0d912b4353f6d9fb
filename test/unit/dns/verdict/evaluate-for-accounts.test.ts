import { describe, expect, it } from '@jest/globals';
import type { CaIdentity, DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateForAccounts } from '../../../../src/dns/verdict/evaluate-dns.ts';
import type { Said } from '../../../support/dns-facts.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** Fails when CAA keeps an order from an account that it permits, or lets one go where it forbids. */

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const identity = (domain: string, accountUri: string | null = null): CaIdentity => ({
  domains: [domain],
  accountUri,
  method: 'http-01',
  caaProfile: 'strict',
});
const first = { name: 'first', ca: identity('one.test') };
const second = { name: 'second', ca: identity('two.test', 'https://two.test/1') };
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: null,
  txtRequired: false,
  ca: first.ca,
};

function found(caa: Said) {
  const view = { ...addresses(`-> ${target}`), CAA: caa };
  const above = ['example.com', 'com'].map((parent) => name(parent, [{ CAA: 'NODATA' }, { CAA: 'NODATA' }]));
  return facts(hostname, [name(hostname, [view, view]), ...above]);
}

describe('CAA for several accounts', () => {
  it.each<[string, Said, string, readonly string[] | undefined]>([
    ['restricts nothing where there is none', 'NODATA', 'yes', undefined],
    ['restricts nothing where it permits both', ['0 issue "one.test"', '0 issue "two.test"'], 'yes', undefined],
    ['permits the first alone', ['0 issue "one.test"'], 'yes', ['first']],
    ['permits the second alone', ['0 issue "two.test"'], 'yes', ['second']],
    ['permits an account by its own URL', ['0 issue "two.test; accounturi=https://two.test/1"'], 'yes', ['second']],
    ['forbids where it permits neither', ['0 issue "three.test"'], 'no', undefined],
    ['is unknown where it cannot be read', 'servfail', 'unknown', undefined],
  ])('%s', (_, caa, expected, permitted) => {
    const verdict = evaluateForAccounts(found(caa), wanted, [first, second]);
    expect([verdict.caa.verdict, verdict.permittedAccounts]).toEqual([expected, permitted]);
  });

  it('advises one record, the first account’s, where it permits neither', () => {
    const { issues } = evaluateForAccounts(found(['0 issue "three.test"']), wanted, [first, second]);
    expect(issues.flatMap(({ create }) => create.map(({ value }) => value))).toEqual(['0 issue "one.test"']);
  });

  it('is not looked at where it decides nothing', () => {
    const verdict = evaluateForAccounts(found(['0 issue "three.test"']), { ...wanted, ca: null }, [first, second]);
    expect(verdict.caa).toEqual({ verdict: 'yes', code: 'NotAsked' });
  });
});
