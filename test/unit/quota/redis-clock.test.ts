import { expect, it } from '@jest/globals';
import { createRedisClock } from '../../../src/quota/redis-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');

// Would fail if an answer that was read late made the process believe that Redis' clock is early: refusals would outlive Retry-After.
it.each<[string, number, number, number]>([
  ['keeps what it knew where an answer was read late', 500, 4_500 - 300, 4_500],
  ['believes an answer that was read sooner', 500, 4_500 + 20, 4_520],
  ['believes Redis after ten seconds, whatever it knew', 11_000, 15_000 - 300, 14_700],
  ['believes a clock that was set back by more than a second', 500, 4_500 - 3_000, 1_500],
])('%s', async (_, laterMs, told, expected) => {
  const clock = createFakeClock(noon);
  const redis = createRedisClock(clock);
  expect(redis.nowMs()).toBe(noon);
  redis.told(noon + 4_000);
  await clock.advance(laterMs);
  redis.told(noon + told);
  expect(redis.nowMs()).toBe(noon + expected);
});
