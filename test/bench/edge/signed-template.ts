import type { KeyObject } from 'node:crypto';
import { sign } from 'node:crypto';

/**
 * A signed structure of X.509 (certificate or signing request, DER) with bytes replaced by others of the same length, and
 * signed anew with ECDSA and SHA-256: thousands are made from one that openssl made, in a fraction of a second.
 * Throws when a length differs or the bytes are not there.
 */
export function resigned(
  template: Buffer,
  replacements: readonly (readonly [from: Buffer, to: Buffer])[],
  key: KeyObject,
): Buffer {
  const [outer] = elementsOf(template);
  const [signed = empty, algorithm = empty] = elementsOf(contentOf(outer ?? empty));
  const content = Buffer.from(signed);
  for (const [from, to] of replacements) replaceAll(content, from, to);
  const signature = sign('sha256', content, key);
  const bits = element(bitString, Buffer.concat([Buffer.of(0), signature]));
  return element(sequence, Buffer.concat([content, algorithm, bits]));
}

const empty = Buffer.alloc(0);
const [sequence, bitString] = [0x30, 0x03];

function replaceAll(content: Buffer, from: Buffer, to: Buffer): void {
  if (from.length !== to.length) throw new Error(`${to.length} bytes cannot replace ${from.length}`);
  let at = content.indexOf(from);
  if (at < 0) throw new Error('what is to be replaced is not there');
  for (; at >= 0; at = content.indexOf(from, at + to.length)) to.copy(content, at);
}

/** Where the content of the element at `at` begins and ends (X.690, definite lengths). */
function boundsAt(der: Buffer, at: number): { readonly from: number; readonly to: number } {
  const first = der.readUInt8(at + 1);
  if (first < 0x80) return { from: at + 2, to: at + 2 + first };
  const bytes = first & 0x7f;
  const from = at + 2 + bytes;
  return { from, to: from + der.readUIntBE(at + 2, bytes) };
}

/** The elements that stand one after another, each with tag and length. */
function elementsOf(der: Buffer): readonly Buffer[] {
  const elements: Buffer[] = [];
  for (let at = 0; at < der.length;) {
    const { to } = boundsAt(der, at);
    elements.push(der.subarray(at, to));
    at = to;
  }
  return elements;
}

function contentOf(der: Buffer): Buffer {
  const { from, to } = boundsAt(der, 0);
  return der.subarray(from, to);
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), bytes, content]);
}
