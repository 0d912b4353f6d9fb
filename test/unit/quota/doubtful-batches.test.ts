import { describe, expect, it } from '@jest/globals';
import type { Batch } from '../../../src/quota/decision-script.ts';
import { createDoubtfulBatches } from '../../../src/quota/doubtful-batches.ts';
import { LocalQuota } from '../../../src/quota/local-quota.ts';

const batchOf = (number: number): Batch => ({
  number,
  asks: [
    {
      ask: { budget: 'a:acme', key: null, limits: { perMinute: 60, perDay: null }, liftedAt: null, spend: 1 },
      version: { incarnation: 0, revision: 0 },
      seed: null,
      debt: null,
      disregarded: null,
    },
  ],
});

describe('what Redis remembers of batches without an answer', () => {
  it('says of those before the question what it counted, and that it never will count the others', async () => {
    const doubtful = createDoubtfulBatches(new LocalQuota());
    const [[one], [two]] = [doubtful.add(batchOf(3)), doubtful.add(batchOf(4))];
    doubtful.settleAll(new Map([[4, () => true]]), 5);
    expect([await one, await two]).toEqual([false, true]);
  });

  // Would fail if a question that was given up settled, by its late answer, batches that were sent since: they may be executed yet.
  it('says nothing of one that was sent after the question', () => {
    const doubtful = createDoubtfulBatches(new LocalQuota());
    const later = batchOf(6);
    void doubtful.add(later);
    doubtful.settleAll(new Map(), 5);
    expect(doubtful.has(later)).toBe(true);
    doubtful.settleAll(new Map(), 7);
    expect(doubtful.has(later)).toBe(false);
  });
});
