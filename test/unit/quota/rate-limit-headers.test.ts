import { describe, expect, it } from '@jest/globals';
import { quotaHeaders } from '../../../src/quota/quota-port.ts';
import type { Decision } from '../../../src/quota/quota-port.ts';

const calm: Decision = {
  kind: 'allowed',
  now: 1_000_000_500,
  minute: { limit: 300, remaining: 299, resetsAtMs: 1_000_010_000 },
  day: { limit: 10_000, remaining: 9_999, resetsAtMs: 1_036_800_000 },
  binding: 'minute',
  retryAfter: null,
  ban: null,
  banBegins: false,
  degraded: false,
};

describe('the headers', () => {
  it('show the window that binds, and both in the newer fields', () => {
    expect(quotaHeaders(calm)).toEqual({
      'X-RateLimit-Limit': '300',
      'X-RateLimit-Remaining': '299',
      'X-RateLimit-Reset': '1000010',
      'RateLimit-Policy': '"minute";q=300;w=60, "day";q=10000;w=86400',
      RateLimit: '"minute";r=299;t=10, "day";r=9999;t=36800',
    });
  });

  it('show the day where it binds, and Retry-After where the request is refused', () => {
    const shown = quotaHeaders({ ...calm, kind: 'limited', binding: 'day', retryAfter: 36_800 });
    expect(shown).toMatchObject({
      'X-RateLimit-Limit': '10000',
      'X-RateLimit-Reset': '1036800',
      'Retry-After': '36800',
    });
  });

  it('show a banned key no requests until its ban ends, whatever is left of its minute', () => {
    const ban = { until: 1_000_300, seconds: 300, strikes: 18, step: 1 };
    const shown = quotaHeaders({ ...calm, kind: 'banned', ban, retryAfter: 300 });
    expect(shown).toMatchObject({
      'X-RateLimit-Limit': '300',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1000300',
      RateLimit: '"minute";r=0;t=300, "day";r=9999;t=36800',
      'Retry-After': '300',
    });
  });

  it('know no day where there is none', () => {
    expect(quotaHeaders({ ...calm, day: null })).toMatchObject({ 'RateLimit-Policy': '"minute";q=300;w=60' });
  });
});
