import type { BoundedMap } from '../lib/bounded-map.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Conduct } from './ban-state.ts';
import { usedOf } from './minute-log.ts';
import type { Figures } from './quota-decision.ts';
import { decideQuota } from './quota-decision.ts';
import type { Ask, QuotaLimits } from './quota-port.ts';
import type { BudgetState } from './quota-windows.ts';
import { currentBudget, emptyBudget, joinedBudgets, spent } from './quota-windows.ts';
import type { BudgetAsks } from './batch-encoding.ts';
import { readState } from './state-encoding.ts';

/** How many budgets' states a process remembers; the one that was asked for least recently is forgotten first. */
const remembered = 50_000;
/**
 * Of how many it counts what it admits alone. Those without a day, such as of an address, cost nothing to make: they must not displace what
 * accounts owe, and what they owe is over in a minute.
 */
const countedAlone = { withDay: 200_000, ofAMinute: 20_000 } as const;

/** A request that this process admitted on its own. */
export interface Admission {
  readonly budget: string;
  readonly nowMs: number;
  readonly cost: number;
  readonly perMinute: number;
}

/** What was decided without Redis, within which share of the limits. */
export interface DecidedAlone {
  readonly figures: Figures;
  readonly limits: QuotaLimits;
  readonly admission: Admission | null;
}

/**
 * The state that Redis answered with last, in the first `length` bytes. It is copied here with each answer: a new object for each is what the
 * garbage collector copies, as it outlives the requests.
 */
interface Remembered {
  packed: Buffer;
  length: number;
  /** how often Redis had lost data before it answered */
  losses: number;
}

/** A budget that was decided without Redis. */
interface CountedAlone {
  /** the last ask: debts are paid with its limits */
  ask: Ask;
  /** what Redis had counted when the outage began, all that this process admitted since then, and strikes and bans; null between outages */
  outage: { readonly before: BudgetState; alone: BudgetState; conduct: Conduct } | null;
  /** what Redis has to count, and what of it is under way */
  owed: BudgetState;
  sent: BudgetState | null;
}

/** States grow with the entries of their minute. */
const room = 64;
const nothing = Buffer.alloc(0);

const sum = (one: number, two: number): number => one + two;

/** What this process knows of budgets: the seed for a Redis that lost its data, and a count of its own. */
export class LocalQuota {
  readonly #remembered: BoundedMap<Remembered>;
  readonly #withDay: BoundedMap<CountedAlone>;
  readonly #ofAMinute: BoundedMap<CountedAlone>;
  #losses = 0;

  /** Budgets are divided among so many of them in a process, and so is what it remembers. */
  constructor(shards = 1) {
    this.#remembered = createBoundedMap(Math.ceil(remembered / shards));
    this.#withDay = createBoundedMap(Math.ceil(countedAlone.withDay / shards));
    this.#ofAMinute = createBoundedMap(Math.ceil(countedAlone.ofAMinute / shards));
  }

  /** What a batch tells Redis of a budget: the state that it has lost, and a debt, once. */
  prepare(budget: string): Pick<BudgetAsks, 'seed' | 'debt'> {
    const known = this.#remembered.get(budget);
    const seed = known && known.losses < this.#losses ? stateOf(known) : null;
    const own = this.#alone(budget);
    if (!own || own.sent || own.owed.dayCount === 0) return { seed, debt: null };
    [own.sent, own.owed] = [own.owed, emptyBudget];
    return { seed, debt: own.sent };
  }

  /** Redis answered with a state. */
  learn(budget: string, state: Buffer): void {
    const known = this.#remembered.get(budget) ?? { packed: nothing, length: 0, losses: 0 };
    if (known.packed.length < state.length) known.packed = Buffer.allocUnsafeSlow(state.length + room);
    known.length = state.copy(known.packed);
    known.losses = this.#losses;
    this.#remembered.set(budget, known);
  }

  /** Redis has lost data: of each budget it is told what is remembered, before it decides on it again. */
  noteLoss(): void {
    this.#losses += 1;
  }

  /** Redis counted the debt that was sent to it, or did not. */
  endDebt(budget: string, isCounted: boolean): void {
    const own = this.#alone(budget);
    if (!own?.sent) return;
    if (!isCounted) own.owed = joinedBudgets(own.sent, own.owed, sum);
    own.sent = null;
    this.#endIfSettled(own);
  }

