import { createPrivateKey, sign } from 'node:crypto';
import { armoured } from './pem-armour.ts';
import type { Made } from './made-certificates.ts';

/** A value of DER that can be changed: with what it holds as values, or as bytes. */
export interface DerNode {
  tag: number;
  bytes: Buffer;
  parts: DerNode[] | null;
}

/** A value that holds bytes. */
export const leaf = (tag: number, bytes: Buffer | readonly number[]): DerNode => ({
  tag,
  bytes: Buffer.from(bytes),
  parts: null,
});
/** A value that holds values. */
export const branch = (tag: number, ...parts: DerNode[]): DerNode => ({ tag, bytes: Buffer.alloc(0), parts });

/** Well-formed DER as values that can be changed; constructed ones are opened. */
export function readDer(bytes: Buffer): DerNode[] {
  const values: DerNode[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const octets = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + octets;
    const end = start + (octets === 0 ? first : bytes.readUIntBE(at + 2, octets));
    const content = bytes.subarray(start, end);
    values.push((tag & 0x20) === 0 ? leaf(tag, content) : branch(tag, ...readDer(content)));
    at = end;
  }
  return values;
}

export function writeDer({ tag, bytes, parts }: DerNode): Buffer {
  const body = parts === null ? bytes : Buffer.concat(parts.map(writeDer));
  const octets = body.length < 0x80 ? 0 : body.length < 0x100 ? 1 : 2;
  const head = Buffer.alloc(2 + octets, tag);
  head[1] = octets === 0 ? body.length : 0x80 | octets;
  if (octets > 0) head.writeUIntBE(body.length, 2, octets);
  return Buffer.concat([head, body]);
}

/** The part of a value at a path of places. Throws where there is none. */
export function part(node: DerNode, ...path: readonly number[]): DerNode {
  const [place, ...rest] = path;
  if (place === undefined) return node;
  const next = node.parts?.at(place);
  if (!next) throw new Error(`there is no part ${place}`);
  return part(next, ...rest);
}

/** Where the parts of a certificate of version 3 stand in what is signed (RFC 5280, section 4.1). */
export const places = {
  version: 0,
  serial: 1,
  algorithm: 2,
  issuer: 3,
  validity: 4,
  subject: 5,
  key: 6,
  extensions: 7,
} as const;

export interface CertificateEdit {
  /** what is signed */
  readonly signed?: (signed: DerNode) => void;
  /** the whole, once it is signed */
  readonly whole?: (certificate: DerNode) => void;
}

/** A certificate with something in it changed, and signed again by its issuer, so that nothing else is wrong with it. As PEM. */
export function edited(
  certificate: Pick<Made, 'pem'>,
  by: Pick<Made, 'key'>,
  { signed, whole }: CertificateEdit,
): string {
  const [node] = readDer(Buffer.from(certificate.pem.replaceAll(/-----[^\n]+|\n/g, ''), 'base64')) as [DerNode];
  signed?.(part(node, 0));
  const signature = sign('sha256', writeDer(part(node, 0)), createPrivateKey(by.key));
  part(node, 2).bytes = Buffer.concat([Buffer.from([0]), signature]);
  whole?.(node);
  return armoured('CERTIFICATE', writeDer(node));
}
