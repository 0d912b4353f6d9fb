import { describe, expect, it } from '@jest/globals';
import type { StreamSlots } from '../../../src/use-cases/event-streams.ts';
import { createStreamSlots } from '../../../src/use-cases/event-streams.ts';
import { fixedMaximum } from '../../../src/rules/plan-limits.ts';

/** How many event streams an account has (docs/rest-api.md, How much there may be). */

const open = (slots: StreamSlots, account: string, count: number) =>
  Array.from({ length: count }, () => slots.take(account));

describe('event streams of an account', () => {
  it('are refused beyond as many as GET /v1/account says, with 429 and Retry-After', () => {
    const slots = createStreamSlots();
    open(slots, 'acme', fixedMaximum.eventStreams);
    expect(() => slots.take('acme')).toThrow(
      expect.objectContaining({ code: 'too-many-streams', headers: { 'retry-after': '15' } }),
    );
  });

  it('are counted by each process for itself, so that ten are certain wherever a load balancer sends them', () => {
    const [one, other] = [createStreamSlots(), createStreamSlots()];
    open(one, 'acme', fixedMaximum.eventStreams);
    expect(open(other, 'acme', fixedMaximum.eventStreams)).toHaveLength(10);
  });

  it('leave room for one more as soon as one ends', () => {
    const slots = createStreamSlots();
    const [first] = open(slots, 'acme', fixedMaximum.eventStreams);
    first?.();
    expect(open(slots, 'acme', 1)).toHaveLength(1);
  });

  it('are not those of another account', () => {
    const slots = createStreamSlots();
    open(slots, 'acme', fixedMaximum.eventStreams);
    expect(open(slots, 'other', 1)).toHaveLength(1);
  });
});
