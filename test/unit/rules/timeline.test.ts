import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry, TimelineKind } from '../../../src/rules/timeline.ts';
import { bounded, kindOf, lastOf, stateEntries, timelineKinds } from '../../../src/rules/timeline.ts';

/** How the fifty places of a timeline are shared, so that nothing that flaps pushes out what matters. */

const entry = (kind: TimelineKind | undefined, reason = 'x'): TimelineEntry => ({
  at: '2026-01-01T12:00:00Z',
  state: 'Live',
  reason,
  message: '',
  ...(kind ? { kind } : {}),
});
const many = (count: number, kind: TimelineKind | undefined) =>
  Array.from({ length: count }, (_, index) => entry(kind, String(index)));
const counts = (timeline: readonly TimelineEntry[]) =>
  timelineKinds.map((kind) => timeline.filter((one) => kindOf(one) === kind).length);

describe('the places of a timeline', () => {
  it.each<[string, readonly TimelineEntry[], readonly number[]]>([
    ['fifty states alone have all of them', many(60, undefined), [50, 0, 0, 0]],
    ['states of an older version count as states', [...many(30, undefined), ...many(30, 'State')], [50, 0, 0, 0]],
    ['findings that flap leave 25 states', [...many(40, undefined), ...many(1_000, 'Finding')], [25, 25, 0, 0]],
    ['and every state where there are fewer', [...many(4, undefined), ...many(1_000, 'Finding')], [4, 46, 0, 0]],
    [
      'states that flap leave the last findings, orders and certificates',
      [...many(20, 'Finding'), ...many(20, 'Order'), ...many(20, 'Certificate'), ...many(1_000, undefined)],
      [25, 9, 8, 8],
    ],
    [
      'orders that fail leave the certificates',
      [...many(2, undefined), ...many(10, 'Certificate'), ...many(1_000, 'Order')],
      [2, 0, 40, 8],
    ],
    ['fifty entries stay as they are', [...many(49, 'Finding'), entry(undefined)], [1, 49, 0, 0]],
  ])('%s', (_, timeline, expected) => {
    expect(counts(bounded(timeline))).toEqual(expected);
  });

  it('the oldest of a kind goes first, and the order stays', () => {
    const kept = bounded([...many(25, undefined), ...many(30, 'Finding')]);
    expect(kept.map(({ kind, reason }) => `${kind ?? ''}${reason}`)).toEqual([
      ...Array.from({ length: 25 }, (_, index) => String(index)),
      ...Array.from({ length: 25 }, (_, index) => `Finding${index + 5}`),
    ]);
  });

  it.each(timelineKinds)('the last %s is never dropped', (kind) => {
    const others = timelineKinds.filter((other) => other !== kind).flatMap((other) => many(100, other));
    const last = entry(kind, 'the last');
    expect(lastOf(bounded([last, ...others]), kind)).toEqual(last);
  });
});

describe('the states of a timeline', () => {
  it('are the entries of kind State, or of none', () => {
    const timeline = [entry(undefined), entry('Finding'), entry('State'), entry('Order'), entry('Certificate')];
    expect(stateEntries(timeline)).toEqual([timeline[0], timeline[2]]);
  });
});
