import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { desiredRecords } from '../../../src/rules/desired-records.ts';
import { base32, childName, recordValues } from '../../../src/rules/dns-target.ts';

const secret = Buffer.alloc(32, 7);

describe('targets and tokens', () => {
  /** Customers have them in their DNS, and objects are named after them: a version that draws others breaks every domain there is. */
  it('what is drawn of the same is the same in every version', () => {
    const draws = recordValues(secret, 'cname.apps.example.net');
    const domain = { accountId: 'acc', hostname: 'www.example.com', epoch: 1 };
    expect({
      target: draws.target({ accountId: 'acc', name: 'shop' }),
      subdomain: draws.subdomain({ namespace: 'acme', name: 'shop', attempt: 1 }),
      ownership: draws.ownership(domain),
      delegation: draws.delegation({ ...domain, nonce: 'n' }),
      token: draws.token({ ...domain, uid: 'u' }),
      ownSecret: draws.ownSecret({ ...domain, facts: 'f' }),
      child: childName(domain.hostname),
    }).toEqual({
      target: 'p-s3yiy2jhg2vzprbwjb72lhtngi.cname.apps.example.net',
      subdomain: '63mcbzk7',
      ownership: 'projectdomain-verify=acl5fzvpddnvr35agzooza5sohqzdflw',
      delegation: 'evps7dydp7zm3qjqsmovao4bypey5kej',
      token: { nonce: 'fv5xdgi2ro7rprgklkydelr2shayl4aj', answer: 'w47oehfyjhxbehx7slft4p27bye6nljr' },
      ownSecret: 'pd-own-akqmmlu5z33ubfxd3hoysnzxxt',
      child: 'pd-qd6a7ojgnw33qp4fquh2bzsu',
    });
  });

  it('account, project and key all matter, and fields cannot run into each other', () => {
    const of = (accountId: string, name: string, key = secret) =>
      recordValues(key, 'x.test').target({ accountId, name });
    const all = [
      of('a', 'b'),
      of('a', 'c'),
      of('b', 'b'),
      of('ab', ''),
      of('', 'ab'),
      of('a', 'b', Buffer.alloc(32, 8)),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('an ownership value is worth nothing in the next epoch or for another account', () => {
    const of = (accountId: string, epoch: number) =>
      recordValues(secret, 'x.test').ownership({ accountId, hostname: 'www.example.com', epoch });
    expect(of('a', 1)).toMatch(/^projectdomain-verify=[a-z2-7]{32}$/);
    expect(new Set([of('a', 1), of('a', 2), of('b', 1)]).size).toBe(3);
  });

  it('what draws them does not show the key, however it is printed', () => {
    const key = Buffer.from('a key of thirty-two bytes, no less');
    const records = recordValues(key, 'x.test');
    expect(records.target({ accountId: 'a', name: 'b' })).toMatch(/^p-[a-z2-7]{26}\.x\.test$/);
    const printed = `${JSON.stringify(records)} ${inspect(records, { depth: 9, showHidden: true })}`;
    for (const text of ['thirty-two', inspect(key).slice(8, 30), key.toString('base64').slice(0, 16)]) {
      expect(printed).not.toContain(text);
    }
  });

  it('base32 is RFC 4648 in lower case', () => {
    expect(base32(Buffer.from('foobar'), 100)).toBe('mzxw6ytboi'.slice(0, 9));
    expect(childName('www.example.com')).toMatch(/^pd-[a-z2-7]{24}$/);
  });
});

describe('records as a registrar wants them', () => {
  const target = 'p-x.cname.apps.example.net';

  it('a subdomain gets one CNAME, named relative to the zone', () => {
    expect(desiredRecords({ hostname: 'shop.eu.example.co.uk', zone: null, target, txt: null })).toEqual([
      { purpose: 'Routing', type: 'CNAME', name: 'shop.eu', fqdn: 'shop.eu.example.co.uk', value: target, ttl: 3600 },
    ]);
  });

  it('an apex gets an ALIAS and its TXT, and the zone cut beats the registrable domain', () => {
    const records = desiredRecords({
      hostname: 'eu.example.com',
      zone: 'eu.example.com',
      target,
      txt: 'projectdomain-verify=t',
    });
    expect(records).toMatchObject([
      { type: 'ALIAS', name: '@' },
      { type: 'TXT', name: '_projectdomain-challenge', fqdn: '_projectdomain-challenge.eu.example.com' },
    ]);
  });
});
