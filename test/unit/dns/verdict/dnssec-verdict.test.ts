import { describe, expect, it } from '@jest/globals';
import type { ValidatedAnswer, ZoneSigning } from '../../../../src/dns/dnssec-facts.ts';
import type { DnsVerdict } from '../../../../src/dns/verdict/dns-verdict.ts';
import { withDnssec } from '../../../../src/dns/verdict/dnssec-verdict.ts';
import { at, dnssec, resolver, says, server, set, signature, zone } from '../../../support/dnssec-facts.ts';
import { verdict } from '../../../support/snapshot.ts';
import { fc } from '../../../support/property.ts';

/** What DNSSEC may do to verdicts, whatever resolvers and zones say: make them unknown, and nothing else. */

const validation = fc.constantFrom<ValidatedAnswer['validation']>('valid', 'bogus', 'unanswered');
const type = fc.constantFrom<ValidatedAnswer['type']>('A', 'AAAA', 'CAA', 'TXT');
const answer = fc.tuple(validation, type, fc.boolean()).map(([one, of, has]) => says(one, of, has));
const resolvers = fc.array(
  fc.array(answer, { maxLength: 5 }).map((answers) => resolver(...answers)),
  { maxLength: 4 },
);
const signatures = fc.array(
  fc.record({ keyTag: fc.constantFrom(7, 9), expiration: fc.constantFrom(at - 1, at + 1) }).map(signature),
  { maxLength: 3 },
);
const zones: fc.Arbitrary<readonly ZoneSigning[]> = fc.array(
  fc.tuple(fc.boolean(), signatures).map(([isSigned, list]) =>
    zone({
      delegationSigners: isSigned ? [{ keyTag: 7, algorithm: 13, isSupported: true }] : [],
      servers: [server({ sets: [set('www.example.com', 'A', ...list)] })],
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
      fc.property(before, resolvers, zones, (given, said, signing) => {
        const facts = {
          hostname: 'www.example.com',
          names: {},
          asked: [],
          dnssec: dnssec(signing, { resolvers: said }),
        };
        const after = withDnssec(given, facts);
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
    expect(withDnssec(given, { hostname: 'www.example.com', names: {}, asked: [] })).toBe(given);
  });

  it('says nothing to customers where no resolver is configured, as they cannot change that', () => {
    const facts = { hostname: 'www.example.com', names: {}, asked: [], dnssec: dnssec([], { resolvers: [] }) };
    expect(withDnssec(verdict(), facts)).toMatchObject({ dnssec: 'Unchecked', issues: [] });
  });
});
