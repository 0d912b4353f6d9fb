import { afterEach, describe, expect, it } from '@jest/globals';
import type { Answer } from 'dns-packet';
import type { HostileDns, Script } from '../../support/hostile-dns.ts';
import {
  a,
  aaaa,
  caa,
  cname,
  delegates,
  hostileDns,
  hostname,
  ns,
  platformZone,
  serves,
  target,
  txt,
  txtName,
} from '../../support/hostile-dns.ts';

/**
 * A customer's name server cuts its answers short over UDP and gives thousands of records over TCP, so that reading and
 * judging them holds the event loop until the leader's lease is lost. Records are counted while they are read: more
 * than 64 of one kind at a name end the look as unknown.
 */

const address4 = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Says over TCP what would not fit, and over UDP only that there is more. */
const swollen =
  (records: readonly Answer[], otherwise: Script): Script =>
  (asked) => {
    const answers = records.filter(({ name, type }) => name === asked.name && type === asked.type);
    if (answers.length === 0) return otherwise(asked);
    return asked.overTcp ? { answers } : { truncated: true };
  };

const right = serves([cname(hostname, target)]);
const nothing = serves([a('example.com', '198.51.100.1')]);

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

const attack = (script: Script) =>
  hostileDns((at) => [
    delegates({ 'example.com': { 'ns1.example.com': at(1) }, 'apps.example.net': { 'ns.apps.example.net': at(2) } }),
    script,
    platformZone,
  ]);

describe('a name server that answers with more than anybody reads', () => {
  it.each<[string, readonly Answer[], string]>([
    ['2,000 addresses', many(2_000, (index) => a(hostname, address4(index))), 'routing'],
    [
      '1,400 addresses of each family',
      many(1_400, (index) => [a(hostname, address4(index)), aaaa(hostname, `2001:db8::${index.toString(16)}`)]).flat(),
      'routing',
    ],
    ['1,000 addresses at the end of an alias', many(1_000, (index) => a('far.example.com', address4(index))), 'alias'],
    ['600 aliases of one name', many(600, (index) => cname(hostname, `n${index}.example.com`)), 'cname'],
  ])('%s make the route unknown, and the issue says why', async (_, records, kind) => {
    const asType = records.map((record) => (kind === 'cname' ? { ...record, name: hostname } : record));
    const script: Script = (asked) => {
      if (kind === 'cname' && asked.name === hostname) {
        return asked.overTcp ? { answers: [...asType] } : { truncated: true };
      }
      const base = kind === 'alias' ? serves([cname(hostname, 'far.example.com')]) : nothing;
      return swollen(records, base)(asked);
    };
    dnsServers = await attack(script);
    const verdict = await dnsServers.look({ ca: null });
    expect(verdict.routing.verdict).toBe('unknown');
    expect(verdict.issues[0]?.message).toContain('bounds-exceeded');
    expect(verdict.discovered.length).toBeLessThanOrEqual(128);
    expect(JSON.stringify(verdict).length).toBeLessThan(64 * 1024);
  });

  it('800 ownership records prove nothing, and the right one among them neither', async () => {
    const texts = [...many(800, (index) => txt(txtName, `projectdomain-verify=${index}`)), txt(txtName, 'right')];
    dnsServers = await attack(swollen(texts, right));
    const verdict = await dnsServers.look({ txtRequired: true });
    expect(verdict.ownership.verdict).toBe('unknown');
  });

  it('500 CAA records permit nothing', async () => {
    dnsServers = await attack(
      swollen(
        many(500, () => caa(hostname, 'ca.test')),
        right,
      ),
    );
    expect((await dnsServers.look()).caa.verdict).toBe('unknown');
  });

  it('500 name servers of the zone add none', async () => {
    const servers = many(500, (index) => ns('example.com', `ns${index}.example.com`));
    dnsServers = await attack(swollen(servers, right));
    const { routing, nameServers } = await dnsServers.look();
    expect(routing.verdict).toBe('yes');
    expect(nameServers).toEqual(['ns1.example.com']);
  });

  it('64 records of a kind are read as ever', async () => {
    dnsServers = await attack(serves(many(64, (index) => a(hostname, address4(index)))));
    expect((await dnsServers.look()).routing).toMatchObject({ verdict: 'no', code: 'StrayAddress' });
  });
});
