import { setImmediate } from 'node:timers/promises';
import type { RecordType } from '../dns-facts.ts';
import type { RecordSignature, SignedSet, SigningServer, ZoneKey } from '../dnssec-facts.ts';
import type { HashBudget } from './denial-proof.ts';
import { denialProof } from './denial-proof.ts';
import type { Response } from './dns-message.ts';
import { numberOf } from './dns-message.ts';
import type { KeyData, SignatureData, SignerData } from './dnssec-rdata.ts';
import { readKey, readSignature } from './dnssec-rdata.ts';
import type { SignedRecord, SignedSection } from './signed-section.ts';
import { types } from './signed-section.ts';
import { isDelegatedBy, verifies } from './signature-verification.ts';
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
  /** the keys that these are digests of */
  readonly delegated: ReadonlySet<KeyData>;
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

/** Those of a zone's keys that a DS record at its parent is the digest of. */
export const delegatedKeys = ({ zone, keys, signers }: Omit<ZoneSigners, 'budget' | 'delegated'>) =>
  new Set(keys.filter((key) => isDelegatedBy(signers, zone, key)));

export const zoneKeys = ({ keys, delegated }: Pick<ZoneSigners, 'keys' | 'delegated'>): readonly ZoneKey[] =>
  keys.map((key) => ({ keyTag: key.keyTag, algorithm: key.algorithm, isDelegated: delegated.has(key) }));

/**
 * The sets that answer the question, or the records that deny it, each with its signatures. Each record is looked at a few times, however
 * many others there are, and the event loop turns after each verification.
 */
export async function signedSets(
  signing: ZoneSigners,
  subject: SignedSubject,
  response: Response | undefined,
): Promise<readonly SignedSet[]> {
  const records = response?.signed ?? [];
  const isAbout = aboutIn(records, signing.zone, subject);
  const data = records.filter((record) => record.type !== types.RRSIG && isAbout(record));
  const signatures = signaturesIn(records, signing.zone);
  const found: SignedSet[] = [];
  for (const set of Map.groupBy(data, ({ name, type }) => `${name} ${type}`).values()) {
    const [{ name, type } = { name: '', type: 0 }] = set;
    const own = (signatures.get(name) ?? []).filter(({ covered }) => covered === type).slice(0, mostSignatures);
    const made: RecordSignature[] = [];
    for (const signature of own) made.push(await verified(signing, set, signature));
    found.push({ name, type: nameOfType(type), signatures: made });
  }
  return found;
}

/** The zone's signatures by the name that they stand at. */
function signaturesIn(records: SignedSection, zone: string): ReadonlyMap<string, readonly SignatureData[]> {
  const found = new Map<string, SignatureData[]>();
  for (const { name, type, rdata } of records) {
    const signature = type === types.RRSIG ? readSignature(rdata) : null;
    if (signature?.signer !== zone) continue;
    const atName = found.get(name);
    if (atName) atName.push(signature);
    else found.set(name, [signature]);
  }
  return found;
}

const denying: readonly number[] = [types.SOA, types.NSEC, types.NSEC3];

/** Whether one of the records is about the subject. A CNAME that a DNAME stands for has no signature of its own (RFC 6672 section 5.3.1). */
function aboutIn(
  records: SignedSection,
  zone: string,
  { name, type }: SignedSubject,
): (record: SignedRecord) => boolean {
  const isSynthesised = records.some((record) => record.type === types.DNAME && name.endsWith(`.${record.name}`));
  const isDenied = !records.some(
    (record) => record.name === name && (record.type === numberOf(type) || record.type === types.CNAME),
  );
  return (record) => {
    if (record.type === types.DNAME) return isInZone(record.name, zone) && name.endsWith(`.${record.name}`);
    if (record.name === name) {
      return record.type === numberOf(type) || (record.type === types.CNAME && !isSynthesised);
    }
    return isDenied && denying.includes(record.type) && isInZone(record.name, zone);
  };
}

async function verified(
  { keys: all, delegated, budget }: ZoneSigners,
  set: readonly SignedRecord[],
  signature: SignatureData,
): Promise<RecordSignature> {
  const { keyTag, algorithm, inception, expiration } = signature;
  const keys = all.filter((key) => key.keyTag === keyTag && key.algorithm === algorithm);
  const results: (boolean | null)[] = [];
  for (const key of keys) {
    const may = budget();
    results.push(may ? verifies(set, signature, key) : null);
    if (may) await setImmediate();
  }
  return {
    keyTag,
    algorithm,
    inception,
    expiration,
    verifies: results.includes(true) ? true : results.includes(null) ? null : false,
    byDelegatedKey: keys.some((key) => delegated.has(key)),
  };
}

/** Of a negative answer: is there a proof that the record does not exist? */
export function denialIn(
  { name, type }: SignedSubject,
  response: Response | undefined,
  budget: HashBudget,
): SigningServer['denials'] {
  if (response?.signed === undefined) return [];
  const isAnswered = response.signed.some(
    (record) => record.name === name && (record.type === numberOf(type) || record.type === types.CNAME),
  );
  if (isAnswered) return [];
  return [{ question: `${name} ${type}`, proof: denialProof(response.signed, { name, type: numberOf(type) }, budget) }];
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