  /** Decides without Redis, within a share of what is left. `nowMs` is this process' estimate of Redis' clock. */
  decideAlone(ask: Ask, nowMs: number, replicas: number): DecidedAlone {
    const outage = this.#outageOf(ask);
    const shared = currentBudget(outage.before, nowMs);
    const budget = joinedBudgets(shared, currentBudget(outage.alone, nowMs), sum);
    const limits = share(ask.limits, shared, replicas);
    const { figures, after } = decideQuota({ budget, conduct: outage.conduct }, { ...ask, limits }, nowMs);
    if (ask.spend === 0) return { figures, limits, admission: null };
    outage.conduct = after.conduct;
    if (figures.kind !== 'allowed') return { figures, limits, admission: null };
    // All processes together may put a tenth of the limit into entries that end early, so each may put its part.
    const perMinute = Math.floor(ask.limits.perMinute / Math.max(1, replicas));
    const admission = { budget: ask.budget, nowMs, cost: ask.spend, perMinute };
    outage.alone = withAdmission(outage.alone, admission);
    return { figures, limits, admission };
  }

  /** Redis has not counted a request that was admitted alone, and never will unless it is told. */
  owe(admission: Admission): void {
    const own = this.#alone(admission.budget);
    if (!own) return;
    const isNewest = (own.owed.log.at(-1)?.lastMs ?? 0) <= admission.nowMs;
    own.owed = isNewest
      ? withAdmission(own.owed, admission)
      : // What was admitted since keeps its times.
        joinedBudgets(own.owed, withAdmission(emptyBudget, admission), sum);
  }

  /** Asks that spend nothing but pay what is owed, one for each budget; first those that owe it for a day. */
  unsettled(): readonly Ask[] {
    const owing = this.#countedAlone().filter((own) => !isSettled(own));
    return owing.map(({ ask }) => ({ ...ask, key: null, spend: 0 }));
  }

  /** Redis decides again, and everybody knows what the others admitted. */
  endOutage(): void {
    for (const own of this.#countedAlone()) {
      own.outage = null;
      this.#endIfSettled(own);
    }
  }

  /** Redis decides, but not on this request: what it answered last is what is known, and not what it did before an outage. */
  renew(budget: string): void {
    const own = this.#alone(budget);
    if (own) own.outage = null;
  }

  /**
   * The part of a process is what Redis had left before the outage: what is known after it has what this process admitted alone in it, and not
   * what the others did.
   */
  #outageOf(ask: Ask): NonNullable<CountedAlone['outage']> {
    const own = this.#alone(ask.budget) ?? { ask, outage: null, owed: emptyBudget, sent: null };
    (ask.limits.perDay === null ? this.#ofAMinute : this.#withDay).set(ask.budget, own);
    own.ask = ask;
    if (own.outage) return own.outage;
    const { budget, conduct } = readState(stateOf(this.#remembered.get(ask.budget)));
    own.outage = { before: budget, alone: joinedBudgets(own.owed, own.sent ?? emptyBudget, sum), conduct };
    return own.outage;
  }

  #alone(budget: string): CountedAlone | undefined {
    return this.#withDay.get(budget) ?? this.#ofAMinute.get(budget);
  }

  #countedAlone(): readonly CountedAlone[] {
    return [...this.#withDay.values(), ...this.#ofAMinute.values()];
  }

  #endIfSettled(own: CountedAlone): void {
    if (own.outage || !isSettled(own)) return;
    this.#withDay.delete(own.ask.budget);
    this.#ofAMinute.delete(own.ask.budget);
  }
}

const stateOf = (known: Remembered | undefined): Buffer => known?.packed.subarray(0, known.length) ?? nothing;

const isSettled = ({ owed, sent }: CountedAlone): boolean => sent === null && owed.dayCount === 0;

const withAdmission = (state: BudgetState, { nowMs, cost, perMinute }: Admission): BudgetState =>
  spent(currentBudget(state, nowMs), cost, perMinute, nowMs);

/** Limits that leave this process its part of what the others have not used: all of them know about the same. */
function share({ perMinute, perDay }: QuotaLimits, { log, dayCount }: BudgetState, replicas: number): QuotaLimits {
  const part = (limit: number, used: number) =>
    used >= limit ? limit : used + Math.max(1, Math.floor((limit - used) / Math.max(1, replicas)));
  return { perMinute: part(perMinute, usedOf(log)), perDay: perDay === null ? null : part(perDay, dayCount) };
}
