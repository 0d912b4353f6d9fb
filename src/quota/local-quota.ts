import type { BoundedMap } from '../lib/bounded-map.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Conduct, Disregarded } from './ban-state.ts';
import type { ScriptAsk } from './decision-script.ts';
import { usedOf } from './minute-log.ts';
import type { Decided } from './quota-decision.ts';
import { decideQuota } from './quota-decision.ts';
import type { Ask, QuotaLimits } from './quota-port.ts';
import type { BudgetState } from './quota-windows.ts';
import { currentBudget } from './quota-windows.ts';
import type { StateVersion } from './state-encoding.ts';
import { noVersion, readState, readVersion, usefulUntil } from './state-encoding.ts';
import type { Admission } from './unsynced-usage.ts';
import { UnsyncedUsage } from './unsynced-usage.ts';

/** How many budgets a process remembers; the one that was asked for least recently is forgotten first. */
const remembered = 50_000;
/**
 * How many of them may owe something. Those without a day, such as of an address, cost nothing to make: they must not displace what accounts owe,
 * and what they owe is over in a minute.
 */
const owing = { withDay: 200_000, ofAMinute: 20_000 } as const;
/** No state is longer, but for one that the script did not write; bytes. */
const mostRemembered = 16_384;

interface RememberedBudget {
  /**
   * The state that Redis answered with last, packed, in the first `length` bytes. It is copied here with each answer, as a new object for
   * each is what the garbage collector copies: it outlives the requests.
   */
  packed: Buffer;
  length: number;
  incarnation: number;
  revision: number;
  /** until when it can matter to anybody; Unix ms */
  usefulUntilMs: number;
  /** null while nothing was admitted alone */
  unsynced: UnsyncedUsage | null;
  /** the outage in which it was decided alone last, and the state that Redis had answered with before */
  outage: number;
  before: Buffer;
  /** the last ask that was decided without Redis: debts are paid with its limits */
  ask: Ask | null;
  /** strikes and bans since then; null when nothing was decided since */
  conduct: Conduct | null;
}

const noState = Buffer.alloc(0);
/** States grow with the entries of their minute, so there is room for a few more. */
const room = 64;

const fresh = (): RememberedBudget => ({
  packed: noState,
  length: 0,
  ...noVersion,
  usefulUntilMs: 0,
  unsynced: null,
  outage: -1,
  before: noState,
  ask: null,
  conduct: null,
});

export interface Unprepared {
  readonly ask: Ask;
  readonly disregarded: Disregarded | null;
  /** the script said that Redis has lost data that this process may know */
  readonly isSeedWanted: boolean;
}

/** What this process knows of budgets: the seed for a Redis that lost its data, and a count of its own. */
export class LocalQuota {
  readonly #budgets: BoundedMap<RememberedBudget>;
  /** those that are not settled, so that none of them is forgotten for one that owes nothing */
  readonly #owing: BoundedMap<RememberedBudget>;
  readonly #owingForAMinute: BoundedMap<RememberedBudget>;
  #outage = 0;

  /** Budgets are divided among so many of them in a process, and so is what it remembers. */
  constructor(shards = 1) {
    const mapOf = (most: number) => createBoundedMap<RememberedBudget>(Math.ceil(most / shards));
    this.#budgets = mapOf(remembered);
    this.#owing = mapOf(owing.withDay);
    this.#owingForAMinute = mapOf(owing.ofAMinute);
  }

  /** The ask with what the script has to know. A debt goes with the first ask of its budget. */
  prepare({ ask, disregarded, isSeedWanted }: Unprepared, nowMs: number): ScriptAsk {
    const known = this.#known(ask.budget);
    const debt = known?.unsynced?.takeDebt() ?? null;
    return {
      ask,
      version: known && nowMs < known.usefulUntilMs ? versionOf(known) : noVersion,
      // A debt is counted on top of what Redis knew: where it has lost that, it needs the state first.
      seed: isSeedWanted || debt ? stateOf(known) : null,
      debt,
      disregarded,
    };
  }

  /** Redis answered: its state replaces our own. */
  learn({ budget, limits }: Ask, state: Buffer): void {
    const known = this.#recall(budget);
    if (state.length > mostRemembered) return;
    if (known.packed.length < state.length) known.packed = Buffer.allocUnsafeSlow(state.length + room);
    known.length = state.copy(known.packed);
    const { incarnation, revision } = readVersion(state);
    known.incarnation = incarnation;
    known.revision = revision;
    known.usefulUntilMs = usefulUntil(state, limits.perDay !== null);
    known.conduct = null;
  }

