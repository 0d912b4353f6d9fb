import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RecordPlace } from '../wire/rdata.ts';
import { recordAt } from '../wire/rdata.ts';
import type { NameReader } from '../wire/wire-name.ts';
import { createNameReader, encodeName, MalformedMessage } from '../wire/wire-name.ts';
import { words } from '../wire/dns-message.ts';

export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
type TsigAlgorithm = (typeof tsigAlgorithms)[number];

/** A key that a DNS server and we share (RFC 8945). */
export interface TsigKey {
  /** in lower case without the trailing dot */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}

interface TsigKeyFile {
  readonly keyName: string;
  readonly algorithm: TsigAlgorithm;
  /** has the key in base64, as `tsig-keygen` and `keymgr -t` print it */
  readonly secretFile: string;
}

/** Shorter ones can be found out (RFC 8945, section 10.1 advises the length of the digest). */
const leastBytes = 16;

/** Reads a key. Rejects without the file, and where it holds something else. */
export async function readTsigKey({ keyName, algorithm, secretFile }: TsigKeyFile): Promise<TsigKey> {
  const secret = Buffer.from((await readFile(secretFile, 'utf8')).trim(), 'base64');
  if (secret.length < leastBytes) throw new Error(`${secretFile} has no key of at least ${leastBytes} bytes in base64`);
  return { name: keyName, algorithm, secret };
}

/** A message with its TSIG record, and what a response to it is signed with besides. */
export interface SignedMessage {
  readonly bytes: Buffer;
  readonly mac: Buffer;
}

/** What the signature of a response says. The server's own code where it refused ours (RFC 8945, section 5.2). */
export type TsigResult = 'valid' | 'unsigned' | 'forged' | 'BADSIG' | 'BADKEY' | 'BADTIME' | 'BADTRUNC';

const typeTsig = 250;
const classAny = 255;
const headerLength = 12;
/** Seconds that two clocks may differ (RFC 8945, section 10). */
const fudge = 300;
const refusals: ReadonlyMap<number, TsigResult> = new Map([
  [16, 'BADSIG'],
  [17, 'BADKEY'],
  [18, 'BADTIME'],
  [22, 'BADTRUNC'],
]);

/** Signs a message that has no TSIG record yet. `now` in milliseconds since the Unix epoch. */
export function signMessage(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const time = Buffer.alloc(6);
  time.writeUIntBE(Math.floor(now / 1_000), 0, 6);
  const mac = macOf(key, [message, variablesOf(key, { time, fudge, error: 0, other: Buffer.alloc(0) })]);
  const rdata = Buffer.concat([
    encodeName(key.algorithm),
    time,
    words(fudge, mac.length),
    mac,
    message.subarray(0, 2),
    words(0, 0),
  ]);
  const record = Buffer.concat([encodeName(key.name), words(typeTsig, classAny, 0, 0, rdata.length), rdata]);
  const bytes = Buffer.concat([message, record]);
  bytes.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/** Verifies the response to a signed message. Throws MalformedMessage for one that cannot be read. */
export function verifyResponse(response: Buffer, key: TsigKey, { mac, now }: { mac: Buffer; now: number }): TsigResult {
  const names = createNameReader(response);
  const last = lastRecord(response, names);
  if (last?.place.type !== typeTsig) return 'unsigned';
  const tsig = readTsig(response, names, last.place);
  const refusal = refusals.get(tsig.error);
  if (refusal && tsig.mac.length === 0) return refusal;
  if (last.place.name !== key.name || tsig.algorithm !== key.algorithm) return 'forged';
  const unsigned = Buffer.from(response.subarray(0, last.at));
  unsigned.writeUInt16BE(response.readUInt16BE(10) - 1, 10);
  const expected = macOf(key, [words(mac.length), mac, unsigned, variablesOf(key, tsig)]);
  if (expected.length !== tsig.mac.length || !timingSafeEqual(expected, tsig.mac)) return 'forged';
  if (refusal) return refusal;
  return Math.abs(now / 1_000 - tsig.time.readUIntBE(0, 6)) > tsig.fudge ? 'forged' : 'valid';
}

interface Variables {
  /** seconds since the Unix epoch, 48 bits */
  readonly time: Buffer;
  /** seconds */
  readonly fudge: number;
  readonly error: number;
  readonly other: Buffer;
}

/** What is signed beside the message (RFC 8945, section 4.3.3). */
const variablesOf = ({ name, algorithm }: TsigKey, { time, fudge: seconds, error, other }: Variables): Buffer =>
  Buffer.concat([
    encodeName(name),
    words(classAny, 0, 0),
    encodeName(algorithm),
    time,
    words(seconds, error, other.length),
    other,
  ]);

function macOf({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(algorithm.slice('hmac-'.length), secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The last record of a message, where a signature stands, and the offset at which it begins; null without any record. */
function lastRecord(message: Buffer, names: NameReader): { readonly at: number; readonly place: RecordPlace } | null {
  if (message.length < headerLength) throw new MalformedMessage('cut off inside the header');
  let offset = headerLength;
  for (let left = message.readUInt16BE(4); left > 0; left -= 1) offset = names.read(offset).next + 4;
  const count = [6, 8, 10].reduce((sum, at) => sum + message.readUInt16BE(at), 0);
  let last: ReturnType<typeof lastRecord> = null;
  for (let read = 0; read < count; read += 1) {
    last = { at: offset, place: recordAt(message, names, offset) };
    offset = last.place.end;
  }
  return offset === message.length ? last : null;
}

interface Tsig extends Variables {
  readonly algorithm: string;
  readonly mac: Buffer;
}

function readTsig(message: Buffer, names: NameReader, { start, end }: RecordPlace): Tsig {
  const { name: algorithm, next } = names.read(start);
  const rest = message.subarray(next, end);
  if (rest.length < 10) throw new MalformedMessage('cut off inside a signature');
  const macEnd = 10 + rest.readUInt16BE(8);
  if (rest.length < macEnd + 6) throw new MalformedMessage('cut off inside a signature');
  const otherEnd = macEnd + 6 + rest.readUInt16BE(macEnd + 4);
  if (rest.length !== otherEnd) throw new MalformedMessage('a signature of another length');
  return {
    algorithm,
    time: rest.subarray(0, 6),
    fudge: rest.readUInt16BE(6),
    mac: rest.subarray(10, macEnd),
    error: rest.readUInt16BE(macEnd + 2),
    other: rest.subarray(macEnd + 6, otherEnd),
  };
}
