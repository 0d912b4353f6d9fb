import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns, TokenEvidence } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { tokenAddresses } from '../../../../src/dns/verdict/platform-addresses.ts';
import type { TokenAnswer } from '../../../../src/rules/domain-token.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** Addresses that are not the platform's, and what asking them for the token says. */

const hostname = 'www.example.com';
const challenge = `_projectdomain-challenge.${hostname}`;
const ours = '203.0.113.10';
const proxy = '198.51.100.7';
const second = '198.51.100.8';
const third = '198.51.100.9';
const cloudflare = '104.16.0.1';

const wanted: DesiredDns = {
  hostname,
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: [ours],
  txt: { name: challenge, value: 'projectdomain-verify=mine' },
  txtRequired: false,
  ca: null,
};

const txt = name(challenge, [{ TXT: ['projectdomain-verify=mine'] }, { TXT: ['projectdomain-verify=mine'] }]);
const at = (...servers: readonly (readonly string[])[]): NameFacts =>
  name(
    hostname,
    servers.map((values) => addresses(values)),
  );
const both = (...values: readonly string[]) => at(values, values);

const evaluate = (
  names: readonly NameFacts[],
  answers: TokenEvidence['answers'] = {},
  routedBy: TokenEvidence['routedBy'] = null,
) => evaluateDns(facts(hostname, [...names, txt]), { ...wanted, token: { answers, routedBy } });

const said = (...given: Parameters<typeof evaluate>): string => {
  const { verdict, code, by } = evaluate(...given).routing;
  return verdict === 'yes' ? `yes by ${by}` : `${verdict} ${code}`;
};

describe('a foreign address', () => {
  it.each<[TokenAnswer | 'not asked', string, string, string]>([
    // answer, of an unknown server, of a known CDN, of a server that a token came through before
    ['token', 'yes by token', 'yes by token', 'yes by token'],
    ['other', 'no StrayAddress', 'unknown BehindCdn', 'no StrayAddress'],
    ['forbidden', 'unknown CdnForbids', 'unknown CdnForbids', 'unknown CdnForbids'],
    ['redirectLoop', 'unknown CdnRedirectLoop', 'unknown CdnRedirectLoop', 'unknown CdnRedirectLoop'],
    [
      'originCertificate',
      'unknown CdnNeedsOriginCertificate',
      'unknown CdnNeedsOriginCertificate',
      'unknown CdnNeedsOriginCertificate',
    ],
    ['failing', 'unknown StrayAddress', 'unknown BehindCdn', 'unknown BehindCdn'],
    ['silent', 'unknown StrayAddress', 'unknown BehindCdn', 'unknown BehindCdn'],
    ['busy', 'unknown StrayAddress', 'unknown BehindCdn', 'unknown BehindCdn'],
    ['notAllowed', 'no StrayAddress', 'no StrayAddress', 'no StrayAddress'],
    ['not asked', 'no StrayAddress', 'unknown BehindCdn', 'unknown BehindCdn'],
  ])('that answered “%s” is: %s; at a CDN: %s; after a token: %s', (answer, unknown, cdn, before) => {
    const of = (address: string) => (answer === 'not asked' ? {} : { [address]: answer });
    expect(said([both(proxy)], of(proxy))).toBe(unknown);
    expect(said([both(cloudflare)], of(cloudflare))).toBe(cdn);
    expect(said([both(proxy)], of(proxy), 'token')).toBe(before);
  });

  it.each(['target', 'addresses'] as const)(
    'of a hostname that was routed by %s is a no whatever keeps silent there, as it has moved away, and unknown only where our limits forbid to ask',
    (routedBy) => {
      for (const answer of ['forbidden', 'failing', 'silent', 'redirectLoop'] as const)
        expect(said([both(proxy)], { [proxy]: answer }, routedBy)).toBe('no StrayAddress');
      expect(said([both(proxy)], { [proxy]: 'busy' }, routedBy)).toBe('unknown StrayAddress');
      expect(said([both(proxy, second)], { [proxy]: 'busy', [second]: 'silent' }, routedBy)).toBe('no StrayAddress');
    },
  );

  it('at the end of an alias is a wrong target, and no no where nobody answered', () => {
    const alias = name(hostname, [{ A: '-> edge.cdn.test', AAAA: '-> edge.cdn.test' }]);
    const edge = name('edge.cdn.test', [addresses([proxy])], [], 'cdn.test');
    expect(said([alias, edge], { [proxy]: 'token' })).toBe('yes by token');
    expect(said([alias, edge], { [proxy]: 'other' })).toBe('no WrongTarget');
    expect(said([alias, edge], { [proxy]: 'silent' })).toBe('unknown WrongTarget');
  });
});

describe('several addresses', () => {
  it('are a yes when those that answer do so with the token', () => {
    expect(said([both(proxy, second)], { [proxy]: 'token', [second]: 'silent' })).toBe('yes by token');
    expect(said([both(proxy, second, third, ours)], { [proxy]: 'token' })).toBe('yes by token');
  });

  it('are a no when another server answers at one of them, where some visitors would go', () => {
    expect(said([both(proxy, second)], { [proxy]: 'token', [second]: 'other' })).toBe('no StrayAddress');
    expect(said([both(cloudflare, '104.16.0.2')], { [cloudflare]: 'token', '104.16.0.2': 'other' })).toBe(
      'unknown BehindCdn',
    );
  });
});

