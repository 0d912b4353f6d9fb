import type { Debt } from './decision-script.ts';
import { current, sumOf, withSpent } from './minute-log.ts';
import type { BudgetState } from './quota-windows.ts';
import { dayMs } from './quota-windows.ts';

/** A request that this process admitted on its own. */
export interface Admission {
  readonly nowMs: number;
  readonly cost: number;
  readonly perMinute: number;
}

const nothing: Debt = Object.freeze({ log: Object.freeze([]), day: 0, dayCount: 0 });

/**
 * What this process admitted on one budget while Redis did not answer. A request that was sent and got no answer is in doubt, as Redis may
 * have counted it: it is owed once it is known that Redis did not.
 */
export class UnsyncedUsage {
  #owed = nothing;
  #sent: Debt | null = null;
  /** what was admitted alone since the outage began and Redis has counted meanwhile */
  #confirmed = nothing;
  readonly #inDoubt = new Set<Admission>();
  /** all that is in doubt, together; null until it is asked for */
  #doubted: Debt | null = null;

  owe(admission: Admission): void {
    this.#owed = withAdmission(this.#owed, admission);
  }

  doubt(admission: Admission): void {
    this.#inDoubt.add(admission);
    this.#doubted = null;
  }

  /** Ends a doubt: `isCounted` says whether Redis counted the request. */
  settle(admission: Admission, isCounted: boolean): void {
    this.#inDoubt.delete(admission);
    this.#doubted = null;
    // It is older than what was admitted since, which must keep its times.
    const one = withAdmission(nothing, admission);
    if (isCounted) this.#confirmed = sumOfDebts(this.#confirmed, one);
    else this.#owed = sumOfDebts(this.#owed, one);
  }

  /** What is owed, to be sent now; null when there is nothing, or while an earlier debt is under way. */
  takeDebt(): Debt | null {
    if (this.#sent || this.#owed.dayCount === 0) return null;
    this.#sent = this.#owed;
    this.#owed = nothing;
    return this.#sent;
  }

  /** The debt that was sent has been counted, or has not and is owed again. */
  endDebt(isCounted: boolean): void {
    if (this.#sent && isCounted) this.#confirmed = sumOfDebts(this.#confirmed, this.#sent);
    if (this.#sent && !isCounted) this.#owed = sumOfDebts(this.#sent, this.#owed);
    this.#sent = null;
  }

  /** An outage begins: what was counted before it is in the state that Redis answered with last. */
  beginOutage(): void {
    this.#confirmed = nothing;
  }

  isSettled(): boolean {
    return !this.#sent && this.#owed.dayCount === 0 && this.#inDoubt.size === 0;
  }

  /** Adds everything that was admitted alone to a state from before the outage. */
  onTopOf(state: BudgetState, nowMs: number): BudgetState {
    this.#doubted ??= [...this.#inDoubt].reduce(withAdmission, nothing);
    const own = [this.#sent ?? nothing, this.#owed, this.#doubted].reduce(sumOfDebts, this.#confirmed);
    return {
      log: sumOf(state.log, current(own.log, nowMs)),
      day: state.day,
      dayCount: state.dayCount + (own.day >= state.day ? own.dayCount : 0),
    };
  }
}

function withAdmission({ log, day, dayCount }: Debt, { nowMs, cost, perMinute }: Admission): Debt {
  const today = Math.max(day, Math.floor(nowMs / dayMs));
  return {
    log: withSpent(current(log, nowMs), { cost, perMinute, nowMs }),
    day: today,
    dayCount: (today > day ? 0 : dayCount) + cost,
  };
}

function sumOfDebts(one: Debt, other: Debt): Debt {
  if (one.dayCount === 0) return other;
  if (other.dayCount === 0) return one;
  const day = Math.max(one.day, other.day);
  const dayCount = [one, other].reduce((sum, debt) => sum + (debt.day === day ? debt.dayCount : 0), 0);
  return { log: sumOf(one.log, other.log), day, dayCount };
}
