import { createHash } from 'node:crypto';
import type { DelegationSigner, ZoneKey } from '../dnssec-facts.ts';
import type { KeyData, SignerData } from '../wire/dnssec-rdata.ts';
import { readKey, readSigner } from '../wire/dnssec-rdata.ts';
import type { SignedSection } from '../wire/signed-section.ts';
import { types } from '../wire/signed-section.ts';
import { writeName } from '../wire/wire-name.ts';

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
