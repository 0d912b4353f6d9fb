import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ask, Decision } from './quota-port.ts';
import { strikesOfABan } from './ban-state.ts';

/** Keys, arguments and reply of quota-decision.lua. */

export const script = readFileSync(join(import.meta.dirname, 'quota-decision.lua'), 'utf8');
export const keyCount = 3;

/** What one process admitted on its own while Redis was unavailable; its id ensures that it is paid back only once. */
export interface UnsyncedSpending {
  readonly id: string;
  readonly day: number;
  readonly dayCount: number;
  /** bucket and count */
  readonly counts: readonly (readonly [number, number])[];
}

export interface ScriptCall {
  readonly ask: Ask;
  /** the packed states that this process last received; empty when none */
  readonly seeds: { readonly budget: Buffer; readonly key: Buffer };
  readonly debt: UnsyncedSpending | null;
}

export interface Reply {
  readonly decision: Decision;
  readonly budget: Buffer;
  readonly key: Buffer;
}

/** All keys of one budget share a hash tag, so that they are on one node of a Redis cluster. */
export function scriptKeys({ ask, debt }: ScriptCall): readonly string[] {
  const budget = `q:{${ask.budget}}`;
  return [budget, ask.key === null ? budget : `${budget}:k:${ask.key}`, `${budget}:d:${debt?.id ?? ''}`];
}

export function scriptArguments({ ask, seeds, debt }: ScriptCall): readonly (string | number | Buffer)[] {
  const { perMinute, perDay } = ask.limits;
  const owed = debt ? [debt.id, debt.day, debt.dayCount, ...debt.counts.flat()] : ['', 0, 0];
  return [
    perMinute,
    perDay ?? -1,
    ask.key === null ? 0 : 1,
    ask.liftedAt ?? 0,
    ask.spend,
    seeds.budget,
    seeds.key,
    ...owed,
  ];
}

type Raw = readonly [
  now: number,
  kind: Buffer,
  minuteRemaining: number,
  minuteReset: number,
  dayRemaining: number,
  dayReset: number,
  binding: Buffer,
  retryAfter: number,
  bannedUntil: number,
  banSeconds: number,
  step: number,
  begins: number,
  budget: Buffer,
  key: Buffer,
];

export function readReply(raw: unknown, { limits }: Ask): Reply {
  const [now, kind, minuteRemaining, minuteReset, dayRemaining, dayReset, binding, retryAfter, ...rest] = raw as Raw;
  const [until, seconds, step, begins, budget, key] = rest;
  const { perMinute, perDay } = limits;
  const word = kind.toString() as Decision['kind'];
  return {
    decision: {
      kind: word,
      now,
      minute: { limit: perMinute, remaining: minuteRemaining, resetAt: minuteReset },
      day: perDay === null ? null : { limit: perDay, remaining: dayRemaining, resetAt: dayReset },
      binding: binding.toString() as Decision['binding'],
      retryAfter: word === 'allowed' ? null : retryAfter,
      ban: word === 'banned' ? { until, seconds, strikes: strikesOfABan, step } : null,
      banBegins: begins === 1,
      degraded: false,
    },
    budget,
    key,
  };
}
