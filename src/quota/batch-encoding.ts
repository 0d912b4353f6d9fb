import type { Figures } from './quota-decision.ts';
import type { Ask, Decision } from './quota-port.ts';
import { limitsToPass } from './quota-port.ts';
import type { BudgetState } from './quota-windows.ts';
import { idLength, writeBudget, struct } from './state-encoding.ts';

/** The batches of quota-decision.lua, and its answers. */

/** What one budget is asked for in a batch, in this order. */
export interface BudgetAsks {
  readonly budget: string;
  readonly asks: readonly Ask[];
  /** the state that the process remembers, where Redis has lost its own; null otherwise */
  readonly seed: Buffer | null;
  /** what the process admitted alone and Redis has not counted */
  readonly debt: BudgetState | null;
}

export interface Batch {
  /** rises from batch to batch of a process */
  readonly number: number;
  /** the last number that Redis has answered with decisions; 0 before the first */
  readonly answered: number;
  /** each budget once */
  readonly budgets: readonly BudgetAsks[];
}

export interface BatchReply {
  readonly nowMs: number;
  /** stale: a later number came before. lost: Redis does not remember the batch that it is said to have answered. Both: nothing happened */
  readonly outcome: 'decided' | 'stale' | 'lost';
  /** of the last two batches with decisions before this one: by number, 1 for each decision that spent something, 0 for the others */
  readonly earlier: ReadonlyMap<number, string>;
  /** in the order of the budgets and their asks */
  readonly answers: readonly Figures[];
  /** by budget; empty where Redis has none */
  readonly states: ReadonlyMap<string, Buffer>;
}

const structs = {
  batch: struct({ number: 6, answered: 6 }),
  count: struct({ asks: 1 }),
  told: struct({ bytes: 2 }),
  ask: struct({ spend: 2, perMinute: 4, perDay: 4, liftedAt: 6 }),
  answer: struct({
    kind: 1,
    used: 4,
    minuteResetsAtMs: 6,
    day: 2,
    dayCount: 4,
    bannedUntil: 4,
    step: 1,
    begins: 1,
    nextStrikeMs: 6,
  }),
} as const;
const noDay = 2 ** 32 - 1;
const mostSpent = 2 ** 16 - 1;
const latest = 2 ** 48 - 1;
const nothing = Buffer.alloc(0);

/** A batch as the script reads it: of each budget the number of its asks, the seed and the debt with their lengths, and the asks. */
export function writeBatch({ number, answered, budgets }: Batch): Buffer {
  const told = budgets.map(({ seed, debt }) => [seed ?? nothing, debt ? writeBudget(debt) : nothing]);
  const askLength = structs.ask.length + idLength;
  const ofAsks = budgets.reduce((sum, { asks }) => sum + structs.count.length + asks.length * askLength, 0);
  const ofTold = told.flat().reduce((sum, one) => sum + structs.told.length + one.length, 0);
  const packed = Buffer.alloc(structs.batch.length + ofAsks + ofTold);
  let at = structs.batch.write(packed, 0, { number, answered });
  budgets.forEach(({ asks }, index) => {
    at = structs.count.write(packed, at, { asks: asks.length });
    for (const one of told[index] ?? []) {
      at = structs.told.write(packed, at, { bytes: one.length });
      at += one.copy(packed, at);
    }
    for (const ask of asks) at = writeAsk(packed, at, ask);
  });
  return packed;
}

/** The script is told the limits to pass, and knows of nothing else that an ask needs. */
function writeAsk(packed: Buffer, from: number, ask: Ask): number {
  const { spend, liftedAt, key } = ask;
  const { perMinute, perDay } = limitsToPass(ask);
  const at = structs.ask.write(packed, from, {
    spend: Math.min(spend, mostSpent),
    perMinute,
    perDay: perDay ?? noDay,
    liftedAt: Math.min(Math.max(0, liftedAt ?? 0), latest),
  });
  if (key !== null) packed.write(key, at, idLength, 'latin1');
  return at + idLength;
}

type Raw = readonly [nowMs: number, remembered: Buffer, outcome: Buffer, answers: Buffer | undefined, ...Buffer[]];

const kinds: readonly Decision['kind'][] = ['allowed', 'limited', 'banned'];

/** What the script says. */
export function readReply(raw: unknown, { budgets }: Batch): BatchReply {
  const [nowMs, remembered, outcome, answers = nothing, ...states] = raw as Raw;
  const [, ...earlier] = remembered.toString().trim().split(' ');
  return {
    nowMs,
    outcome: outcome.toString() as BatchReply['outcome'],
    earlier: new Map(earlier.map((one) => [Number(one.split(':')[0]), one.split(':')[1] ?? ''])),
    answers: Array.from({ length: answers.length / structs.answer.length }, (_, index) => {
      const { kind, begins, ...figures } = structs.answer.read(answers, index * structs.answer.length);
      return { ...figures, kind: kinds[kind] ?? 'limited', nowMs, banBegins: begins === 1 };
    }),
    states: new Map(states.map((state, index) => [budgets[index]?.budget ?? '', state])),
  };
}
