import { randomUUID } from 'node:crypto';
import { readBudget, readKey } from './encoding.ts';
import type { Decided, QuotaState } from './decision.ts';
import { decide } from './decision.ts';
import type { Ask } from './port.ts';
import type { Debt, Reply } from './script.ts';
import type { BudgetState } from './windows.ts';
import { bucketMs, shifted } from './windows.ts';

/** Budgets and keys that a process remembers; who was not seen for longest is forgotten first. */
const remembered = 50_000;
const none = Buffer.alloc(0);

interface Remembered {
  /** as Redis gave it last, packed */
  seed: Buffer;
  /** when, by Redis' clock; unix ms */
  seedAt: number;
}

interface RememberedBudget extends Remembered {
  /** the state this process counts on by itself while Redis is away */
  local: QuotaState['budget'] | null;
  /** admitted by itself and not paid back: bucket to count, and the day */
  owed: Map<number, number>;
  owedDay: { day: number; count: number };
  /** a debt that was sent and not acknowledged: sent again as it is */
  sealed: Debt | null;
  /** what was asked while Redis was away: the terms of paying back */
  ask: Ask | null;
}

interface RememberedKey extends Remembered {
  local: QuotaState['key'] | null;
}

/** What was spent by this process alone, to be taken back if Redis turns out to have counted it too. */
export interface Spent {
  readonly budget: string;
  readonly bucket: number;
  readonly day: number;
}

/** What this process knows of budgets and keys: the seed for a Redis that forgot, and its own count while it is away. */
export class QuotaMemory {
  readonly #budgets = new Map<string, RememberedBudget>();
  readonly #keys = new Map<string, RememberedKey>();
  readonly #owing = new Set<string>();

  seeds({ budget, key }: Ask): { readonly budget: Buffer; readonly key: Buffer } {
    return {
      budget: this.#budgets.get(budget)?.seed ?? none,
      key: key === null ? none : (this.#keys.get(key)?.seed ?? none),
    };
  }

  /** Looks that would pay back, one for each budget that owes. */
  owing(): readonly Ask[] {
    const asks = [...this.#owing].map((budget) => this.#budgets.get(budget)?.ask);
    return asks.flatMap((ask) => (ask ? [{ ...ask, key: null, spend: 0 as const }] : []));
  }

  /** What has to be paid back with the next call; the same until it is acknowledged. */
  debtOf(budget: string): Debt | null {
    const known = this.#budgets.get(budget);
    if (!known || known.sealed || known.owed.size === 0) return known?.sealed ?? null;
    const { day, count } = known.owedDay;
    known.sealed = Object.freeze({ id: randomUUID(), day, dayCount: count, counts: [...known.owed] });
    known.owed = new Map();
    known.owedDay = { day: 0, count: 0 };
    return known.sealed;
  }

  /** Redis answered: its word replaces our own count, and the debt it was given is paid. */
  learn({ budget, key }: Ask, reply: Reply, paid: Debt | null): void {
    const known = this.#budget(budget);
    if (paid && known.sealed?.id === paid.id) known.sealed = null;
    if (!known.sealed && known.owed.size === 0) this.#owing.delete(budget);
    const { now } = reply.decision;
    if (now >= known.seedAt) Object.assign(known, { seed: reply.budget, seedAt: now });
    known.local = null;
    if (key === null) return;
    const knownKey = this.#key(key);
    if (now >= knownKey.seedAt) Object.assign(knownKey, { seed: reply.key, seedAt: now });
    knownKey.local = null;
  }

  /** Decides without Redis, at a share of the limits. `nowMs` is this process' estimate of Redis' clock. */
  decideAlone(ask: Ask, nowMs: number, replicas: number): { readonly decided: Decided; readonly spent: Spent | null } {
    const budget = this.#budget(ask.budget);
    const key = ask.key === null ? null : this.#key(ask.key);
    const before = { budget: budget.local ?? withDebts(budget, nowMs), key: key?.local ?? readKey(key?.seed ?? none) };
    const decided = decide(before, { ...ask, limits: share(ask.limits, replicas) }, nowMs);
    if (ask.spend === 0) return { decided, spent: null };
    budget.local = decided.after.budget;
    if (key) key.local = decided.after.key;
    if (decided.decision.kind !== 'allowed') return { decided, spent: null };
    const { bucket, day } = decided.after.budget;
    budget.ask = ask;
    this.#owing.add(ask.budget);
    budget.owed.set(bucket, (budget.owed.get(bucket) ?? 0) + 1);
    budget.owedDay = { day, count: (budget.owedDay.day === day ? budget.owedDay.count : 0) + 1 };
    this.#forgetOldDebts(budget, nowMs);
    return { decided, spent: { budget: ask.budget, bucket, day } };
  }

  /** Redis counted a request after all: it is not owed as well. */
  takeBack({ budget, bucket, day }: Spent): void {
    const known = this.#budgets.get(budget);
    const count = known?.owed.get(bucket) ?? 0;
    if (!known || count === 0) return;
    if (count === 1) known.owed.delete(bucket);
    else known.owed.set(bucket, count - 1);
    if (known.owedDay.day === day) known.owedDay = { day, count: known.owedDay.count - 1 };
  }

  /** What left the minute is owed to the day alone, which one entry carries as well as seven. */
  #forgetOldDebts({ owed }: RememberedBudget, nowMs: number): void {
    const oldest = Math.floor(nowMs / bucketMs) - 8;
    for (const bucket of owed.keys()) if (bucket < oldest && owed.size > 1) owed.delete(bucket);
  }

  #budget(name: string): RememberedBudget {
    const fresh = {
      seed: none,
      seedAt: 0,
      local: null,
      owed: new Map(),
      owedDay: { day: 0, count: 0 },
      sealed: null,
      ask: null,
    };
    return recall(this.#budgets, name, fresh);
  }

  #key(id: string): RememberedKey {
    return recall(this.#keys, id, { seed: none, seedAt: 0, local: null });
  }
}

/** What Redis knew last, and what this process admitted since and has not paid back. */
function withDebts({ seed, owed, owedDay, sealed }: RememberedBudget, nowMs: number): BudgetState {
  const state = shifted(readBudget(seed), nowMs);
  const debts = [...owed, ...(sealed?.counts ?? [])];
  const inDay = (debt: { day: number; count: number }) => (debt.day === state.day ? debt.count : 0);
  return {
    ...state,
    counts: state.counts.map((count, index) =>
      debts.reduce((sum, [bucket, owes]) => (state.bucket - bucket === index ? sum + owes : sum), count),
    ),
    dayCount: state.dayCount + inDay(owedDay) + (sealed ? inDay({ day: sealed.day, count: sealed.dayCount }) : 0),
  };
}

/** A process's part of what all of them may admit together. */
function share({ perMinute, perDay }: Ask['limits'], replicas: number): Ask['limits'] {
  const part = (limit: number) => Math.max(1, Math.floor(limit / Math.max(1, replicas)));
  return { perMinute: part(perMinute), perDay: perDay === null ? null : part(perDay) };
}

function recall<T>(entries: Map<string, T>, name: string, fresh: T): T {
  const known = entries.get(name) ?? fresh;
  entries.delete(name);
  entries.set(name, known);
  const [oldest] = entries.keys();
  if (entries.size > remembered && oldest !== undefined) entries.delete(oldest);
  return known;
}
