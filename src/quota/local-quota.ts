import type { AccountStrikes, KeyState } from './ban-state.ts';
import type { Decided } from './quota-decision.ts';
import { decideQuota } from './quota-decision.ts';
import { readBudget, readAccountStrikes, readKey } from './state-encoding.ts';
import { UnsyncedUsage } from './unsynced-usage.ts';
import type { Ask } from './quota-port.ts';
import type { UnsyncedSpending, Reply } from './redis-script.ts';
import { shifted } from './quota-windows.ts';

/** Budgets and keys that a process remembers; who was not seen for longest is forgotten first. */
const remembered = 50_000;
const none = Buffer.alloc(0);

interface Seen {
  /** as Redis gave it last, packed */
  seed: Buffer;
  /** when, by Redis' clock; unix ms */
  seedAt: number;
}

interface RememberedBudget extends Seen {
  readonly ledger: UnsyncedUsage;
  /** what was asked last while Redis was away: the terms of paying back */
  ask: Ask | null;
  /** what is held against the account since Redis was heard last */
  local: AccountStrikes | null;
}

interface RememberedKey extends Seen {
  /** how the key behaved since Redis was heard last */
  local: KeyState | null;
}

const freshBudget = (): RememberedBudget => ({
  seed: none,
  seedAt: 0,
  ledger: new UnsyncedUsage(),
  ask: null,
  local: null,
});
const freshKey = (): RememberedKey => ({ seed: none, seedAt: 0, local: null });

/** What this process knows of budgets and keys: the seed for a Redis that forgot, and its own count while it is away. */
export class LocalQuota {
  readonly #budgets = new Map<string, RememberedBudget>();
  readonly #keys = new Map<string, RememberedKey>();

  seeds({ budget, key }: Ask): { readonly budget: Buffer; readonly key: Buffer } {
    return {
      budget: this.#budgets.get(budget)?.seed ?? none,
      key: key === null ? none : (this.#keys.get(key)?.seed ?? none),
    };
  }

  /** What has to be paid back with the next call; the same until it is acknowledged. */
  debtOf({ budget }: Ask): UnsyncedSpending | null {
    return this.#budgets.get(budget)?.ledger.debt() ?? null;
  }

  /** Redis answered: its word replaces our own count, and the debt it was given is paid. */
  learn({ budget, key }: Ask, { decision, ...seeds }: Reply, paid: UnsyncedSpending | null): void {
    const known = recall(this.#budgets, budget, freshBudget);
    if (paid) known.ledger.acknowledge(paid);
    renew(known, seeds.budget, decision.now);
    known.local = null;
    if (key === null) return;
    const knownKey = recall(this.#keys, key, freshKey);
    renew(knownKey, seeds.key, decision.now);
    knownKey.local = null;
  }

  /** Decides without Redis, at a share of the limits. `nowMs` is this process' estimate of Redis' clock. */
  decideAlone(ask: Ask, nowMs: number, replicas: number): Decided {
    const known = recall(this.#budgets, ask.budget, freshBudget);
    const knownKey = ask.key === null ? freshKey() : recall(this.#keys, ask.key, freshKey);
    const before = {
      budget: known.ledger.onTopOf(shifted(readBudget(known.seed), nowMs)),
      account: known.local ?? readAccountStrikes(known.seed),
      key: knownKey.local ?? readKey(knownKey.seed),
    };
    const decided = decideQuota(before, { ...ask, limits: share(ask.limits, replicas) }, nowMs);
    if (ask.spend === 1) {
      known.local = decided.after.account;
      knownKey.local = decided.after.key;
    }
    return decided;
  }

  /** Where what this process admits on its own for an ask is written down. */
  ledgerOf(ask: Ask): UnsyncedUsage {
    const known = recall(this.#budgets, ask.budget, freshBudget);
    known.ask = ask;
    return known.ledger;
  }

  /** Looks that pay back what is owed, one for each budget that is not settled. */
  unsettled(): readonly Ask[] {
    const asks = [...this.#budgets.values()].flatMap(({ ask, ledger }) => (ask && !ledger.isSettled() ? [ask] : []));
    return asks.map(asLook);
  }
}

/** The same question without spending, striking or banning. */
export const asLook = (ask: Ask): Ask => ({ ...ask, key: null, spend: 0 });

function renew(known: Seen, seed: Buffer, at: number): void {
  if (at < known.seedAt) return;
  known.seed = seed;
  known.seedAt = at;
}

/** A process's part of what all of them may admit together. */
function share({ perMinute, perDay }: Ask['limits'], replicas: number): Ask['limits'] {
  const part = (limit: number) => Math.max(1, Math.floor(limit / Math.max(1, replicas)));
  return { perMinute: part(perMinute), perDay: perDay === null ? null : part(perDay) };
}

function recall<T>(entries: Map<string, T>, name: string, fresh: () => T): T {
  const known = entries.get(name) ?? fresh();
  entries.delete(name);
  entries.set(name, known);
  const [oldest] = entries.keys();
  if (entries.size > remembered && oldest !== undefined) entries.delete(oldest);
  return known;
}
