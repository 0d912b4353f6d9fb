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

  owe(admission: Admission): void {
    this.#owed = withAdmission(this.#owed, admission);
  }

  doubt(admission: Admission): void {
    this.#inDoubt.add(admission);
  }

  /** Ends a doubt: `isCounted` says whether Redis counted the request. */
  settle(admission: Admission, isCounted: boolean): void {
    this.#inDoubt.delete(admission);
    if (isCounted) this.#confirmed = withAdmission(this.#confirmed, admission);
    else this.owe(admission);
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
    let own = sumOfDebts(this.#confirmed, this.#sent ? sumOfDebts(this.#sent, this.#owed) : this.#owed);
    for (const admission of this.#inDoubt) own = withAdmission(own, admission);
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

function sumOfDebts(earlier: Debt, later: Debt): Debt {
  const day = Math.max(earlier.day, later.day);
  const dayCount = [earlier, later].reduce((sum, debt) => sum + (debt.day === day ? debt.dayCount : 0), 0);
  return { log: sumOf(earlier.log, later.log), day, dayCount };
}
