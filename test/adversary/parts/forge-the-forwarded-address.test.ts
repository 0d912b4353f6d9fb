import { describe, expect, it } from '@jest/globals';
import { forwardedHttps, noticeForwarding } from '../../../src/server/client-address.ts';
import { range } from '../../../src/lib/config-checks.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A stranger writes X-Forwarded-For and X-Forwarded-Proto himself, to have a budget for each invented address or to be
 * somebody else. Both are read from their end, and only as far as configured proxies wrote them.
 */

const proxy = '127.0.9.9';
const part = attackPart({ trustedProxies: [`${proxy}/32`] });

/** Sixty and more calls without a key, each claiming another address; how many were refused. */
async function refusedOf(from: string, claim: (index: number) => string): Promise<number> {
  let refused = 0;
  for (let index = 0; index < 80; index += 1) {
    const { status } = await part.api.rest(null, '/v1/account', { from, headers: { 'x-forwarded-for': claim(index) } });
    if (status === 429) refused += 1;
  }
  return refused;
}

describe('whoever invents addresses', () => {
  it.each<[string, string, (index: number) => string]>([
    ['without a proxy', '127.0.3.1', (index) => `198.51.100.${index}`],
    ['without a proxy, pretending to be one', '127.0.3.2', (index) => `198.51.100.${index}, ${proxy}`],
    ['through a proxy that appends', proxy, (index) => `198.51.100.${index}, 203.0.113.1`],
    ['of one IPv6 network through a proxy', proxy, (index) => `2001:db8::${index}`],
    ['as IPv4 within IPv6', proxy, (index) => `198.51.100.${index}, ::ffff:203.0.113.2`],
    ['that are none, with one real', proxy, (index) => `198.51.100.${index}, unknown, 203.0.113.3, <b>`],
    ['before a port that the proxy appends', proxy, (index) => `198.51.100.${index}, 203.0.113.5:5011`],
    ['before a port that is another each time', proxy, (index) => `198.51.100.${index}, 203.0.113.6:${5_000 + index}`],
    ['before IPv6 with a port', proxy, (index) => `198.51.100.${index}, [2001:db8:7::${index}]:443`],
    ['before quotes', proxy, (index) => `198.51.100.${index}, "203.0.113.8:80"`],
    ['behind a quote left open', proxy, (index) => `198.51.100.${index}, ", 203.0.113.9`],
    ['before a client that is not known', proxy, (index) => `198.51.100.${index}, unknown`],
    ['before a client that is hidden', proxy, (index) => `198.51.100.${index}, _hidden`],
    ['before nothing', proxy, (index) => `198.51.100.${index}, `],
    ['before a zone', proxy, (index) => `198.51.100.${index}, 2001:db8:8::1%${index}`],
    ['behind a thousand others', proxy, (index) => `${'10.0.0.1,'.repeat(1_000)}198.51.100.${index}, 203.0.113.4`],
  ])('%s has one budget', async (_, from, claim) => {
    expect(await refusedOf(from, claim)).toBeGreaterThanOrEqual(14);
  });

  it('has one budget by a header that the proxy does not write', async () => {
    let refused = 0;
    for (let index = 0; index < 80; index += 1) {
      const forwarded = `for=198.51.100.${index}`;
      const { status } = await part.api.rest(null, '/v1/account', { from: proxy, headers: { forwarded } });
      if (status === 429) refused += 1;
    }
    expect(refused).toBeGreaterThanOrEqual(14);
  });

  it('and strangers behind a proxy that appends ports have one each', async () => {
    for (const stranger of ['203.0.113.101', '203.0.113.102', '203.0.113.103']) {
      const headers = { 'x-forwarded-for': `${stranger}:5011` };
      const answer = await part.api.rest(null, '/v1/account', { from: proxy, headers });
      expect(answer.headers['x-ratelimit-remaining']).toBe('59');
    }
  });

  it('leaves the budget of the address he claims alone', async () => {
    await refusedOf('127.0.3.5', () => '203.0.113.77');
    const { status } = await part.api.rest(null, '/v1/account', {
      from: proxy,
      headers: { 'x-forwarded-for': '203.0.113.77' },
    });
    expect(status).toBe(401);
  });
});

describe('HSTS', () => {
  it.each<[string, string, string | undefined, boolean]>([
    ['is offered for HTTPS by a trusted proxy’s word', proxy, 'https', true],
    ['is offered by the last word', proxy, 'http, https', true],
    ['is not offered over HTTP', proxy, 'http', false],
    ['is not offered by the client’s own word before the proxy’s', proxy, 'https, http', false],
    ['is not offered by anybody’s word', '127.0.3.6', 'https', false],
    ['is not offered without one', proxy, undefined, false],
  ])('%s', async (_, from, proto, offered) => {
    const headers: Record<string, string> = proto === undefined ? {} : { 'x-forwarded-proto': proto };
    for (const path of ['/v1/account', '/dashboard/sign-in', '/nothing']) {
      const answer = await part.api.rest(null, path, { from, headers });
      expect(answer.headers['strict-transport-security']).toBe(offered ? 'max-age=31536000' : undefined);
    }
    expect(forwardedHttps([], 'X-Forwarded-For')({ socket: { remoteAddress: from }, headers } as never)).toBe(false);
  });
});

describe('who sets the ranges', () => {
  it.each(['0.0.0.0/0', '::/0', '10.0.0.0', '10.0.0.0/33', 'proxy/8', '10.0.0.0/8/8', ''])(
    'is refused %j, by which everybody or nobody would be believed',
    (given) => expect(range(given, 'trustedProxies')).toHaveLength(1),
  );

  it('is told once of a peer that forwards and is not among them', () => {
    const told: string[] = [];
    const notice = noticeForwarding([`${proxy}/32`], 'X-Forwarded-For', (fault, peer) => told.push(`${fault} ${peer}`));
    const ask = (remoteAddress: string, headers: object) => notice({ socket: { remoteAddress }, headers } as never);
    ask('127.0.3.7', {});
    ask(proxy, { 'x-forwarded-for': '203.0.113.1' });
    expect(told).toEqual([]);
    for (let count = 0; count < 3; count += 1) ask('127.0.3.7', { 'x-forwarded-for': '203.0.113.1' });
    expect(told).toEqual(['untrusted 127.0.3.7']);
  });
});
