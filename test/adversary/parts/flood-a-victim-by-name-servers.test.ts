import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkLimits } from '../../../src/dns/lookup/check-budget.ts';
import { serverRates } from '../../../src/dns/lookup/server-rate.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { always, delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/**
 * A zone delegates to many names, or to names in a victim's zone without glue (NXNSAttack), or a thousand domains name
 * the victim's address as their server, so that our checks become a flood against somebody else. Look-ups of servers
 * are few and by distinct name, a server's packets are counted within a check, and over all checks it has a rate.
 */

const root = '8.0.0.1';
const victim = '8.66.0.1';
const target = 'p-x.cname.apps.example.net';
const thirteen = Array.from({ length: 13 }, (_, index) => index);

function dnsServers(servers: Readonly<Record<string, Behaviour>>) {
  const scripted = scriptedWorld({ '8.0.0.9': zone({ [`${target} A`]: ['203.0.113.10'] }), ...servers });
  const endpoint = { address: root, port: 53 };
  const dns = createDnsChecker({ roots: [endpoint], resolvers: [], permitted: [] }, scripted.exchange);
  const check = (hostname: string, signal = AbortSignal.timeout(6_000)) =>
    dns.check(
      { hostname, target, txtName: `_projectdomain-challenge.${hostname}`, txtRequired: false, caa: true },
      signal,
    );
  const to = (address: string) => scripted.sent.filter((sent) => sent === address).length;
  return { check, to, sent: scripted.sent };
}

afterEach(() => void jest.useRealTimers());

const platform = delegate('apps.example.net', 'ns.dns.test=8.0.0.9');

describe('a zone whose servers lead to a victim', () => {
  it('by thirteen names in its zone: at most ten packets come to it', async () => {
    const names = thirteen.map((index) => `ns${index}.victim.test`);
    const { check, to, sent } = dnsServers({
      [root]: together(
        delegate('example.com', ...names),
        delegate('victim.test', `ns.victim.test=${victim}`),
        platform,
      ),
      [victim]: always({ rcode: 'NXDOMAIN' }),
    });
    await check('www.example.com');
    expect(to(victim)).toBeGreaterThan(0);
    expect(to(victim)).toBeLessThanOrEqual(10);
    expect(sent.length).toBeLessThanOrEqual(checkLimits.packets);
  });

  it('by thirteen names with the one address: it is asked as one server', async () => {
    const names = thirteen.map((index) => `ns${index}.dns.test=${victim}`);
    const { check, to } = dnsServers({ [root]: together(delegate('example.com', ...names), platform) });
    await check('www.example.com');
    expect(to(victim)).toBeLessThanOrEqual(10);
  });

  it('by a chain of aliases through a zone that is served there: one server has no more than its share', async () => {
    const links = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`n${index}.example.com CNAME`, [`n${index + 1}.example.com`]]),
    );
    const { check, to } = dnsServers({
      [root]: together(delegate('example.com', `ns1.dns.test=${victim}`), platform),
      [victim]: zone({ 'www.example.com CNAME': ['n0.example.com'], ...links }),
    });
    await check('www.example.com');
    expect(to(victim)).toBeLessThanOrEqual(checkLimits.packetsPerServer);
  });

  it.each<[string, Behaviour, number]>([
    ['that never answers', always('timeout'), serverRates.unproven],
    ['that refuses', always({ rcode: 'REFUSED' }), serverRates.proven],
  ])('by three hundred domains at an address %s: a second brings no more than the rate', async (_, says, rate) => {
    const { check, to } = dnsServers({
      [root]: together(({ name }) =>
        delegate(name.split('.').slice(-2).join('.'), `ns1.dns.test=${victim}`)({ name, type: 'NS', recursive: false }),
      ),
      [victim]: says,
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    // The process has run for a while, in which nothing was sent there.
    jest.advanceTimersByTime(60_000);
    const ended = new AbortController();
    const checks = Array.from({ length: 300 }, (_, index) => check(`www.evil${index}.com`, ended.signal));
    for (const seconds of [0.5, 1, 1.5]) {
      await jest.advanceTimersByTimeAsync(500);
      expect(to(victim)).toBeGreaterThan(serverRates.unproven);
      // After a pause a second's packets are sent at once.
      expect(to(victim)).toBeLessThanOrEqual(Math.ceil(rate * (1 + seconds)) + 1);
    }
    ended.abort();
    await Promise.all(checks);
    expect(to(victim)).toBeLessThanOrEqual(Math.ceil(rate * 2.5) + 1);
  });
});
