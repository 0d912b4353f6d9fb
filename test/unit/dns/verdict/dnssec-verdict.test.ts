import { describe, expect, it } from '@jest/globals';
import type { ValidatedAnswer, ZoneSigning } from '../../../../src/dns/dnssec-facts.ts';
import type { DesiredDns, DnsVerdict } from '../../../../src/dns/verdict/dns-verdict.ts';
import { withDnssec } from '../../../../src/dns/verdict/dnssec-verdict.ts';
import { dnssec, resolver, says, server, set, signature, zone } from '../../../support/dnssec-facts.ts';
import { verdict } from '../../../support/snapshot.ts';
import { fc } from '../../../support/property.ts';

/** What DNSSEC may do to verdicts, whatever resolvers and zones say: make them unknown, and nothing else. */

const desired = (trustsMendedZone: boolean): DesiredDns => ({
  hostname: 'www.example.com',
  target: 'p-x.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: [],
  platformAddresses: [],
  txt: null,
  txtRequired: false,
  ca: null,
  trustsMendedZone,
});

const validation = fc.constantFrom<ValidatedAnswer['validation']>('valid', 'bogus', 'unanswered');
const type = fc.constantFrom<ValidatedAnswer['type']>('A', 'AAAA', 'CAA', 'TXT');
const answer = fc.tuple(validation, type, fc.boolean()).map(([one, of, has]) => says(one, of, has));
const resolvers = fc.array(
  fc.array(answer, { maxLength: 5 }).map((answers) => resolver(...answers)),
  { maxLength: 4 },
);
const signatures = fc.array(
  fc
    .record({
      verifies: fc.constantFrom(true, false, null),
      byDelegatedKey: fc.boolean(),
      keyTag: fc.constantFrom(7, 9),
    })
    .map(signature),
  { maxLength: 3 },
);
const zones: fc.Arbitrary<readonly ZoneSigning[]> = fc.array(
  fc.tuple(fc.boolean(), signatures, fc.boolean()).map(([isSigned, list, hasAnsweredAll]) =>
    zone({
      delegationSigners: isSigned ? [{ keyTag: 7, algorithm: 13, isSupported: true }] : [],
      servers: [server({ sets: [set('www.example.com', 'A', ...list)], hasAnsweredAll })],
    }),
  ),
  { maxLength: 3 },
);
const word = fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const);
const before = fc.tuple(word, word, word, fc.boolean()).map(([routing, ownership, caa, corroborated]) =>
  verdict({
    routing: { verdict: routing, code: 'Verified', by: routing === 'yes' ? 'target' : null },
    ownership: { verdict: ownership, code: 'Verified' },
    caa: { verdict: caa, code: 'Verified' },
    corroborated,
  }),
);
const words = ({ routing, ownership, caa }: DnsVerdict) => [routing, ownership, caa].map((one) => one.verdict);

describe('DNSSEC', () => {
  it('leaves every verdict as it was, or makes all of them unknown and uncorroborated', () => {
    fc.assert(
      fc.property(before, resolvers, zones, fc.boolean(), (given, said, signing, trusts) => {
        const facts = {
          hostname: 'www.example.com',
          names: {},
          asked: [],
          dnssec: dnssec(signing, { resolvers: said }),
        };
        const after = withDnssec(given, facts, desired(trusts));
        if (after.dnssec !== 'Bogus') {
          expect([words(after), after.corroborated]).toEqual([words(given), given.corroborated]);
          return;
        }
        expect(words(after)).toEqual(['unknown', 'unknown', 'unknown']);
        expect(after.corroborated).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('says nothing where it was not looked at', () => {
    const given = verdict();
    expect(withDnssec(given, { hostname: 'www.example.com', names: {}, asked: [] }, desired(false))).toBe(given);
  });

  it('says nothing to customers where no resolver is configured, as they cannot change that', () => {
    const facts = { hostname: 'www.example.com', names: {}, asked: [], dnssec: dnssec([], { resolvers: [] }) };
    expect(withDnssec(verdict(), facts, desired(false))).toMatchObject({ dnssec: 'Unchecked', issues: [] });
  });
});
