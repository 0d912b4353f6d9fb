import type { BoundedMap } from '../lib/bounded-map.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { AccountStrikes, KeyState } from './ban-state.ts';
import type { Decided } from './quota-decision.ts';
import { decideQuota } from './quota-decision.ts';
import { readBudget, readAccountStrikes, readKey } from './state-encoding.ts';
import { UnsyncedUsage } from './unsynced-usage.ts';
import type { Ask } from './quota-port.ts';
import type { UnsyncedSpending, Reply } from './redis-script.ts';
import { shifted } from './quota-windows.ts';

/** How many budgets, and how many keys, a process remembers; the least recently used is forgotten first. */
const remembered = 50_000;
const none = Buffer.alloc(0);

interface Seeded {
  /** the packed state in Redis' last reply */
  seed: Buffer;
  /** time of that reply by Redis' clock; Unix ms */
  seedAt: number;
  /** strikes and bans since that reply; null when there was no decision since */
  local: object | null;
}

interface RememberedBudget extends Seeded {
  readonly unsynced: UnsyncedUsage;
  /** the last ask while Redis was unavailable: the debt is paid back with its limits */
  ask: Ask | null;
  local: AccountStrikes | null;
}

interface RememberedKey extends Seeded {
  local: KeyState | null;
}

const freshBudget = (): RememberedBudget => ({
  seed: none,
  seedAt: 0,
  unsynced: new UnsyncedUsage(),
  ask: null,
  local: null,
});
const freshKey = (): RememberedKey => ({ seed: none, seedAt: 0, local: null });

/** What this process knows of budgets and keys: the seed for a Redis that lost its data, and a count of its own. */
export class LocalQuota {
  readonly #budgets = createBoundedMap<RememberedBudget>(remembered);
  readonly #keys = createBoundedMap<RememberedKey>(remembered);

  seeds({ budget, key }: Ask): { readonly budget: Buffer; readonly key: Buffer } {
    return {
      budget: this.#budgets.get(budget)?.seed ?? none,
      key: key === null ? none : (this.#keys.get(key)?.seed ?? none),
    };
  }

  /** What has to be paid back with the next call; the same until it is acknowledged; null for nothing. */
  debtOf({ budget }: Ask): UnsyncedSpending | null {
    return this.#budgets.get(budget)?.unsynced.debt() ?? null;
  }

  /** Redis replied: its state replaces our own, unless we have a newer one, and the debt that was sent to it is paid. */
  learn({ budget, key }: Ask, { decision, ...seeds }: Reply, paid: UnsyncedSpending | null): void {
    const known = recall(this.#budgets, budget, freshBudget);
    if (paid) known.unsynced.acknowledge(paid);
    renew(known, seeds.budget, decision.now);
    if (key === null) return;
    renew(recall(this.#keys, key, freshKey), seeds.key, decision.now);
  }

  /** Decides without Redis, within a share of the limits. `nowMs` is this process' estimate of Redis' clock. */
  decideAlone(ask: Ask, nowMs: number, replicas: number): Decided {
    const known = recall(this.#budgets, ask.budget, freshBudget);
    const knownKey = ask.key === null ? freshKey() : recall(this.#keys, ask.key, freshKey);
    const before = {
      budget: known.unsynced.onTopOf(shifted(readBudget(known.seed), nowMs)),
      account: known.local ?? readAccountStrikes(known.seed),
      key: knownKey.local ?? readKey(knownKey.seed),
    };
    const decided = decideQuota(before, { ...ask, limits: share(ask.limits, replicas) }, nowMs);
    if (ask.spend > 0) {
      known.local = decided.after.account;
      knownKey.local = decided.after.key;
    }
    return decided;
  }

  /** The record of what this process admits on its own for an ask's budget. */
  unsyncedOf(ask: Ask): UnsyncedUsage {
    const known = recall(this.#budgets, ask.budget, freshBudget);
    known.ask = ask;
    return known.unsynced;
  }

  /** Asks that spend nothing but pay back what is owed, one for each budget that is not settled. */
  unsettled(): readonly Ask[] {
    const asks = [...this.#budgets.values()].flatMap(({ ask, unsynced }) =>
      ask && !unsynced.isSettled() ? [ask] : [],
    );
    return asks.map(withoutSpending);
  }
}

/** The same ask without spending, strikes or bans. */
export const withoutSpending = (ask: Ask): Ask => ({ ...ask, key: null, spend: 0 });

/** A reply that was overtaken by a newer one changes nothing. */
function renew(known: Seeded, seed: Buffer, at: number): void {
  if (at < known.seedAt) return;
  known.seed = seed;
  known.seedAt = at;
  known.local = null;
}

/** One process' part of the limits that all of them share. */
function share({ perMinute, perDay }: Ask['limits'], replicas: number): Ask['limits'] {
  const part = (limit: number) => Math.max(1, Math.floor(limit / Math.max(1, replicas)));
  return { perMinute: part(perMinute), perDay: perDay === null ? null : part(perDay) };
}

function recall<T>(entries: BoundedMap<T>, name: string, fresh: () => T): T {
  const known = entries.get(name) ?? fresh();
  entries.set(name, known);
  return known;
}
