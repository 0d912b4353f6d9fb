import { randomUUID } from 'node:crypto';
import type { UnsyncedSpending } from './redis-script.ts';
import type { BudgetState } from './quota-windows.ts';

/** When a request was admitted: the numbers of its bucket and its day. */
export type Moment = Pick<BudgetState, 'bucket' | 'day'>;

const bucketsOwed = 8;

/**
 * What this process admitted on one budget while Redis did not reply. A request that was sent but got no reply is in
 * doubt, as Redis may have counted it: it is owed only once its reply can no longer come.
 */
export class UnsyncedUsage {
  readonly #owed = new Tally();
  readonly #inDoubt = new Tally();
  #sealed: UnsyncedSpending | null = null;

  owe(moment: Moment, cost = 1): void {
    this.#owed.add(moment, cost);
  }

  doubt(moment: Moment, cost = 1): void {
    this.#inDoubt.add(moment, cost);
  }

  /** Ends a doubt: `isCounted` says whether Redis counted the request. */
  settle(moment: Moment, cost: number, isCounted: boolean): void {
    this.#inDoubt.add(moment, -cost);
    if (!isCounted) this.owe(moment, cost);
  }

  /** What has to be paid back with the next call: the same, under the same id, until it is acknowledged. */
  debt(): UnsyncedSpending | null {
    if (this.#sealed || this.#owed.isEmpty()) return this.#sealed;
    const { day, dayCount, counts } = this.#owed.take();
    this.#sealed = Object.freeze({ id: randomUUID(), day, dayCount, counts });
    return this.#sealed;
  }

  acknowledge({ id }: UnsyncedSpending): void {
    if (this.#sealed?.id === id) this.#sealed = null;
  }

  isSettled(): boolean {
    return !this.#sealed && this.#owed.isEmpty() && this.#inDoubt.isEmpty();
  }

  /** Adds everything that is not paid back yet to the state. */
  onTopOf(state: BudgetState): BudgetState {
    const unpaid = [this.#owed, this.#inDoubt, ...(this.#sealed ? [this.#sealed] : [])];
    const counts = [...state.counts];
    for (const [bucket, count] of unpaid.flatMap((part) => [...part.counts])) {
      const index = Math.max(0, state.bucket - bucket);
      if (index < counts.length) counts[index] = (counts[index] ?? 0) + count;
    }
    const today = unpaid.filter(({ day }) => day >= state.day);
    return { ...state, counts, dayCount: today.reduce((total, { dayCount }) => total + dayCount, state.dayCount) };
  }
}

/** Requests by bucket, and those of the newest day; requests that left the minute long ago count only for the day. */
class Tally {
  readonly counts = new Map<number, number>();
  day = 0;
  dayCount = 0;

  add({ bucket, day }: Moment, count: number): void {
    if (day > this.day) [this.day, this.dayCount] = [day, 0];
    if (day === this.day) this.dayCount += count;
    const total = (this.counts.get(bucket) ?? 0) + count;
    if (total <= 0) this.counts.delete(bucket);
    else this.counts.set(bucket, total);
    const newest = Math.max(...this.counts.keys());
    for (const known of this.counts.keys()) if (known < newest - bucketsOwed) this.counts.delete(known);
  }

  isEmpty(): boolean {
    return this.counts.size === 0;
  }

  /** Returns everything and empties the tally. */
  take(): Omit<UnsyncedSpending, 'id'> {
    const taken = { day: this.day, dayCount: this.dayCount, counts: [...this.counts] };
    this.counts.clear();
    this.dayCount = 0;
    return taken;
  }
}
