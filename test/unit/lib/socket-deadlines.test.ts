import { expect, it } from '@jest/globals';
import type { SocketState } from '../../../src/lib/socket-seat.ts';
import { overdue } from '../../../src/lib/socket-seat.ts';

/** Fails when a socket may make us wait for longer than its deadline, or is ended within it. */

const deadlines = { bodyMs: 5_000, stalledMs: 10_000, answerMs: 60_000, lingerMs: 1_000 };
const now = 100_000;
const quiet: SocketState = { bodySince: null, hasBegun: false, movedAt: now, endedAt: null, refusedAt: null };

it.each<[string, Partial<SocketState>, 'close' | 'refuse' | null]>([
  ['that does nothing', {}, null],
  ['whose body takes five seconds', { bodySince: now - 5_000 }, null],
  ['whose body takes longer', { bodySince: now - 5_001 }, 'refuse'],
  ['whose body takes longer, of a request that was answered', { bodySince: now - 5_001, hasBegun: true }, 'close'],
  ['whose client takes nothing for ten seconds', { movedAt: now - 10_000 }, null],
  ['whose client takes nothing for longer', { movedAt: now - 10_001 }, 'close'],
  ['whose answer ended a minute ago and is still being read', { endedAt: now - 60_000 }, null],
  ['whose answer ended longer ago, however much is still read of it', { endedAt: now - 60_001 }, 'close'],
  ['that was refused a second ago', { refusedAt: now - 1_000, movedAt: 0 }, null],
  ['that was refused longer ago', { refusedAt: now - 1_001 }, 'close'],
])('a socket %s', (_, state, due) => {
  expect(overdue({ ...quiet, ...state }, deadlines, now)).toBe(due);
});
