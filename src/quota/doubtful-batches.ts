import type { Batch, BatchResults } from './decision-script.ts';
import type { LocalQuota } from './local-quota.ts';

/** Batches without an answer: of each decision it is unknown whether Redis counted it, until Redis tells. */
export interface DoubtfulBatches {
  /** Whether Redis counted each decision of a batch; settles once that is known. */
  add(batch: Batch): readonly Promise<boolean>[];
  has(batch: Batch): boolean;
  /** Redis executed the batch: `isCounted` says what it spent something for. Or it did not, and never will: null. */
  settle(batch: Batch, isCounted: ((index: number) => boolean) | null): void;
  /**
   * Redis told, when it was asked by a batch of this number, of the last batches that it executed. What it does not remember of those before was
   * not executed, and never will be.
   */
  settleAll(executed: BatchResults, asked: number): void;
}

export function createDoubtfulBatches(local: LocalQuota): DoubtfulBatches {
  const doubts = new Map<Batch, readonly PromiseWithResolvers<boolean>[]>();
  const settle: DoubtfulBatches['settle'] = (batch, isCounted) => {
    endDebts(local, batch, isCounted !== null);
    doubts.get(batch)?.forEach(({ resolve }, index) => resolve(isCounted?.(index) ?? false));
    doubts.delete(batch);
  };
  return {
    add(batch) {
      const each = batch.asks.map(() => Promise.withResolvers<boolean>());
      doubts.set(batch, each);
      return each.map(({ promise }) => promise);
    },
    has: (batch) => doubts.has(batch),
    settle,
    settleAll(executed, asked) {
      for (const batch of doubts.keys()) if (batch.number < asked) settle(batch, executed.get(batch.number) ?? null);
    },
  };
}

/** The debts that a batch brought were counted with it, or not at all. */
export function endDebts(local: LocalQuota, { asks }: Batch, isCounted: boolean): void {
  for (const { ask, debt } of asks) if (debt) local.endDebt(ask.budget, isCounted);
}