describe('a family of addresses that is not known', () => {
  it('leaves it unknown whether all visitors come here', () => {
    const half = name(hostname, [{ A: [proxy], AAAA: 'timeout' }]);
    expect(said([half], { [proxy]: 'token' })).toBe('unknown TypeUnanswered');
    expect(said([half], { [proxy]: 'other' })).toBe('no StrayAddress');
  });
});

describe('servers of the zone', () => {
  it('that show different addresses of one CDN agree, and two of them corroborate', () => {
    const answers = { [proxy]: 'token', [second]: 'token' } as const;
    expect(evaluate([at([proxy], [second])], answers)).toMatchObject({
      routing: { verdict: 'yes', by: 'token' },
      corroborated: true,
    });
  });

  it('are not corroborated by the one whose addresses were not asked', () => {
    expect(evaluate([at([proxy], [second])], { [proxy]: 'token' })).toMatchObject({
      routing: { verdict: 'yes', by: 'token' },
      corroborated: false,
    });
  });

  it('disagree when one shows the target and another a server that does not answer us', () => {
    const mixed = name(hostname, [
      { A: `-> ${wanted.target}`, AAAA: `-> ${wanted.target}` },
      addresses([proxy]),
      addresses([proxy]),
    ]);
    for (const answer of ['silent', 'forbidden', 'other', 'busy'] as const)
      expect(said([mixed], { [proxy]: answer })).toBe('unknown ServersDisagree');
    const behindCdn = name(hostname, [
      { A: `-> ${wanted.target}`, AAAA: `-> ${wanted.target}` },
      addresses([cloudflare]),
    ]);
    expect(said([behindCdn], { [cloudflare]: 'silent' })).toBe('unknown ServersDisagree');
  });

  it('disagree when one leads to a proxy of somebody who knows the token, and the others to the owner’s server', () => {
    expect(said([at([proxy], [second])], { [proxy]: 'token', [second]: 'other' })).toBe('unknown ServersDisagree');
  });
});

describe('ownership', () => {
  it('needs the TXT record where a token proves routing', () => {
    const without = evaluateDns(facts(hostname, [both(proxy), name(challenge, [{ TXT: 'NX' }])]), {
      ...wanted,
      token: { answers: { [proxy]: 'token' }, routedBy: null },
    });
    expect(without.ownership).toEqual({ verdict: 'no', code: 'TxtMissing' });
    expect(evaluate([both(proxy)], { [proxy]: 'token' }).ownership).toEqual({ verdict: 'yes', code: 'Verified' });
  });

  it('asks for it as soon as a CDN shows', () => {
    const { issues } = evaluateDns(facts(hostname, [both(cloudflare), name(challenge, [{ TXT: 'NX' }])]), wanted);
    expect(issues.map(({ code }) => code)).toEqual(['BehindCdn', 'TxtMissing']);
  });
});

describe('the issue', () => {
  it('is one, names the CDN, and gives the CDN up only at its end', () => {
    const { issues } = evaluate([both(cloudflare, '104.16.0.2')], { [cloudflare]: 'other' });
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toContain(
      '(Cloudflare (104.16.0.1): another server answered; Cloudflare (104.16.0.2): not asked yet)',
    );
    expect(issues[0]?.fix).toMatch(/^at Cloudflare, make p-mine\.cname\.apps\.example\.net the origin/);
    expect(issues[0]?.fix.indexOf('DNS only')).toBeGreaterThan(100);
  });

  it('of a server that is not the proxy leaves the proxy’s addresses alone, also those that were not asked', () => {
    const answers = { [proxy]: 'token', [second]: 'other' } as const;
    const { issues } = evaluate([both(proxy, second, third, '198.51.100.10')], answers);
    expect(issues.map((issue) => [issue.code, issue.delete.map(({ value }) => value), issue.create])).toEqual([
      ['StrayAddress', [second], []],
    ]);
  });

  it('of a server that is silent is about the record, as nobody knows of a proxy', () => {
    const { issues } = evaluate([both(proxy)], { [proxy]: 'silent' });
    expect(issues.map(({ code, fix }) => `${code}: ${fix}`)).toEqual([
      expect.stringMatching(/^StrayAddress: delete www\.example\.com\. A 198\.51\.100\.7 and create/),
    ]);
  });
});

describe('the addresses that are asked', () => {
  const asked = (...names: readonly NameFacts[]) => tokenAddresses(facts(hostname, names), wanted);

  it.each<[string, NameFacts, readonly string[]]>([
    ['none of the platform’s', both(ours), []],
    ['IPv4 first', name(hostname, [{ A: [proxy], AAAA: ['2001:db8::7'] }]), [proxy, '2001:db8::7']],
    [
      'three at most',
      both('198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'),
      [1, 2, 3].map((last) => `198.51.100.${last}`),
    ],
    [
      'one of each server before a second of any',
      at(['198.51.100.1', '198.51.100.2', '198.51.100.3'], [third], [second]),
      ['198.51.100.1', third, second],
    ],
  ])('are %s', (_, facts_, expected) => {
    expect(asked(facts_)).toEqual(expected);
  });

  it('are those at the end of aliases, and none behind the target', () => {
    const alias = name(hostname, [{ A: '-> edge.cdn.test', AAAA: '-> edge.cdn.test' }]);
    expect(asked(alias, name('edge.cdn.test', [addresses([proxy])]))).toEqual([proxy]);
    const right = name(hostname, [{ A: `-> ${wanted.target}`, AAAA: `-> ${wanted.target}` }]);
    expect(asked(right, name(wanted.target, [addresses([ours])]))).toEqual([]);
  });
});
