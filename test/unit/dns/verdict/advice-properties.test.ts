import { describe, expect, it } from '@jest/globals';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns, DnsVerdict } from '../../../../src/dns/verdict/dns-verdict.ts';
import type { ZoneRecord } from '../../../support/zone-facts.ts';
import { afterAdvice, zoneFacts } from '../../../support/zone-facts.ts';
import { drawn, fc } from '../../../support/property.ts';

/**
 * Of any zone, however its records are mixed, advice that is followed to the letter leads to a yes. A code whose lists
 * do not mend its own mistake, or whose mending makes another one, fails here.
 */

const apex = 'example.com';
const target = 'p-mine.cname.apps.example.net';
const ours = ['203.0.113.10', '203.0.113.11'];
const right = 'projectdomain-verify=right';

const wantedFor = (hostname: string, txtRequired: boolean): DesiredDns => ({
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: ours,
  txt: { name: `_projectdomain-challenge.${hostname}`, value: right },
  txtRequired,
  ca: { domains: ['ca.test'], accountUri: 'https://ca.test/1', method: 'http-01', caaProfile: 'strict' },
});

const record = (type: string, values: readonly string[], names: readonly string[]): fc.Arbitrary<ZoneRecord> =>
  fc.record({ type: fc.constant(type), value: fc.constantFrom(...values), fqdn: fc.constantFrom(...names) });

const caaValues = [
  '0 issue "ca.test"',
  '0 issue "other.test"',
  '0 issue ";"',
  '0 issue "ca.test; accounturi=https://ca.test/2"',
  '0 issue "ca.test; validationmethods=dns-01"',
  '0 issue "%%%"',
  '0 issuewild "other.test"',
  '128 tbs "x"',
  '0 iodef "mailto:a@example.com"',
];

/** Records at the hostname, at its challenge name, at the apex and at an alias of the customer's own. */
function zoneOf(hostname: string): fc.Arbitrary<readonly ZoneRecord[]> {
  const challenge = `_projectdomain-challenge.${hostname}`;
  const [own, end] = ['a.example.com', 'b.example.com'];
  const aliases = [target, 'p-other.cname.apps.example.net', 'cname.apps.example.net', own, end, hostname, 'gone.test'];
  const any = fc.oneof(
    record('A', [...ours, '198.51.100.7', '198.51.100.8'], [hostname, own, end, apex]),
    record('AAAA', ['2001:db8::7'], [hostname, own]),
    record('CNAME', aliases, [hostname, own, end, `${hostname}.${apex}`]),
    record('TXT', [right, 'projectdomain-verify=old', 'v=spf1 -all'], [challenge, end]),
    record('CNAME', [end, hostname], [challenge]),
    record('CAA', caaValues, [hostname, apex, own]),
  );
  return fc.array(any, { maxLength: 14 }).map(asLoaded);
}

/** A server loads one CNAME at a name, with nothing beside it, and none at the apex. */
function asLoaded(records: readonly ZoneRecord[]): readonly ZoneRecord[] {
  const aliases = new Map(
    records.filter(({ type, fqdn }) => type === 'CNAME' && fqdn !== apex).map((alias) => [alias.fqdn, alias]),
  );
  return [...records.filter(({ fqdn, type }) => type !== 'CNAME' && !aliases.has(fqdn)), ...aliases.values()];
}

const platform: readonly ZoneRecord[] = ours.map((value) => ({ fqdn: target, type: 'A', value }));

function evaluated(wanted: DesiredDns, versions: readonly (readonly ZoneRecord[])[]): DnsVerdict {
  const { hostname, txt } = wanted;
  const climb = hostname.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  const names = [hostname, ...climb, target, `${hostname}.${apex}`, txt?.name ?? ''];
  const served = versions.map((zone) => [...zone, ...platform]);
  return evaluateDns(zoneFacts(hostname, { apex, versions: served, names }), wanted);
}

const isYes = ({ routing, ownership, caa }: DnsVerdict): boolean =>
  [routing, ownership, caa].every(({ verdict }) => verdict === 'yes');

/** Follows the advice until there is none for the owner; the last verdict, and every verdict on the way. */
function followed(wanted: DesiredDns, zone: readonly ZoneRecord[], most: number): readonly DnsVerdict[] {
  const verdicts = [evaluated(wanted, [zone])];
  for (let [round, current] = [0, zone]; round < most; round += 1) {
    const last = verdicts.at(-1);
    if (!last || isYes(last)) return verdicts;
    current = afterAdvice(current, last.issues, ours);
    verdicts.push(evaluated(wanted, [current]));
  }
  return verdicts;
}

const hostnames = fc.constantFrom('www.example.com', 'www.shop.example.com', apex);
const cases = hostnames.chain((hostname) =>
  fc.record({ hostname: fc.constant(hostname), txtRequired: fc.boolean(), zone: zoneOf(hostname) }),
);

describe('advice about any zone', () => {
  it('leads to a yes when it is followed, three times at most', () => {
    fc.assert(
      fc.property(cases, ({ hostname, txtRequired, zone }) => {
        const verdicts = followed(wantedFor(hostname, txtRequired), zone, 3);
        const last = verdicts.at(-1);
        return last !== undefined && (isYes(last) || last.issues.every(({ actor }) => actor !== 'Owner'));
      }),
      { numRuns: drawn(3_000) },
    );
  });

  it('never deletes a record that is desired, or that it creates, or our address unless a CNAME replaces it', () => {
    fc.assert(
      fc.property(cases, ({ hostname, txtRequired, zone }) => {
        const wanted = wantedFor(hostname, txtRequired);
        for (const { issues } of followed(wanted, zone, 3)) {
          const created = issues.flatMap(({ create }) => create).map((one) => `${one.fqdn} ${one.type} ${one.value}`);
          const kept = new Set([
            ...created,
            `${wanted.txt?.name} TXT ${right}`,
            ...(hostname === apex ? [] : [`${hostname} CNAME ${target}`]),
          ]);
          const deleted = issues.flatMap((issue) => issue.delete);
          expect(deleted.filter(({ fqdn, type, value }) => kept.has(`${fqdn} ${type} ${value}`))).toEqual([]);
          const addresses = deleted.filter(({ type, value }) => type === 'A' && ours.includes(value));
          expect(addresses.filter(({ fqdn }) => !created.includes(`${fqdn} CNAME ${target}`))).toEqual([]);
        }
      }),
      { numRuns: drawn(2_000) },
    );
  });

  it('of servers that differ, leaves alone what is right on one of them', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ hostname, txtRequired, zone }, isFirst) => {
        const wanted = wantedFor(hostname, txtRequired);
        const [stale, current] = [zone, afterAdvice(zone, evaluated(wanted, [zone]).issues, ours)];
        const { issues } = evaluated(wanted, isFirst ? [stale, current] : [current, stale]);
        const alone = evaluated(wanted, [current]);
        if (!isYes(alone)) return;
        const routing = issues.filter(({ code }) => code === 'ServersDisagree');
        expect(routing.flatMap((issue) => [...issue.delete, ...issue.create])).toEqual([]);
        expect(routing.filter(({ actor }) => actor === 'Owner')).toEqual([]);
      }),
      { numRuns: drawn(1_000) },
    );
  });
});
