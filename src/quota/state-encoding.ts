import type { Conduct } from './ban-state.ts';
import { cleanConduct } from './ban-state.ts';
import type { QuotaState } from './quota-decision.ts';
import { nothingSpent } from './quota-decision.ts';
import type { BudgetState } from './quota-windows.ts';

/**
 * The state of a budget as quota-decision.lua packs it: the budget and the entries of its minute; then, while an account has any of it, its
 * conduct, its strikes, each in ms after the first, and its keys, each after its id.
 */
export const structs = {
  budget: struct({ day: 2, dayCount: 4, entries: 1 }),
  entry: struct({ firstMs: 6, span: 2, count: 4 }),
  conduct: struct({ step: 1, cleanSince: 4, firstStrikeMs: 6, strikes: 1 }),
  strike: struct({ afterMs: 2 }),
  key: struct({ refusedAtMs: 6, refusedUntilMs: 6, bannedAtMs: 6, bannedUntil: 4, step: 1 }),
} as const;
export const idLength = 16;
/** An entry that spans so long ends when its first request is a minute old, and so does a longer one. */
const longestSpanMs = 60_000;

/** An empty state where the value is none. */
export function readState(packed: Buffer): QuotaState {
  try {
    const { day, dayCount, entries } = structs.budget.read(packed, 0);
    const log = each(entries, structs.budget.length, structs.entry.length, (at) => {
      const { firstMs, span, count } = structs.entry.read(packed, at);
      return { firstMs, lastMs: firstMs + span, count };
    });
    const conductAt = structs.budget.length + entries * structs.entry.length;
    return { budget: { log, day, dayCount }, conduct: readConduct(packed.subarray(conductAt)) };
  } catch {
    return nothingSpent;
  }
}

function readConduct(packed: Buffer): Conduct {
  if (packed.length === 0) return cleanConduct;
  const { step, cleanSince, firstStrikeMs, strikes } = structs.conduct.read(packed, 0);
  const keysAt = structs.conduct.length + strikes * structs.strike.length;
  const keyLength = idLength + structs.key.length;
  const strikesMs = each(
    strikes,
    structs.conduct.length,
    structs.strike.length,
    (at) => firstStrikeMs + structs.strike.read(packed, at).afterMs,
  );
  const keys = each((packed.length - keysAt) / keyLength, keysAt, keyLength, (at) => {
    const id = packed.toString('latin1', at, at + idLength).replace(/\0+$/, '');
    return [id, structs.key.read(packed, at + idLength)] as const;
  });
  return { step, cleanSince, strikesMs, keys: new Map(keys) };
}

/** What is read at each of so many places, the first one at `from`. */
const each = <T>(count: number, from: number, length: number, read: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => read(from + index * length));

/** A budget alone, as the script packs it. */
export function writeBudget({ log, day, dayCount }: BudgetState): Buffer {
  const packed = Buffer.alloc(structs.budget.length + log.length * structs.entry.length);
  let at = structs.budget.write(packed, 0, { day, dayCount, entries: log.length });
  for (const { firstMs, lastMs, count } of log)
    at = structs.entry.write(packed, at, { firstMs, span: Math.min(lastMs - firstMs, longestSpanMs), count });
  return packed;
}

/** A record of unsigned integers, big-endian: as the library struct of Redis' Lua packs it. */
export interface Struct<Field extends string> {
  /** bytes */
  readonly length: number;
  read(packed: Buffer, at: number): Record<Field, number>;
  /** Returns where it ends. */
  write(packed: Buffer, at: number, values: Readonly<Record<Field, number>>): number;
}

/** Of these fields, each with its length in bytes, in this order. */
export function struct<Field extends string>(lengths: Readonly<Record<Field, number>>): Struct<Field> {
  const fields = Object.entries(lengths) as [Field, number][];
  return {
    length: fields.reduce((sum, [, length]) => sum + length, 0),
    read(packed, from) {
      const values = {} as Record<Field, number>;
      let at = from;
      for (const [name, length] of fields) {
        values[name] = packed.readUIntBE(at, length);
        at += length;
      }
      return values;
    },
    write: (packed, from, values) =>
      fields.reduce((at, [name, length]) => packed.writeUIntBE(values[name], at, length), from),
  };
}
