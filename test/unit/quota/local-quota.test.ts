import { describe, expect, it } from '@jest/globals';
import { LocalQuota } from '../../../src/quota/local-quota.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';

/** What a process remembers of strikes while it decides without Redis. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 1, perDay: null }, liftedAt: null, spend: 1 };

/** A reply of a Redis that knows of nothing. */
const replyAt = (now: number) => ({
  decision: decideQuota(nothingSpent, ask, now).decision,
  budget: Buffer.alloc(0),
  key: Buffer.alloc(0),
});

/** How many requests are made until the ban, a hundred milliseconds apart, with a reply that arrives after the fifth. */
function requestsUntilBan(repliedAt: number | null): number {
  const quota = new LocalQuota();
  quota.learn(ask, replyAt(noon), null);
  for (let count = 1; count < 100; count += 1) {
    const { decision, after } = quota.decideAlone(ask, noon + count * 100, 1);
    if (decision.kind === 'allowed') quota.unsyncedOf(ask).owe(after.budget);
    if (decision.kind === 'banned') return count;
    if (count === 5 && repliedAt !== null) quota.learn(ask, replyAt(repliedAt), null);
  }
  return Infinity;
}

describe('strikes that were counted without Redis', () => {
  const alone = requestsUntilBan(null);

  it('stand when a reply arrives that is older than the one before them', () => {
    expect(alone).toBeLessThan(50);
    expect(requestsUntilBan(noon - 1)).toBe(alone);
  });

  it('are replaced by a reply that is newer', () => {
    expect(requestsUntilBan(noon + 450)).toBe(alone + 4);
  });
});
