import { createHash } from 'node:crypto';
import type { DelegationSigner, SignedSet, ZoneKey } from '../dnssec-facts.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import { numberOf } from '../wire/dns-message.ts';
import type { KeyData, SignedSection, SignerData } from '../wire/dnssec-records.ts';
import { readKey, readSignature, readSigner, types } from '../wire/dnssec-records.ts';
import { writeName } from '../wire/wire-name.ts';
import { isInZone } from './zone-cut.ts';

/** keys that are looked at */
const mostKeys = 16;

/** Hashes of DS digest types (RFC 4034, 4509, 6605). */
const digests: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** Signing algorithms that validating resolvers know (RFC 8624 section 3.1). */
const algorithms: readonly number[] = [5, 7, 8, 10, 13, 14, 15, 16];

/** A DS record with an algorithm or digest that resolvers do not know leaves its zone unsigned (RFC 4035 section 5.2). */
const isSupported = ({ algorithm, digestType }: SignerData): boolean =>
  algorithms.includes(algorithm) && digestType in digests;

const dataOf = (records: SignedSection, name: string, type: number): readonly Buffer[] =>
  records.flatMap((record) => (record.name === name && record.type === type ? [record.rdata] : []));

/** The zone's DS records among the parent's, each once. */
export const signersIn = (records: SignedSection, zone: string): readonly SignerData[] => {
  const each = new Map(dataOf(records, zone, types.DS).map((rdata) => [rdata.toString('latin1'), rdata]));
  return [...each.values()].flatMap((rdata) => readSigner(rdata) ?? []);
};

export const shownSigner = (signer: SignerData): DelegationSigner => ({
  keyTag: signer.keyTag,
  algorithm: signer.algorithm,
  isSupported: isSupported(signer),
});

/** The zone's keys, and which of them a DS record at the parent is the digest of. */
export const keysIn = (records: SignedSection, zone: string, signers: readonly SignerData[]): readonly ZoneKey[] =>
  dataOf(records, zone, types.DNSKEY)
    .slice(0, mostKeys)
    .flatMap((rdata) => readKey(rdata) ?? [])
    .map((key) => ({
      keyTag: key.keyTag,
      algorithm: key.algorithm,
      isDelegated: isDelegatedBy(signers, zone, key),
    }));

/** RFC 4034 section 5.1.4. The key is hashed once for each type of digest, however many records have its tag. */
function isDelegatedBy(signers: readonly SignerData[], zone: string, key: KeyData): boolean {
  const owner = writeName(zone);
  if (owner === null) return false;
  const named = signers.filter(
    (signer) => isSupported(signer) && signer.keyTag === key.keyTag && signer.algorithm === key.algorithm,
  );
  return [...Map.groupBy(named, ({ digestType }) => digestType)].some(([digestType, group]) => {
    const digest = createHash(digests[digestType] ?? '')
      .update(owner)
      .update(key.rdata)
      .digest();
    return group.some((signer) => digest.equals(signer.digest));
  });
}

/** A question whose answer has to be signed. */
export type SignedSubject = Pick<Question, 'name' | 'type'>;

/** signatures of one set that are looked at */
const mostSignatures = 8;

/**
 * The sets that answer the question, each with the zone's own signatures over it; none where the answer is that there is none. Below a DNAME
 * that is the one that counts, as a CNAME that stands for it has no signature (RFC 6672 section 5.3.1).
 */
export function signedSets(zone: string, { name, type }: SignedSubject, response?: Response): readonly SignedSet[] {
  const records = response?.signed ?? [];
  const redirect = records.find(
    (record) => record.type === types.DNAME && isInZone(record.name, zone) && name.endsWith(`.${record.name}`),
  );
  const owner = redirect?.name ?? name;
  const there = records.filter((record) => record.name === owner);
  const signatures = there
    .flatMap((record) => (record.type === types.RRSIG ? (readSignature(record.rdata) ?? []) : []))
    .filter(({ signer }) => signer === zone);
  const wanted: readonly (readonly [string, number])[] = redirect
    ? [['DNAME', types.DNAME]]
    : [
        [type, numberOf(type)],
        ['CNAME', types.CNAME],
      ];
  return wanted
    .filter(([, number]) => there.some((record) => record.type === number))
    .map(([label, number]) => ({
      name: owner,
      type: label,
      signatures: signatures.filter(({ covered }) => covered === number).slice(0, mostSignatures),
    }));
}
