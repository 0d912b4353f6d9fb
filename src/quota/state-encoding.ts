import type { Conduct, KeyState } from './ban-state.ts';
import { cleanConduct } from './ban-state.ts';
import type { LogEntry } from './minute-log.ts';
import { minuteMs, usedOf } from './minute-log.ts';
import type { QuotaState } from './quota-decision.ts';
import { nothingSpent } from './quota-decision.ts';
import { dayMs } from './quota-windows.ts';

/**
 * The state of a budget as quota-decision.lua packs it: unsigned integers, big-endian. An account's strikes, bans and refusals follow its
 * budget while there are any.
 *
 *     incarnation 4, revision 4, day 2, count of the day 4, time of the newest entry 6, sum of the entries 4, number of entries 1
 *     each entry: first request 3 (Unix ms modulo 2^24), last request after it 2 (ms), count 3
 *     step 1, clean since 4, newest strike 6, number of strikes 1
 *     each of them: ms before the newest strike 2
 *     number of keys 1
 *     each key: id 16, refused at 6, refused until 6, banned at 6, banned until 4, step 1
 */

/** Of one creation of a state in Redis, its incarnation, revisions only rise; both are 0 for a state that is not known. */
export interface StateVersion {
  readonly incarnation: number;
  readonly revision: number;
}

export const noVersion: StateVersion = Object.freeze({ incarnation: 0, revision: 0 });

const headerLength = 25;
const entryLength = 8;
const conductLength = 12;
const strikeLength = 2;
const keyLength = 39;
const idLength = 16;
const clockOf24Bits = 2 ** 24;

export function readVersion(packed: Buffer): StateVersion {
  if (packed.length < headerLength) return noVersion;
  return { incarnation: packed.readUInt32BE(0), revision: packed.readUInt32BE(4) };
}

/** Until when a packed state can matter to a decision, with a day window or without one; Unix ms. */
export function usefulUntil(packed: Buffer, hasDay: boolean): number {
  if (packed.length < headerLength) return 0;
  if (packed.length > headerLength + packed.readUInt8(24) * entryLength) return Number.POSITIVE_INFINITY;
  const [day, dayCount] = [packed.readUInt16BE(8), packed.readUInt32BE(10)];
  return Math.max(packed.readUIntBE(14, 6) + minuteMs, hasDay && dayCount > 0 ? (day + 1) * dayMs : 0);
}

/** Unpacks a state; an empty one when the value is too short. */
export function readState(packed: Buffer): QuotaState {
  if (packed.length < headerLength) return nothingSpent;
  const entries = packed.readUInt8(24);
  if (packed.length < headerLength + entries * entryLength) return nothingSpent;
  const conductAt = headerLength + entries * entryLength;
  const newestMs = packed.readUIntBE(14, 6);
  return {
    budget: {
      day: packed.readUInt16BE(8),
      dayCount: packed.readUInt32BE(10),
      log: Array.from({ length: entries }, (_, index) =>
        readEntry(packed, headerLength + index * entryLength, newestMs),
      ),
    },
    conduct: readConduct(packed.subarray(conductAt)),
  };
}

function readEntry(packed: Buffer, at: number, newestMs: number): LogEntry {
  const firstMs = newestMs - modulo(newestMs - packed.readUIntBE(at, 3), clockOf24Bits);
  return { firstMs, lastMs: firstMs + packed.readUInt16BE(at + 3), count: packed.readUIntBE(at + 5, 3) };
}

/** True for the length of strikes and keys that the script wrote; a value of another one counts for nothing. */
function isConduct(packed: Buffer): boolean {
  const keysAt = packed.length > conductLength ? conductLength + packed.readUInt8(11) * strikeLength : packed.length;
  return keysAt < packed.length && packed.length === keysAt + 1 + packed.readUInt8(keysAt) * keyLength;
}

function readConduct(packed: Buffer): Conduct {
  if (!isConduct(packed)) return cleanConduct;
  const newest = packed.readUIntBE(5, 6);
  const strikes = packed.readUInt8(11);
  const keysAt = conductLength + strikes * strikeLength;
  const strikesMs = Array.from(
    { length: strikes },
    (_, index) => newest - packed.readUInt16BE(conductLength + index * strikeLength),
  );
  const keys = Array.from({ length: packed.readUInt8(keysAt) }, (_, index) =>
    readKey(packed, keysAt + 1 + index * keyLength),
  );
  return { step: packed.readUInt8(0), cleanSince: packed.readUInt32BE(1), strikesMs, keys: new Map(keys) };
}

function readKey(packed: Buffer, at: number): [string, KeyState] {
  const from = at + idLength;
  const key = {
    refusedAtMs: packed.readUIntBE(from, 6),
    refusedUntilMs: packed.readUIntBE(from + 6, 6),
    bannedAtMs: packed.readUIntBE(from + 12, 6),
    bannedUntil: packed.readUInt32BE(from + 18),
    step: packed.readUInt8(from + 22),
  };
  return [packed.toString('latin1', at, from).replace(/\0+$/, ''), key];
}

/** Packs a state as the script does. */
export function writeState({ budget, conduct }: QuotaState, { incarnation, revision }: StateVersion): Buffer {
  const { log, day, dayCount } = budget;
  const packed = Buffer.alloc(headerLength + log.length * entryLength);
  packed.writeUInt32BE(incarnation, 0);
  packed.writeUInt32BE(revision, 4);
  packed.writeUInt16BE(day, 8);
  packed.writeUInt32BE(dayCount, 10);
  packed.writeUIntBE(log.at(-1)?.lastMs ?? 0, 14, 6);
  packed.writeUInt32BE(usedOf(log), 20);
  packed.writeUInt8(log.length, 24);
  log.forEach(({ firstMs, lastMs, count }, index) => {
    const at = headerLength + index * entryLength;
    packed.writeUIntBE(firstMs % clockOf24Bits, at, 3);
    packed.writeUInt16BE(lastMs - firstMs, at + 3);
    packed.writeUIntBE(count, at + 5, 3);
  });
  return isClean(conduct) ? packed : Buffer.concat([packed, packConduct(conduct)]);
}

const isClean = ({ step, strikesMs, keys }: Conduct): boolean =>
  step === 0 && strikesMs.length === 0 && keys.size === 0;

function packConduct({ step, cleanSince, strikesMs, keys }: Conduct): Buffer {
  const newest = strikesMs.at(-1) ?? 0;
  const packed = Buffer.alloc(conductLength + strikesMs.length * strikeLength + 1);
  packed.writeUInt8(step, 0);
  packed.writeUInt32BE(cleanSince, 1);
  packed.writeUIntBE(newest, 5, 6);
  packed.writeUInt8(strikesMs.length, 11);
  strikesMs.forEach((at, index) => packed.writeUInt16BE(newest - at, conductLength + index * strikeLength));
  packed.writeUInt8(keys.size, packed.length - 1);
  return Buffer.concat([packed, ...[...keys].map(([id, key]) => packKey(id, key))]);
}

function packKey(id: string, key: KeyState): Buffer {
  const packed = Buffer.alloc(keyLength);
  packed.write(id, 0, idLength, 'latin1');
  packed.writeUIntBE(key.refusedAtMs, idLength, 6);
  packed.writeUIntBE(key.refusedUntilMs, idLength + 6, 6);
  packed.writeUIntBE(key.bannedAtMs, idLength + 12, 6);
  packed.writeUInt32BE(key.bannedUntil, idLength + 18);
  packed.writeUInt8(key.step, idLength + 22);
  return packed;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
