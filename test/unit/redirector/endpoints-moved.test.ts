import { describe, expect, it } from '@jest/globals';
import { redirectorRecord } from '../../../src/routing/redirect-service.ts';
import { untilEndpointsMoved } from '../../../src/redirector/run-redirector.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const atMostMs = 60_000;

/** When a Pod with these addresses ends, milliseconds after it began to wait; `recorded` says what the record names at a time. */
async function endsAfter(addresses: readonly string[], recorded: (at: number) => readonly string[] | null | 'away') {
  const clock = createFakeClock();
  const get = () => {
    const now = recorded(clock.elapsed());
    if (now === 'away') return Promise.reject(new Error('away'));
    return Promise.resolve(now === null ? undefined : redirectorRecord('system', now));
  };
  let ended: number | null = null;
  const parts = { cluster: { get: get as never }, systemNamespace: 'system', addresses, clock, log: silentLog };
  void untilEndpointsMoved(parts, atMostMs).then(() => (ended = clock.elapsed()));
  await clock.advance(2 * atMostMs);
  return ended;
}

describe('a redirector that was told to stop', () => {
  it.each<[sentence: string, addresses: string[], recorded: Parameters<typeof endsAfter>[1], ended: number]>([
    ['ends at once when no namespace leads to it', ['10.0.0.1'], () => ['10.0.0.2'], 0],
    ['ends at once when none leads anywhere', ['10.0.0.1'], () => [], 0],
    [
      'waits until it is out of the record',
      ['10.0.0.1'],
      (at) => (at < 20_000 ? ['10.0.0.1', '10.0.0.2'] : ['10.0.0.2']),
      20_000,
    ],
    ['waits for both of its addresses', ['10.0.0.1', 'fd00::1'], (at) => (at < 3_000 ? ['fd00::1'] : []), 3_000],
    ['is not taken for another whose address begins like its own', ['10.0.0.1'], () => ['10.0.0.10', '110.0.0.1'], 0],
    ['waits while the API server is away', ['10.0.0.1'], (at) => (at < 5_000 ? 'away' : []), 5_000],
    ['waits no longer than it may where the operator is away', ['10.0.0.1'], () => ['10.0.0.1'], atMostMs],
    ['waits as long where nothing was ever recorded', ['10.0.0.1'], () => null, atMostMs],
  ])('%s', async (_, addresses, recorded, ended) => {
    expect(await endsAfter(addresses, recorded)).toBe(ended);
  });
});
