import { createHash } from 'node:crypto';
import { uncompressedName } from './dnssec-rdata.ts';
import type { SignedRecord } from './signed-section.ts';
import { types } from './signed-section.ts';
import { writeName } from './wire-name.ts';

/** A question that got no record of its type: its name, and the type's number. */
export interface DeniedQuestion {
  readonly name: string;
  readonly type: number;
}

/** Records that are looked at; a proof has three at most (RFC 5155 section 7.2). */
const mostProofs = 8;

/** Iterations beyond these are not computed; validating resolvers do not either (RFC 9276 section 3.2). */
const mostIterations = 150;

/** Rounds of hashing that one check computes: a dozen names with as many iterations as are computed at all, hundreds with the usual few. */
const mostRounds = 2_000;

/** False once as many rounds of hashing were computed as one check may: whoever serves a zone chooses their number. */
export type HashBudget = (rounds: number) => boolean;

export function hashBudget(): HashBudget {
  let used = 0;
  return (rounds) => (used += rounds) <= mostRounds;
}

/**
 * Do NSEC or NSEC3 records among these prove that the name has no record of the type? `unread` for the proofs that are
 * not evaluated here: that the name does not exist, or that a wildcard has none.
 */
export function denialProof(
  records: readonly SignedRecord[],
  question: DeniedQuestion,
  budget: HashBudget,
): 'present' | 'missing' | 'unread' {
  const proofs = records.filter(({ type }) => type === types.NSEC || type === types.NSEC3);
  if (proofs.length === 0) return 'missing';
  return proofs.slice(0, mostProofs).some((proof) => denies(proof, question, budget)) ? 'present' : 'unread';
}

function denies({ name, type, rdata }: SignedRecord, question: DeniedQuestion, budget: HashBudget): boolean {
  if (type === types.NSEC) {
    const next = uncompressedName(rdata, 0);
    return name === question.name && next !== null && isAbsent(rdata.subarray(next.next), question.type);
  }
  const hash = nsec3(rdata);
  if (hash === null || !isAbsent(hash.bitmaps, question.type) || !budget(hash.iterations + 1)) return false;
  return name.split('.')[0] === hashed(question.name, hash);
}

interface HashedDenial {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly bitmaps: Buffer;
}

/** RFC 5155 section 3.2; null for what is cut off, or another hash than SHA-1. */
function nsec3(rdata: Buffer): HashedDenial | null {
  if (rdata.length < 6 || rdata[0] !== 1) return null;
  const iterations = rdata.readUInt16BE(2);
  const saltEnd = 5 + (rdata[4] ?? 0);
  const next = saltEnd + 1 + (rdata[saltEnd] ?? 0);
  if (iterations > mostIterations || next > rdata.length) return null;
  return { iterations, salt: rdata.subarray(5, saltEnd), bitmaps: rdata.subarray(next) };
}

/** RFC 5155 section 5. */
function hashed(name: string, { iterations, salt }: HashedDenial): string {
  let digest = writeName(name) ?? Buffer.alloc(0);
  for (let round = 0; round <= iterations; round += 1) digest = createHash('sha1').update(digest).update(salt).digest();
  return base32hex(digest);
}

const digits = '0123456789abcdefghijklmnopqrstuv';

/** Of 160 bits, which are 32 digits without padding (RFC 4648 section 7). */
function base32hex(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => digits[Number.parseInt(five, 2)] ?? '').join('');
}

const cname = 5;

/** Neither the type nor CNAME is in the type bit maps (RFC 4034 section 4.1.2). */
const isAbsent = (bitmaps: Buffer, type: number): boolean => !isListed(bitmaps, type) && !isListed(bitmaps, cname);

function isListed(bitmaps: Buffer, type: number): boolean {
  for (let at = 0; at + 2 <= bitmaps.length; at += 2 + (bitmaps[at + 1] ?? 0)) {
    const [window = 0, length = 0] = bitmaps.subarray(at, at + 2);
    if (window !== type >> 8) continue;
    const byte = (type & 0xff) >> 3;
    return byte < length && ((bitmaps[at + 2 + byte] ?? 0) & (0x80 >> (type & 7))) !== 0;
  }
  return false;
}
