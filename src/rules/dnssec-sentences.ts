import type { IssuePlace } from './codes/code-rows.ts';
import { registrableDomain } from './hostname.ts';

/** Sentences about DNSSEC, from an issue's parameters. */

export const dnssecFaultKinds = [
  'DsWithoutKey',
  'KeysNotSigned',
  'SignatureMissing',
  'SignatureExpired',
  'SignatureNotYetValid',
  'SignatureByUnknownKey',
  /** validating resolvers refuse the answers, and nothing is wrong that could be seen without verifying signatures */
  'Refused',
] as const;
export type DnssecFaultKind = (typeof dnssecFaultKinds)[number];

const sentences: Readonly<Record<DnssecFaultKind, (params: IssuePlace) => string>> = {
  DsWithoutKey: ({ zone, server, signers, keys }) =>
    `the DS record ${whereDs(zone)} names ${keyNames(signers)}, but ${
      keys === ''
        ? `${server} gives no keys for ${zone}: it is not signed there`
        : `no key of ${zone} at ${server} is that one: it has ${keyNames(keys)}`
    }`,
  KeysNotSigned: ({ zone, server, signers }) =>
    `the DS record ${whereDs(zone)} names ${keyNames(signers)}, which did not sign the keys that ${server} gives`,
  SignatureMissing: ({ zone, server, records }) =>
    `${server} gives no signature for ${records}, though the DS record ${whereDs(zone)} says that ${zone} is signed`,
  SignatureExpired: ({ server, records, signers, at }) =>
    `the signature for ${records} by ${keyNames(signers)} at ${server} expired on ${dateOf(at)}`,
  SignatureNotYetValid: ({ server, records, signers, at }) =>
    `the signature for ${records} by ${keyNames(signers)} at ${server} is valid from ${dateOf(at)} only`,
  SignatureByUnknownKey: ({ zone, server, records, signers }) =>
    `the signature for ${records} at ${server} is by ${keyNames(signers)}, which is not among the keys of ${zone}`,
  Refused: ({ records, signers, codes }) =>
    `validating resolvers refuse the answers to ${records}${reasons(codes)}${
      signers === ''
        ? ''
        : `, as the signature by ${keyNames(signers)} does not fit the records, or as they still have what was there before`
    }`,
};

/** RFC 8914 section 4. */
const purposes: Readonly<Record<string, string>> = {
  '6': 'bogus',
  '7': 'signature expired',
  '8': 'signature not yet valid',
  '9': 'no key for the DS record',
  '10': 'signature missing',
  '11': 'no zone key',
  '12': 'no proof that a record does not exist',
};

const reasons = (codes: string): string =>
  codes === ''
    ? ''
    : ` (${codes
        .split(' ')
        .map((code) => purposes[code] ?? `code ${code}`)
        .join(', ')})`;

const isKind = (text: string): text is DnssecFaultKind => text in sentences;

/** What is wrong with a zone's DNSSEC. */
export const dnssecFaultSentence = (params: IssuePlace): string =>
  `DNSSEC of ${params.zone} is broken${isKind(params.fault) ? `: ${sentences[params.fault](params)}` : ''}`;

/** Where a zone's DS record is entered: in a registrar's form, or in the zone that delegates it. */
export const isAtRegistrar = (zone: string): boolean => registrableDomain(zone) === zone;

const whereDs = (zone: string): string => (isAtRegistrar(zone) ? 'at the registrar' : 'in the zone above');

/** `12345/13 7/8` as `key 12345 (algorithm 13) and key 7 (algorithm 8)`. */
const keyNames = (keys: string): string =>
  keys
    .split(' ')
    .map((key) => key.split('/'))
    .map(([tag = '', algorithm]) => (algorithm === undefined ? `key ${tag}` : `key ${tag} (algorithm ${algorithm})`))
    .join(' and ');

const dateOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
