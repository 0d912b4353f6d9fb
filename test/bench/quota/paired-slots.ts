import type { Load } from './load.ts';
import type { Quartiles } from './quartiles.ts';
import { mean, quartiles, spread } from './quartiles.ts';
import type { Variant } from './variants.ts';

/** One slot of a variant, and what bare Express did right before and after it. */
export interface PairedSlot {
  readonly variant: Variant;
  readonly load: Load;
  readonly bare: readonly [Load, Load];
  /** microseconds of processor time for each request */
  readonly serverCpu: number;
  readonly redisCpu: number;
  readonly redisCommands: number;
}

export interface Summary {
  readonly variant: Variant;
  readonly slots: number;
  /** of bare Express: lower quartile, median, upper quartile */
  readonly ratio: Quartiles;
  readonly p50Ratio: Quartiles;
  readonly p99Ratio: Quartiles;
  /** milliseconds more than bare at the median */
  readonly addedP50: number;
  readonly serverCpu: number;
  readonly redisCpu: number;
  readonly redisCommandsPer100: number;
  readonly refusedShare: number;
}

/** Medians and quartiles of what each slot was beside its two neighbours. */
export function summaryOf(variant: Variant, slots: readonly PairedSlot[]): Summary {
  const beside = (pick: (load: Load) => number) =>
    quartiles(slots.map(({ load, bare }) => pick(load) / mean(bare.map(pick))));
  const middle = (values: readonly number[]) => quartiles(values)[1];
  return {
    variant,
    slots: slots.length,
    ratio: beside(({ perSecond }) => perSecond),
    p50Ratio: beside(({ p50 }) => p50),
    p99Ratio: beside(({ p99 }) => p99),
    addedP50: middle(slots.map(({ load, bare }) => load.p50 - mean(bare.map(({ p50 }) => p50)))),
    serverCpu: middle(slots.map(({ serverCpu }) => serverCpu)),
    redisCpu: middle(slots.map(({ redisCpu }) => redisCpu)),
    redisCommandsPer100: middle(slots.map(({ redisCommands, load }) => (100 * redisCommands) / load.requests)),
    refusedShare: middle(slots.map(({ load }) => load.refused / load.requests)),
  };
}

const heads = [
  '',
  'slots',
  'requests, of bare',
  'p50, of bare',
  'p99, of bare',
  'p50 added, ms',
  'server, µs',
  'Redis, µs',
  'commands for 100',
  'refused',
];

/** The summaries of one setting as a table of Markdown. */
export function tableOf(title: string, summaries: readonly Summary[]): string {
  const rows = summaries.map((one) => [
    one.variant,
    one.slots,
    spread(one.ratio),
    spread(one.p50Ratio),
    spread(one.p99Ratio),
    one.addedP50.toFixed(2),
    one.serverCpu.toFixed(0),
    one.redisCpu.toFixed(1),
    one.redisCommandsPer100.toFixed(1),
    `${(100 * one.refusedShare).toFixed(0)} %`,
  ]);
  const lines = [[title, ...heads.slice(1)], heads.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
