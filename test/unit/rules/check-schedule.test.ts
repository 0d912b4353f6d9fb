import { describe, expect, it } from '@jest/globals';
import {
  days,
  hours,
  interval,
  minutes,
  nextDriftCheck,
  nextVerification,
  seconds,
} from '../../../src/rules/check-schedule.ts';
import { verifyRequest } from '../../../src/rules/verify-request.ts';

describe('when DNS is looked at (docs/concepts/states.md)', () => {
  it.each([
    ['at once after Add', 0, 5 * seconds],
    ['just before two minutes', 2 * minutes - 1, 5 * seconds],
    ['after ten minutes', 10 * minutes, 1 * minutes],
    ['after an hour', 1 * hours, 5 * minutes],
    ['just before a day', 1 * days - 1, 5 * minutes],
    ['after a day', 1 * days, 1 * hours],
    ['just before seven days', 7 * days - 1, 1 * hours],
    ['after seven days', 7 * days, null],
  ])('%s', (_, age, pause) => {
    expect(interval(age)).toBe(pause);
  });

  it('a series that just began is due at once, even when an older check exists', () => {
    expect(nextVerification({ startedAt: 1_000, checkedAt: null })).toBe(1_000);
    expect(nextVerification({ startedAt: 1_000, checkedAt: 500 })).toBe(1_000);
  });

  it('held names are spread over 13.5 to 16.5 minutes', () => {
    expect(nextDriftCheck(0, 0)).toBe(13.5 * minutes);
    expect(nextDriftCheck(0, 1)).toBeCloseTo(16.5 * minutes);
  });
});

describe('the Verify request', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  it.each([
    ['none', undefined, null, { kind: 'none' }],
    ['one that was honoured', '2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z', { kind: 'none' }],
    ['a first one', '2026-01-01T11:59:59Z', null, { kind: 'asked', fresh: true }],
    ['one with fractions and an offset', '2026-01-01T13:59:59.123+02:00', null, { kind: 'asked', fresh: true }],
    [
      'one within ten seconds of the last joins',
      '2026-01-01T12:00:00Z',
      '2026-01-01T11:59:51Z',
      { kind: 'asked', fresh: false },
    ],
    [
      'one ten seconds after the last is new',
      '2026-01-01T12:00:00Z',
      '2026-01-01T11:59:50Z',
      { kind: 'asked', fresh: true },
    ],
    ['one in the future', '2026-01-01T12:01:00Z', null, { kind: 'ignored' }],
    ['words', 'now please', null, { kind: 'ignored' }],
    ['more digits than any clock has', `2026-01-01T11:59:59.${'1'.repeat(60)}Z`, null, { kind: 'ignored' }],
    ['a bare date', '2026-01-01', null, { kind: 'ignored' }],
  ])('%s', (_, value, seen, wanted) => {
    expect(verifyRequest(value, seen, now)).toMatchObject(wanted);
  });
});
