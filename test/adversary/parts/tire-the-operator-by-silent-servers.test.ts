import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { createSilence, silenceLimits } from '../../../src/dns/lookup/silent-servers.ts';
import { delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/**
 * A thousand domains on name servers that never answer are looked at again and again, each time waiting for nothing.
 * Silence is remembered by server and domain, for a pause that doubles, in a memory that is bounded; a neighbour on the
 * same server is not held by it.
 */

const root = '8.0.0.1';
const server = '8.66.0.1';
const target = 'p-x.cname.apps.example.net';

function dnsServers() {
  const { exchange, sent } = scriptedWorld({
    [root]: together(
      delegate('silent.com', `ns1.dns.test=${server}`),
      delegate('neighbour.com', `ns1.dns.test=${server}`),
      delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
    ),
    '8.0.0.9': zone({ [`${target} A`]: ['203.0.113.10'] }),
    [server]: (question) =>
      question.name.endsWith('silent.com') ? 'timeout' : zone({ 'www.neighbour.com CNAME': [target] })(question),
  });
  const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] }, exchange);
  const check = (hostname: string) =>
    dns.check({ hostname, target, txtName: null, txtRequired: false, caa: true }, new AbortController().signal);
  return { check, packets: () => sent.filter((address) => address === server).length };
}

describe('domains on a silent name server', () => {
  it('cost few packets once, and none while the pause lasts', async () => {
    const { check, packets } = dnsServers();
    await check('www.silent.com');
    const once = packets();
    expect(once).toBeLessThanOrEqual(8);
    for (let look = 0; look < 20; look += 1) await check('www.silent.com');
    expect(packets()).toBe(once);
  });

  it('do not keep a neighbour on the same server from being looked at', async () => {
    const { check } = dnsServers();
    for (let look = 0; look < 20; look += 1) await check(`www${look}.silent.com`);
    const facts = await check('www.neighbour.com');
    expect(facts.names['www.neighbour.com']?.authorities[0]?.outcomes.A?.kind).toBe('alias');
  });

  it('are remembered up to a bound, whatever their number', () => {
    const silence = createSilence();
    for (let index = 0; index < silenceLimits.entries * 2; index += 1) {
      for (let time = 0; time < silenceLimits.questions; time += 1) {
        silence.note(server, `evil${index}.com`, { answered: false, at: 0 });
      }
    }
    expect(silence.holds(server, 'evil0.com', 1)).toBe(false);
    expect(silence.holds(server, `evil${silenceLimits.entries * 2 - 1}.com`, 1)).toBe(true);
  });

  it('are asked again after the pause, which grows to a bound and ends with an answer', () => {
    const silence = createSilence();
    const silent = (at: number) => silence.note(server, 'silent.com', { answered: false, at });
    let at = 0;
    for (let time = 0; time < 12; time += 1) {
      silent(at);
      while (silence.holds(server, 'silent.com', at)) at += 1_000;
    }
    expect(silence.holds(server, 'silent.com', at)).toBe(false);
    silent(at);
    expect(silence.holds(server, 'silent.com', at + silenceLimits.longestMs - 1)).toBe(true);
    expect(silence.holds(server, 'silent.com', at + silenceLimits.longestMs)).toBe(false);
    silence.note(server, 'silent.com', { answered: true, at });
    silent(at);
    expect(silence.holds(server, 'silent.com', at + 1)).toBe(false);
  });
});
