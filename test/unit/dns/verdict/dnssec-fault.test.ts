import { describe, expect, it } from '@jest/globals';
import type { RecordSignature, SigningServer, ZoneSigning } from '../../../../src/dns/dnssec-facts.ts';
import { dnssecFault } from '../../../../src/dns/verdict/dnssec-fault.ts';
import { bogusIssue } from '../../../../src/dns/verdict/dnssec-issues.ts';
import { at, dnssec, server, set, signature, zone } from '../../../support/dnssec-facts.ts';

/** Which fault the servers of zones show, and what the issue says of it. Real zones: test/corpus/dnssec. */

const day = 86_400;
const keys = set('example.com', 'DNSKEY', signature());
const ofWww = (...signatures: readonly RecordSignature[]): Partial<SigningServer> => ({
  sets: [keys, set('www.example.com', 'A', ...signatures)],
});
const one = (changes: Partial<SigningServer>): ZoneSigning => zone({ servers: [server(changes)] });
const expired = signature({ expiration: at - 1 });

const wordsOf = (zones: readonly ZoneSigning[]): string => {
  const facts = dnssec(zones);
  const { message, fix } = bogusIssue('www.example.com', facts, dnssecFault(facts));
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
      one({ keys: [], sets: [] }),
      'DsWithoutKey',
      ['key 7', 'gives no keys', 'at your registrar, delete the DS record'],
    ],
    [
      'the keys are signed by a key that the parent does not name',
      one({ sets: [set('example.com', 'DNSKEY', signature({ byDelegatedKey: false, keyTag: 9 }))] }),
      'KeysNotSigned',
      ['key 7', 'did not sign the keys', 'at your registrar, replace'],
    ],
    [
      'the signature by the key that the parent names has expired, that by another has not',
      one({
        sets: [set('example.com', 'DNSKEY', expired, signature({ byDelegatedKey: false, keyTag: 9 }))],
      }),
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
    ['a signature over something else', one(ofWww(signature({ verifies: false }))), 'SignatureWrong', ['does not fit']],
    [
      'a signature by a key that is not there',
      one(ofWww(signature({ verifies: false, keyTag: 9 }))),
      'SignatureByUnknownKey',
      ['key 9', 'not among the keys'],
    ],
    [
      'no proof that there is no CAA',
      one({ denials: [{ question: 'www.example.com CAA', proof: 'missing' }] }),
      'DenialMissing',
      ['www.example.com CAA', 'NSEC'],
    ],
    [
      'only the second server has it',
      zone({ servers: [server(), server({ source: 'ns2 (192.0.2.2)', ...ofWww(expired) })] }),
      'SignatureExpired',
      ['ns2 (192.0.2.2)'],
    ],
  ])('%s', (_, broken, kind, words) => {
    expect(dnssecFault(dnssec([broken]))).toMatchObject({ kind, zone: 'example.com' });
    for (const text of ['DNSSEC of example.com', ...words]) expect(wordsOf([broken])).toContain(text);
  });

  it('is that of the topmost zone, as the others rest on it', () => {
    const below = { ...one(ofWww(expired)), zone: 'eu.example.com' };
    expect(dnssecFault(dnssec([one(ofWww()), below]))).toMatchObject({ kind: 'SignatureMissing', zone: 'example.com' });
  });
});

describe('no fault', () => {
  const unsigned = (delegationSigners: ZoneSigning['delegationSigners']) =>
    zone({ ...one(ofWww()), delegationSigners });
  it.each<[string, ReturnType<typeof dnssec>, 'none' | 'unread']>([
    ['everything holds', dnssec([zone()]), 'none'],
    ['one of two signatures holds', dnssec([one(ofWww(expired, signature()))]), 'none'],
    ['the zone is not signed', dnssec([unsigned([])]), 'none'],
    [
      'nobody knows the algorithm of the DS record',
      dnssec([unsigned([{ keyTag: 7, algorithm: 200, isSupported: false }])]),
      'none',
    ],
    [
      'a zone below one that is not signed',
      dnssec([unsigned([]), { ...one(ofWww(expired)), zone: 'eu.example.com' }]),
      'none',
    ],
    ['a signature could not be verified', dnssec([one(ofWww(signature({ verifies: null })))]), 'unread'],
    [
      'what verified has expired, and what is valid was not verified',
      dnssec([one(ofWww(expired, signature({ verifies: null })))]),
      'unread',
    ],
    ['the parent did not answer', dnssec([zone({ delegationSigners: null })]), 'unread'],
    ['no server answered', dnssec([zone({ servers: [] })]), 'unread'],
    ['one question was not answered', dnssec([one({ hasAnsweredAll: false })]), 'unread'],
    [
      'a proof of another kind',
      dnssec([one({ denials: [{ question: 'www.example.com CAA', proof: 'unread' }] })]),
      'unread',
    ],
    ['zones were left out', dnssec([zone()], { isWhole: false }), 'unread'],
    ['there is no zone below a top-level domain', dnssec([]), 'unread'],
  ])('%s', (_, facts, found) => {
    expect(dnssecFault(facts)).toBe(found);
  });
});
