import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkLimits } from '../../../src/dns/lookup/check-budget.ts';
import type { DnsFacts, NameFacts } from '../../../src/dns/dns-facts.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/**
 * Aliases that lead on and on, in circles over zones, or to other names at every server, so that asking never ends or
 * judging visits every way through them. Names that are looked at are few, and each is judged once.
 */

const root = '8.0.0.1';
const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: [],
  txt: null,
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
};

async function look(servers: Readonly<Record<string, Behaviour>>) {
  const dnsServers = scriptedWorld({ '8.0.0.9': zone({ [`${target} A`]: ['203.0.113.10'] }), ...servers });
  const dns = createDnsChecker(
    { roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] },
    dnsServers.exchange,
  );
  const found = await dns.check(
    { hostname, target, txtName: null, txtRequired: false, caa: true },
    new AbortController().signal,
  );
  return { found, sent: dnsServers.sent.length, verdict: evaluateDns(found, wanted) };
}

const platform = delegate('apps.example.net', 'ns.dns.test=8.0.0.9');
const looked = ({ names }: DnsFacts) => Object.keys(names).filter((at) => at.endsWith('.test') || at.endsWith('.com'));

describe('aliases without an end', () => {
  it('a circle over two zones is a no that says so', async () => {
    const { verdict } = await look({
      [root]: together(
        delegate('example.com', 'a.dns.test=8.2.0.1'),
        delegate('other.test', 'b.dns.test=8.2.0.2'),
        platform,
      ),
      '8.2.0.1': zone({ [`${hostname} CNAME`]: ['www.other.test'] }),
      '8.2.0.2': zone({ 'www.other.test CNAME': [hostname] }),
    });
    expect(verdict.routing).toMatchObject({ verdict: 'no', code: 'AliasLoop' });
    expect(verdict.caa.verdict).toBe('unknown');
  });

  it.each([8, 9, 30])('a chain of %i aliases is followed to the eighth, and unknown beyond', async (length) => {
    const links = Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `${index === 0 ? hostname : `n${index}.example.com`} CNAME`,
        [index === length - 1 ? target : `n${index + 1}.example.com`],
      ]),
    );
    const { verdict, sent } = await look({
      [root]: together(delegate('example.com', 'a.dns.test=8.2.0.1'), platform),
      '8.2.0.1': zone(links),
    });
    expect(verdict.routing.verdict).toBe(length <= checkLimits.aliases ? 'yes' : 'unknown');
    expect(sent).toBeLessThanOrEqual(checkLimits.packets);
  });

  it('a new name at every answer ends after eight names', async () => {
    let number = 0;
    const endless: Behaviour = ({ name: at, type }) =>
      type === 'NS'
        ? zone({})({ name: at, type, recursive: false })
        : zone({ [`${at} CNAME`]: [`n${(number += 1)}.example.com`] })({ name: at, type, recursive: false });
    const { found, sent, verdict } = await look({
      [root]: together(delegate('example.com', 'a.dns.test=8.2.0.1', 'b.dns.test=8.2.0.2'), platform),
      '8.2.0.1': endless,
      '8.2.0.2': endless,
    });
    expect(looked(found).length).toBeLessThanOrEqual(4 * (checkLimits.aliases + 2));
    expect(sent).toBeLessThanOrEqual(checkLimits.packets);
    expect(verdict.routing.verdict).not.toBe('yes');
  });

  it('thirteen servers that each lead on at eight names are judged once a name, not once a way', () => {
    const names: NameFacts[] = Array.from({ length: 9 }, (_, index) =>
      name(
        index === 0 ? hostname : `n${index}.example.com`,
        Array.from({ length: 13 }, () => addresses(index === 8 ? ['198.51.100.1'] : `-> n${index + 1}.example.com`)),
      ),
    );
    let reads = 0;
    const counted = new Proxy(facts(hostname, names).names, {
      get: (all, key: string) => {
        reads += 1;
        return all[key];
      },
    });
    expect(evaluateDns({ hostname, names: counted, asked: [] }, { ...wanted, ca: null }).routing.code).toBe(
      'WrongTarget',
    );
    expect(reads).toBeLessThan(1_000);
  });
});
