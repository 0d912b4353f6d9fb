import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disregarded } from './ban-state.ts';
import type { MinuteLog } from './minute-log.ts';
import type { Figures } from './quota-decision.ts';
import type { Ask, Decision } from './quota-port.ts';
import type { StateVersion } from './state-encoding.ts';

/** The batches of quota-decision.lua, and its answers. */

export const script = readFileSync(join(import.meta.dirname, 'quota-decision.lua'), 'utf8');

/** As many decisions as a batch has at most. */
export const mostInBatch = 128;

/** What a process admitted on its own on one budget, and Redis has not counted. */
export interface Debt {
  readonly log: MinuteLog;
  readonly day: number;
  readonly dayCount: number;
}

/** One decision of a batch. */
export interface ScriptAsk {
  readonly ask: Ask;
  /** of the state that this process received last */
  readonly version: StateVersion;
  /** that state, once the script wanted it; null otherwise */
  readonly seed: Buffer | null;
  readonly debt: Debt | null;
  readonly disregarded: Disregarded | null;
}

export interface Batch {
  /** rises from batch to batch of a process */
  readonly number: number;
  readonly asks: readonly ScriptAsk[];
}

const flags = { key: 1, seed: 2, debt: 4, disregarded: 8 } as const;
const noDay = 2 ** 32 - 1;
const most16Bits = 2 ** 16 - 1;
const most48Bits = 2 ** 48 - 1;
const idLength = 16;

const fixed = { head: 7, ask: 20, key: idLength + 6, seed: 2, debt: 7, entry: 11, disregarded: 12 } as const;

/** The budgets of a batch, each once, in the order of the keys of its states. */
export const budgetsOf = ({ asks }: Batch): readonly string[] => [...new Set(asks.map(({ ask }) => ask.budget))];

/** Packs a batch; quota-decision.lua names the fields. */
export function packBatch({ number, asks }: Batch, budgets: readonly string[]): Buffer {
  const packed = Buffer.allocUnsafe(fixed.head + asks.reduce((sum, one) => sum + lengthOf(one), 0));
  const indexOf = new Map(budgets.map((budget, index) => [budget, index + 1]));
  let at = packed.writeUInt8(asks.length, packed.writeUIntBE(number, 0, 6));
  for (const one of asks) {
    packed.writeUInt8(indexOf.get(one.ask.budget) ?? 0, at);
    at = packAsk(packed, at + 1, one);
  }
  return packed;
}

const lengthOf = ({ ask, seed, debt, disregarded }: ScriptAsk): number =>
  fixed.ask +
  (ask.key === null ? 0 : fixed.key) +
  (seed ? fixed.seed + seed.length : 0) +
  (debt ? fixed.debt + debt.log.length * fixed.entry : 0) +
  (disregarded ? fixed.disregarded : 0);

/** All of it but the index of its budget. */
function packAsk(packed: Buffer, from: number, one: ScriptAsk): number {
  const { ask, version, seed, debt, disregarded } = one;
  let at = packed.writeUInt8(flagsOf(one), from);
  at = packed.writeUInt16BE(Math.min(ask.spend, most16Bits), at);
  at = packed.writeUInt32BE(ask.limits.perMinute, at);
  at = packed.writeUInt32BE(ask.limits.perDay ?? noDay, at);
  at = packed.writeUInt32BE(version.incarnation, at);
  at = packed.writeUInt32BE(version.revision, at);
  if (ask.key !== null) {
    packed.fill(0, at, at + idLength);
    packed.write(ask.key, at, idLength, 'latin1');
    at = packed.writeUIntBE(Math.min(Math.max(0, ask.liftedAt ?? 0), most48Bits), at + idLength, 6);
  }
  if (seed) {
    at = packed.writeUInt16BE(seed.length, at);
    at += seed.copy(packed, at);
  }
  if (debt) at = packDebt(packed, at, debt);
  if (!disregarded) return at;
  at = packed.writeUIntBE(disregarded.firstMs, at, 6);
  return packed.writeUIntBE(disregarded.lastMs, at, 6);
}

const flagsOf = ({ ask, seed, debt, disregarded }: ScriptAsk): number =>
  (ask.key === null ? 0 : flags.key) +
  (seed ? flags.seed : 0) +
  (debt ? flags.debt : 0) +
  (disregarded ? flags.disregarded : 0);

function packDebt(packed: Buffer, from: number, { log, day, dayCount }: Debt): number {
  let at = packed.writeUInt16BE(day, from);
  at = packed.writeUInt32BE(dayCount, at);
  at = packed.writeUInt8(log.length, at);
  for (const { firstMs, lastMs, count } of log) {
    at = packed.writeUIntBE(firstMs, at, 6);
    at = packed.writeUInt16BE(lastMs - firstMs, at);
    at = packed.writeUIntBE(count, at, 3);
  }
  return at;
}

/** What the script says of one decision: its figures, or that it wants the seed first, as Redis has lost data. */
export type Answer = Figures | 'seed wanted';

/** Of an earlier batch, by its number: whether the decision at an index spent something. */
export type BatchResults = ReadonlyMap<number, (index: number) => boolean>;

export interface BatchReply {
  readonly nowMs: number;
  /** of the last two batches with decisions before this one */
  readonly earlier: BatchResults;
  /** in the order of the asks; null when the batch has been decided or given up before, so nothing happened now */
  readonly answers: readonly Answer[] | null;
  /** packed, by budget; empty where Redis has none */
  readonly states: ReadonlyMap<string, Buffer>;
}

type Raw = readonly [nowMs: number, remembered: Buffer, answers: Buffer, ...states: Buffer[]];

const stale = Buffer.from('stale');
const answerLength = 22;
const kinds: readonly Decision['kind'][] = ['allowed', 'limited', 'banned'];
const seedWanted = 3;
const begins = 8;

export function readReply(raw: unknown, budgets: readonly string[]): BatchReply {
  const [nowMs, remembered, answers, ...states] = raw as Raw;
  const isStale = answers.equals(stale);
  return {
    nowMs,
    earlier: readResults(remembered),
    answers: isStale
      ? null
      : Array.from({ length: answers.length / answerLength }, (_, index) =>
          readAnswer(answers, index * answerLength, nowMs),
        ),
    states: new Map(budgets.map((budget, index) => [budget, states[index] ?? Buffer.alloc(0)])),
  };
}

function readAnswer(packed: Buffer, at: number, nowMs: number): Answer {
  const code = packed.readUInt8(at);
  if (code === seedWanted) return 'seed wanted';
  return {
    kind: kinds[code % begins] ?? 'limited',
    nowMs,
    used: packed.readUInt32BE(at + 1),
    minuteResetsAtMs: packed.readUIntBE(at + 5, 6),
    day: packed.readUInt16BE(at + 11),
    dayCount: packed.readUInt32BE(at + 13),
    bannedUntil: packed.readUInt32BE(at + 17),
    step: packed.readUInt8(at + 21),
    banBegins: code >= begins,
  };
}

function readResults(remembered: Buffer): BatchResults {
  const results = new Map<number, (index: number) => boolean>();
  for (let at = 6; at + 7 <= remembered.length;) {
    const bits = remembered.subarray(at + 7, at + 7 + remembered.readUInt8(at + 6));
    results.set(remembered.readUIntBE(at, 6), (index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
    at += 7 + bits.length;
  }
  return results;
}
