import { describe, expect, it } from '@jest/globals';
import type { Decision, WindowView } from '../../../src/quota/quota-port.ts';
import { showUsage } from '../../../src/use-cases/account-and-usage.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** When usage says that a key's next request passes. */

const now = Date.UTC(2026, 0, 1, 12);
const seconds = now / 1_000;
const window = (remaining: number, resetsIn: number): WindowView => ({
  limit: 60,
  remaining,
  resetsAtMs: now + resetsIn * 1_000,
});
const common = { now, retryAfter: null, banBegins: false, degraded: false, ban: null, binding: 'minute' } as const;
const ban = { until: seconds + 60, seconds: 60, strikes: 18, step: 1 };
const later = 12 * 3_600;

describe('the next request', () => {
  it.each<[string, Decision, number | null]>([
    ['passes now', { ...common, kind: 'allowed', minute: window(5, 30), day: window(5, later) }, null],
    ['waits for the minute', { ...common, kind: 'limited', minute: window(0, 30), day: window(5, later) }, 30],
    [
      'waits for the day',
      { ...common, kind: 'limited', binding: 'day', minute: window(5, 30), day: window(0, later) },
      later,
    ],
    ['waits for a ban', { ...common, kind: 'banned', ban, minute: window(0, 60), day: window(5, later) }, 60],
    // Would fail if a client were told to come back when its ban ends, and met the day's limit then.
    [
      'waits for a ban, and then for the day',
      { ...common, kind: 'banned', ban, minute: window(0, 60), day: window(0, later) },
      later,
    ],
  ])('%s', async (_, decision, waits) => {
    const api = createInMemoryApi();
    const context = api.as(api.account('acme', 'pro'));
    const limiter = { ...context.dependencies.limiter, decide: () => Promise.resolve(decision) };
    const usage = await showUsage({ ...context, dependencies: { ...context.dependencies, limiter } }, undefined);
    api.stop();
    expect(usage.nextRequestAt).toBe(
      waits === null ? null : new Date((seconds + waits) * 1_000).toISOString().replace('.000', ''),
    );
  });
});
