import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DecodedPacket } from 'dns-packet';
import { decode } from 'dns-packet';
import { wireName } from './master-names.ts';

/** Dynamic updates (RFC 2136) with a signature (TSIG, RFC 8945): what is read of a request, and how an answer is made. */

export interface UpdateKey {
  /** in lower case without the trailing dot */
  readonly name: string;
  readonly secret: Buffer;
}

export const updateAlgorithm = 'hmac-sha256';

interface Change {
  readonly name: string;
  /** IN adds this text, NONE takes it away, and ANY all that the name has */
  readonly kind: 'IN' | 'ANY' | 'NONE';
  readonly text: Buffer;
}

interface Update {
  readonly zone: string;
  readonly changes: readonly Change[];
  readonly mac: Buffer;
}

const [codeRefused, codeNotAuth] = [5, 9];
const tsigType = 250;
const classAny = Buffer.from([0, 255]);
const noTtl = Buffer.alloc(4);
const secondsApart = 300;

/** A signed update of TXT records; the response code that refuses it otherwise. `now` in milliseconds since the Unix epoch. Throws for bytes that are no message. */
export function readUpdate(message: Buffer, key: UpdateKey, now: number): Update | number {
  const packet = decode(message);
  const { opcode, questions = [], authorities = [], additionals = [] } = packet as DecodedPacket & { opcode?: string };
  const signature = additionals.at(-1) as SignatureRecord | undefined;
  if (opcode !== 'UPDATE' || questions.length !== 1 || signature?.type !== 'TSIG') return codeRefused;
  const mac = verified(message, signature, { key, now });
  if (mac === null) return codeNotAuth;
  const changes = (authorities as readonly UpdateRecord[]).map(changeOf);
  if (changes.includes(null)) return codeRefused;
  return { zone: questions[0]?.name.toLowerCase() ?? '', changes: changes.filter((one) => one !== null), mac };
}

interface UpdateRecord {
  readonly name: string;
  readonly type: string;
  readonly class?: string;
  readonly data?: Buffer | readonly Buffer[];
}

interface SignatureRecord {
  readonly name: string;
  readonly type: string;
  readonly data: Buffer;
}

/** null for what is no change of TXT records */
function changeOf({ name, type, data = [], class: kind = 'IN' }: UpdateRecord): Change | null {
  const kinds: Readonly<Record<string, Change['kind']>> = { IN: 'IN', ANY: 'ANY', UNKNOWN_254: 'NONE' };
  const known = kinds[kind];
  const isText = type === 'TXT' || (type === 'ANY' && known === 'ANY');
  if (known === undefined || !isText) return null;
  return { name: name.toLowerCase(), kind: known, text: Buffer.isBuffer(data) ? data : Buffer.concat(data) };
}

/** The signature, if it is the key's over the rest of the message, and not older than five minutes. */
function verified(
  message: Buffer,
  { name, data }: SignatureRecord,
  { key, now }: { readonly key: UpdateKey; readonly now: number },
): Buffer | null {
  const algorithm = wireName(updateAlgorithm);
  const [time, size] = [data.subarray(algorithm.length, algorithm.length + 6), data.readUInt16BE(algorithm.length + 8)];
  const mac = data.subarray(algorithm.length + 10, algorithm.length + 10 + size);
  const unsigned = Buffer.from(message.subarray(0, message.length - wireName(key.name).length - 10 - data.length));
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  const expected = signed(key, [unsigned], time);
  const isOurs = name.toLowerCase() === key.name && data.subarray(0, algorithm.length).equals(algorithm);
  if (!isOurs || mac.length !== expected.length || !timingSafeEqual(mac, expected)) return null;
  return Math.abs(now / 1_000 - time.readUIntBE(0, 6)) > secondsApart ? null : mac;
}

/** RFC 8945, section 4.3.3. `time`: seconds in 48 bits. */
function signed({ name, secret }: UpdateKey, parts: readonly Buffer[], time: Buffer): Buffer {
  const fields = [
    wireName(name),
    classAny,
    noTtl,
    wireName(updateAlgorithm),
    time,
    word(secondsApart),
    word(0),
    word(0),
  ];
  return createHmac('sha256', secret)
    .update(Buffer.concat([...parts, ...fields]))
    .digest();
}

function word(number: number): Buffer {
  return Buffer.from([number >> 8, number & 255]);
}

/** The answer to an update: its code, signed where the update was. */
export function updateResponse(
  message: Buffer,
  code: number,
  signing: { readonly key: UpdateKey; readonly mac: Buffer; readonly now: number } | null,
): Buffer {
  const [id, flags] = [message.subarray(0, 2), word(0x8000 | (5 << 11) | code)];
  const bare = Buffer.concat([id, flags, Buffer.alloc(8)]);
  if (signing === null) return bare;
  const { key, mac, now } = signing;
  const time = Buffer.alloc(6);
  time.writeUIntBE(Math.floor(now / 1_000), 0, 6);
  const own = signed(key, [word(mac.length), mac, bare], time);
  const data = Buffer.concat([
    wireName(updateAlgorithm),
    time,
    word(secondsApart),
    word(own.length),
    own,
    id,
    word(0),
    word(0),
  ]);
  const record = Buffer.concat([wireName(key.name), word(tsigType), classAny, noTtl, word(data.length), data]);
  return Buffer.concat([id, flags, Buffer.alloc(6), word(1), record]);
}
