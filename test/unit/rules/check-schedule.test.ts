import { describe, expect, it } from '@jest/globals';
import {
  days,
  driftTimes,
  fullCheckTimes,
  hours,
  interval,
  minutes,
  seconds,
  seriesTimes,
} from '../../../src/rules/check-schedule.ts';
import type { VerifyRequest } from '../../../src/rules/verify-request.ts';
import { isVerifyAhead, verifyCheckAt, verifyRequest } from '../../../src/rules/verify-request.ts';

const startedAt = Date.parse('2026-01-01T12:00:00Z');

/** The times that follow one another, at most so many. */
function walk(next: (now: number) => number | null, from: number, most = 1_000): readonly number[] {
  const times: number[] = [];
  for (let at = next(from); at !== null && times.length < most; at = next(at)) times.push(at);
  return times;
}

const lastAge = walk((now) => seriesTimes(0, now).next, -1).at(-1) ?? 0;

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

  it('a series is checked at once and by its intervals, in whole seconds, for seven days', () => {
    const times = walk((now) => seriesTimes(startedAt, now).next, startedAt - 1).map((at) => at - startedAt);
    expect(times.slice(0, 3)).toEqual([0, 5 * seconds, 10 * seconds]);
    expect(times.every((at) => at % seconds === 0)).toBe(true);
    for (const [index, at] of times.slice(0, -1).entries()) {
      const pause = (times[index + 1] ?? 0) - at;
      expect(pause - (interval(at) ?? 0)).toBeGreaterThanOrEqual(0);
      expect(pause - (interval(at) ?? 0)).toBeLessThan(seconds);
    }
    expect(times.at(-1)).toBeLessThanOrEqual(7 * days);
    expect(times.at(-1)).toBeGreaterThan(7 * days - hours);
  });

  it.each<[string, number, number | null, number | null]>([
    ['before it begins', -1, null, 0],
    ['as it begins', 0, 0, 5 * seconds],
    ['between two checks', 7 * seconds, 5 * seconds, 10 * seconds],
    ['after its seven days', 8 * days, lastAge, null],
  ])('a series has the same last and next time whenever it is asked for: %s', (_, age, last, next) => {
    const moved = (at: number | null) => (at === null ? null : startedAt + at);
    expect(seriesTimes(startedAt, startedAt + age)).toEqual({ last: moved(last), next: moved(next) });
  });

  it('a held name is checked every 15 minutes, exactly, at a moment of its own', () => {
    const [first = 0, ...others] = walk((now) => driftTimes(0.4, now, 15 * minutes).next, startedAt, 96);
    expect(others.map((at) => at - first)).toEqual(others.map((_, index) => (index + 1) * 15 * minutes));
    expect(driftTimes(0.4, first, 15 * minutes).last).toBe(first);
    expect(driftTimes(0.4, first - 1, 15 * minutes).next).toBe(first);
  });

  it('held names are spread over the whole of the 15 minutes', () => {
    const moments = Array.from(
      { length: 900 },
      (_, index) => driftTimes((index + 0.5) / 900 / 96, 0, 15 * minutes).next % (15 * minutes),
    );
    expect(new Set(moments).size).toBe(900);
  });

  it('one of the 96 checks of a day is the full one', () => {
    const checks = walk((now) => driftTimes(0.77, now, 15 * minutes).next, startedAt, 96);
    expect(checks.filter((at) => fullCheckTimes(0.77, at).last === at)).toHaveLength(1);
  });
});

describe('the Verify request', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const past = '2026-01-01T11:59:51Z';
  it.each<[string, string | undefined, string | null, number, object]>([
    ['none', undefined, null, 60, { kind: 'none' }],
    ['one that was honoured', past, past, 60, { kind: 'none' }],
    ['a first one', '2026-01-01T11:59:59Z', null, 0, { kind: 'asked', fresh: true }],
    ['one with fractions and an offset', '2026-01-01T13:59:59.123+02:00', null, 60, { kind: 'asked', fresh: true }],
    ['one within ten seconds of the last joins', '2026-01-01T12:00:00Z', past, 9, { kind: 'asked', fresh: false }],
    ['one ten seconds after the last is new', '2026-01-01T12:00:00Z', past, 10, { kind: 'asked', fresh: true }],
    ['one by a clock that is ahead is as good', '2026-01-01T12:01:00Z', past, 60, { kind: 'asked', fresh: true }],
    ['one after another by such a clock, too', '2026-01-01T12:00:00Z', '2999-01-01T00:00:00Z', 60, { fresh: true }],
    ['one by a clock that is far ahead joins as any other', '2999-01-01T00:00:00Z', past, 9, { fresh: false }],
    ['one that was written before the last', '2026-01-01T11:00:00Z', past, 60, { kind: 'asked', fresh: true }],
    ['words', 'now please', null, 60, { kind: 'ignored' }],
    ['more digits than any clock has', `2026-01-01T11:59:59.${'1'.repeat(60)}Z`, null, 60, { kind: 'ignored' }],
    ['a bare date', '2026-01-01', null, 60, { kind: 'ignored' }],
    ['a month that there is not', '2026-13-01T00:00:00Z', null, 60, { kind: 'ignored' }],
  ])('%s', (_, value, verifySeen, secondsAgo, wanted) => {
    const request = verifyRequest(value, { verifySeen, startedAt: now - secondsAgo * seconds }, now);
    expect(request).toMatchObject(wanted);
    expect(isVerifyAhead(value, verifySeen)).toBe(request.kind === 'asked');
  });

  it.each<[string, VerifyRequest, number | null, number | null]>([
    ['no request needs no check', { kind: 'none' }, now, null],
    ['what is no time needs none', { kind: 'ignored', message: '' }, now, null],
    ['a new one needs it at once', { kind: 'asked', value: past, fresh: true }, now, 0],
    [
      'one that joins five seconds after the last',
      { kind: 'asked', value: past, fresh: false },
      now,
      now + 5 * seconds,
    ],
    ['one that joins before the first check at once', { kind: 'asked', value: past, fresh: false }, null, 5 * seconds],
  ])('%s', (_, request, checkedAt, at) => {
    expect(verifyCheckAt(request, checkedAt)).toBe(at);
  });
});