  /** Redis counted the debt that was sent to it, or did not. */
  endDebt(budget: string, isCounted: boolean): void {
    this.#known(budget)?.unsynced?.endDebt(isCounted);
    this.#endIfSettled(budget);
  }

  /** Decides without Redis, within a share of what is left. `nowMs` is this process' estimate of Redis' clock. */
  decideAlone(ask: Ask, nowMs: number, replicas: number): Decided & { readonly limits: QuotaLimits } {
    const known = this.#alone(ask.budget);
    const { budget, conduct } = readState(known.before);
    const shared = currentBudget(budget, nowMs);
    const before = { budget: known.unsynced?.onTopOf(shared, nowMs) ?? shared, conduct: known.conduct ?? conduct };
    const limits = share(ask.limits, shared, replicas);
    const decided = decideQuota(before, { ...ask, limits }, nowMs);
    if (ask.spend > 0) known.conduct = decided.after.conduct;
    known.ask = ask;
    return { ...decided, limits };
  }

  /** Records a request that was admitted alone. `counted` tells whether Redis counted it after all; null where it cannot have. */
  admitted({ budget, limits }: Ask, admission: Admission, counted: Promise<boolean> | null): void {
    const known = this.#recall(budget);
    (limits.perDay === null ? this.#owingForAMinute : this.#owing).set(budget, known);
    const unsynced = (known.unsynced ??= new UnsyncedUsage());
    if (!counted) return unsynced.owe(admission);
    unsynced.doubt(admission);
    void counted.then((isCounted) => {
      unsynced.settle(admission, isCounted);
      this.#endIfSettled(budget);
    });
  }

  /** Asks that spend nothing but pay what is owed, one for each budget that is not settled; first those that owe it for a day. */
  unsettled(): readonly Ask[] {
    const open = [...this.#owing.values(), ...this.#owingForAMinute.values()];
    return open.flatMap(({ ask }) => (ask ? [{ ...ask, key: null, spend: 0 }] : []));
  }

  /** Redis decides again, and everybody knows what the others admitted. */
  endOutage(): void {
    this.#outage += 1;
  }

  /**
   * The part of a process is what Redis had left before the outage: what is known after it has what this process admitted alone in it, and not
   * what the others did.
   */
  #alone(budget: string): RememberedBudget {
    const known = this.#recall(budget);
    if (known.outage === this.#outage) return known;
    known.outage = this.#outage;
    known.before = stateOf(known);
    known.unsynced?.beginOutage();
    return known;
  }

  /** Redis decides, but not on this request: what it answered last is what is known, and not what it did before an outage. */
  renew(budget: string): void {
    const known = this.#known(budget);
    if (known) known.outage = -1;
  }

  #recall(budget: string): RememberedBudget {
    const known = this.#known(budget) ?? fresh();
    this.#budgets.set(budget, known);
    return known;
  }

  #known(budget: string): RememberedBudget | undefined {
    return this.#budgets.get(budget) ?? this.#owing.get(budget) ?? this.#owingForAMinute.get(budget);
  }

  #endIfSettled(budget: string): void {
    if (!this.#known(budget)?.unsynced?.isSettled()) return;
    this.#owing.delete(budget);
    this.#owingForAMinute.delete(budget);
  }
}

const versionOf = ({ incarnation, revision }: RememberedBudget): StateVersion => ({ incarnation, revision });

/** A copy of the state, which stays as it is. */
const stateOf = (known: RememberedBudget | undefined): Buffer =>
  known ? Buffer.from(known.packed.subarray(0, known.length)) : noState;

/** Limits that leave this process its part of what the others have not used: all of them know about the same. */
function share({ perMinute, perDay }: QuotaLimits, { log, dayCount }: BudgetState, replicas: number): QuotaLimits {
  const part = (limit: number, used: number) =>
    used >= limit ? limit : used + Math.max(1, Math.floor((limit - used) / Math.max(1, replicas)));
  return { perMinute: part(perMinute, usedOf(log)), perDay: perDay === null ? null : part(perDay, dayCount) };
}
