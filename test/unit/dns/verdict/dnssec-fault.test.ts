import { describe, expect, it } from '@jest/globals';
import type { DnssecFacts, RecordSignature, SigningServer, ZoneSigning } from '../../../../src/dns/dnssec-facts.ts';
import { dnssecFault, bogusIssue } from '../../../../src/dns/verdict/dnssec-verdict.ts';
import { at, dnssec, resolver, says, server, set, signature, zone } from '../../../support/dnssec-facts.ts';

/** Which fault the servers of zones show, and what the issue says of it. Real zones: test/corpus/dnssec. */

const day = 86_400;
const ofWww = (...signatures: readonly RecordSignature[]): Partial<SigningServer> => ({
  sets: [set('www.example.com', 'A', ...signatures)],
});
const one = (changes: Partial<SigningServer>): ZoneSigning => zone({ servers: [server(changes)] });
const expired = signature({ expiration: at - 1 });

const wordsOf = (facts: DnssecFacts): string => {
  const { message, fix } = bogusIssue('www.example.com', facts);
  return `${message}; ${fix}`;
};

describe('a fault', () => {
  it.each<[string, ZoneSigning, string, readonly string[]]>([
    [
      'the parent names another key',
      one({ keys: [{ keyTag: 9, algorithm: 8, isDelegated: false }] }),
      'DsWithoutKey',
      ['key 7 (algorithm 13)', 'key 9 (algorithm 8)', 'at your registrar, replace the DS record of example.com'],
    ],
    [
      'the parent names a key, and the zone has none',
      one({ keys: [], keySignatures: [], sets: [] }),
      'DsWithoutKey',
      ['key 7', 'gives no keys', 'at your registrar, delete the DS record'],
    ],
    [
      'the keys are signed by a key that the parent does not name',
      one({ keySignatures: [signature({ keyTag: 9 })] }),
      'KeysNotSigned',
      ['key 7', 'did not sign the keys', 'at your registrar, replace'],
    ],
    [
      'the signature by the key that the parent names has expired, that by another has not',
      one({ keySignatures: [expired, signature({ keyTag: 9 })] }),
      'SignatureExpired',
      ['example.com DNSKEY', 'key 7', '2026-01-01 11:59 UTC', 'sign the zone again'],
    ],
    ['no signature', one(ofWww()), 'SignatureMissing', ['www.example.com A', 'ns1 (192.0.2.1)']],
    ['an expired signature', one(ofWww(expired)), 'SignatureExpired', ['www.example.com A', 'key 7 (algorithm 13)']],
    [
      'of several expired signatures the last',
      one(ofWww(signature({ expiration: at - 9 * day, keyTag: 9 }), expired)),
      'SignatureExpired',
      ['key 7'],
    ],
    [
      'a signature that begins tomorrow',
      one(ofWww(signature({ inception: at + day, expiration: at + 9 * day }))),
      'SignatureNotYetValid',
      ['is valid from 2026-01-02'],
    ],
    ['keys without a signature', one({ keySignatures: [] }), 'SignatureMissing', ['example.com DNSKEY']],
    [
      'a signature by a key that is not there',
      one(ofWww(signature({ keyTag: 9 }))),
      'SignatureByUnknownKey',
      ['key 9', 'not among the keys'],
    ],
    [
      'only the second server has it',
      zone({ servers: [server(), server({ source: 'ns2 (192.0.2.2)', ...ofWww(expired) })] }),
      'SignatureExpired',
      ['ns2 (192.0.2.2)'],
    ],
  ])('%s', (_, broken, kind, words) => {
    expect(dnssecFault(dnssec([broken]))).toMatchObject({ kind, zone: 'example.com' });
    for (const text of ['DNSSEC of example.com', ...words]) expect(wordsOf(dnssec([broken]))).toContain(text);
  });

  it('is that of the topmost zone, as the others rest on it', () => {
    const below = { ...one(ofWww(expired)), zone: 'eu.example.com' };
    expect(dnssecFault(dnssec([one(ofWww()), below]))).toMatchObject({ kind: 'SignatureMissing', zone: 'example.com' });
  });
});

describe('no fault can be seen', () => {
  const unsigned = (delegationSigners: ZoneSigning['delegationSigners']) =>
    zone({ ...one(ofWww()), delegationSigners });
  const below = { ...one(ofWww(expired)), zone: 'eu.example.com' };
  it.each<[string, DnssecFacts]>([
    ['everything is signed', dnssec([zone()])],
    ['one of two signatures is in date', dnssec([one(ofWww(expired, signature()))])],
    ['the zone is not signed', dnssec([unsigned([])])],
    [
      'nobody knows the algorithm of the DS record',
      dnssec([unsigned([{ keyTag: 7, algorithm: 200, isSupported: false }])]),
    ],
    ['a zone below one that is not signed', dnssec([unsigned([]), below])],
    ['the parent did not answer', dnssec([unsigned(null)])],
    ['no server answered', dnssec([zone({ servers: [] })])],
    ['there is no zone below a top-level domain', dnssec([])],
  ])('%s', (_, facts) => {
    expect(dnssecFault(facts)).toBeNull();
  });

  const refusal = (...errors: readonly number[]) => resolver({ ...says('bogus'), errors });
  it.each<[string, DnssecFacts, readonly string[]]>([
    [
      'who signed what is refused is named, and that it may be mended already',
      dnssec([zone()]),
      [
        'answers to www.example.com A',
        'key 7 (algorithm 13)',
        'does not fit',
        'what was there before',
        'sign the zone',
      ],
    ],
    [
      'what resolvers say of it is told in words',
      dnssec([zone()], { resolvers: [refusal(12), refusal(12)] }),
      ['answers to www.example.com A (no proof that a record does not exist)'],
    ],
    [
      'without a signed zone there is nothing to sign again',
      dnssec([unsigned([])]),
      ['www.example.com A', 'nothing to do'],
    ],
  ])('%s', (_, facts, words) => {
    for (const text of words) expect(wordsOf(facts)).toContain(text);
  });
});
