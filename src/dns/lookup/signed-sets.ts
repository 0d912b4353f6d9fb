import type { RecordType } from '../dns-facts.ts';
import type { RecordSignature, SignedSet, SigningServer, ZoneKey } from '../dnssec-facts.ts';
import { denialProof } from './denial-proof.ts';
import type { Response } from './dns-message.ts';
import { numberOf } from './dns-message.ts';
import type { KeyData, SignatureData, SignerData } from './dnssec-rdata.ts';
import { readKey, readSignature } from './dnssec-rdata.ts';
import type { SignedRecord, SignedSection } from './signed-section.ts';
import { types } from './signed-section.ts';
import { isDigestOf, isSupported, verifies } from './signature-verification.ts';
import { isInZone } from './zone-cut.ts';

/** A question whose answer has to be signed. */
export interface SignedSubject {
  readonly name: string;
  readonly type: RecordType | 'DS' | 'DNSKEY';
}

/** What a zone's signatures are verified with. */
export interface ZoneSigners {
  readonly zone: string;
  readonly keys: readonly KeyData[];
  /** DS records at the parent */
  readonly signers: readonly SignerData[];
  readonly budget: SignatureBudget;
}

/** False once as many signatures were verified as one check may: keys with the same tag could make it any number. */
export type SignatureBudget = () => boolean;

const mostVerifications = 32;
/** keys, and signatures of one set, that are looked at */
const mostKeys = 16;
const mostSignatures = 8;

export function signatureBudget(): SignatureBudget {
  let used = 0;
  return () => (used += 1) <= mostVerifications;
}

export const keysIn = (records: SignedSection, zone: string): readonly KeyData[] =>
  records
    .filter(({ name, type }) => name === zone && type === types.DNSKEY)
    .flatMap(({ rdata }) => readKey(rdata) ?? [])
    .slice(0, mostKeys);

const isDelegated = ({ zone, signers }: ZoneSigners, key: KeyData): boolean =>
  signers.some((signer) => isSupported(signer) && isDigestOf(signer, zone, key));

export const zoneKeys = (signing: ZoneSigners): readonly ZoneKey[] =>
  signing.keys.map((key) => ({
    keyTag: key.keyTag,
    algorithm: key.algorithm,
    isDelegated: isDelegated(signing, key),
  }));

/** The sets that answer the question, or the records that deny it, each with its signatures. */
export function signedSets(
  signing: ZoneSigners,
  subject: SignedSubject,
  response: Response | undefined,
): readonly SignedSet[] {
  const records = response?.signed ?? [];
  const data = records.filter(
    (record) => record.type !== types.RRSIG && isAbout(record, signing.zone, subject, records),
  );
  const signatures = records.filter(({ type }) => type === types.RRSIG);
  const sets = Map.groupBy(data, ({ name, type }) => `${name} ${type}`);
  return [...sets.values()].flatMap((set) => {
    const [{ name, type } = { name: '', type: 0 }] = set;
    const own = signatures
      .filter((signature) => signature.name === name)
      .flatMap(({ rdata }) => readSignature(rdata) ?? [])
      .filter(({ covered, signer }) => covered === type && signer === signing.zone)
      .slice(0, mostSignatures);
    return [{ name, type: nameOfType(type), signatures: own.map((signature) => verified(signing, set, signature)) }];
  });
}

const denying: readonly number[] = [types.SOA, types.NSEC, types.NSEC3];

/** A CNAME that a DNAME stands for has no signature of its own (RFC 6672 section 5.3.1). */
function isAbout(record: SignedRecord, zone: string, { name, type }: SignedSubject, all: SignedSection): boolean {
  const isSynthesised = all.some((other) => other.type === types.DNAME && name.endsWith(`.${other.name}`));
  if (record.type === types.DNAME) return isInZone(record.name, zone) && name.endsWith(`.${record.name}`);
  if (record.name === name) {
    return record.type === numberOf(type) || (record.type === types.CNAME && !isSynthesised);
  }
  const isDenied = !all.some(
    (other) => other.name === name && (other.type === numberOf(type) || other.type === types.CNAME),
  );
  return isDenied && denying.includes(record.type) && isInZone(record.name, zone);
}

function verified(signing: ZoneSigners, set: readonly SignedRecord[], signature: SignatureData): RecordSignature {
  const { keyTag, algorithm, inception, expiration } = signature;
  const keys = signing.keys.filter((key) => key.keyTag === keyTag && key.algorithm === algorithm);
  const results = keys.map((key) => ({ key, verifies: signing.budget() ? verifies(set, signature, key) : null }));
  const made = results.find((result) => result.verifies);
  const isUntold = results.some((result) => result.verifies === null);
  return {
    keyTag,
    algorithm,
    inception,
    expiration,
    verifies: made ? true : isUntold ? null : false,
    byDelegatedKey: keys.some((key) => isDelegated(signing, key)),
  };
}

/** Of a negative answer: is there a proof that the record does not exist? */
export function denialIn({ name, type }: SignedSubject, response: Response | undefined): SigningServer['denials'] {
  if (response?.signed === undefined) return [];
  const isAnswered = response.signed.some(
    (record) => record.name === name && (record.type === numberOf(type) || record.type === types.CNAME),
  );
  if (isAnswered) return [];
  return [{ question: `${name} ${type}`, proof: denialProof(response.signed, { name, type: numberOf(type) }) }];
}

const names: ReadonlyMap<number, string> = new Map([
  [1, 'A'],
  [5, 'CNAME'],
  [6, 'SOA'],
  [16, 'TXT'],
  [28, 'AAAA'],
  [39, 'DNAME'],
  [43, 'DS'],
  [47, 'NSEC'],
  [48, 'DNSKEY'],
  [50, 'NSEC3'],
  [257, 'CAA'],
]);

const nameOfType = (type: number): string => names.get(type) ?? `TYPE${type}`;
