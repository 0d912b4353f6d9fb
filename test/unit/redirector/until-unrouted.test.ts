import { describe, expect, it } from '@jest/globals';
import { redirectorRecord } from '../../../src/routing/redirect-service.ts';
import { untilUnrouted } from '../../../src/redirector/run-redirector.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const [lingerMs, lingerAtMostMs] = [10_000, 60_000];

/** When a Pod with these addresses ends, milliseconds after it was told to; `recorded` says what the record names at a time. */
async function endsAfter(addresses: readonly string[], recorded: (at: number) => readonly string[] | null | 'away') {
  const clock = createFakeClock();
  const get = () => {
    const now = recorded(clock.elapsed());
    if (now === 'away') return Promise.reject(new Error('away'));
    return Promise.resolve(now === null ? undefined : redirectorRecord('system', now));
  };
  let ended: number | null = null;
  const parts = { cluster: { get: get as never }, addresses, clock, log: silentLog };
  void untilUnrouted(parts, { systemNamespace: 'system', lingerMs, lingerAtMostMs }).then(
    () => (ended = clock.elapsed()),
  );
  await clock.advance(2 * lingerAtMostMs);
  return ended;
}

/** Fails when a Pod ends before edges had their time to follow the slices: then they send visitors to an address at which nobody is. */
describe('a redirector that was told to stop answers for as long as edges need to follow, and before that', () => {
  it.each<[sentence: string, addresses: string[], recorded: Parameters<typeof endsAfter>[1], waited: number]>([
    ['nothing outside of a Pod', [], () => 'away', 0],
    ['nothing when no namespace leads to it', ['10.0.0.1'], () => ['10.0.0.2'], 0],
    ['nothing when none leads anywhere', ['10.0.0.1'], () => [], 0],
    [
      'until it is out of the record',
      ['10.0.0.1'],
      (at) => (at < 20_000 ? ['10.0.0.1', '10.0.0.2'] : ['10.0.0.2']),
      20_000,
    ],
    ['until both of its addresses are', ['10.0.0.1', 'fd00::1'], (at) => (at < 3_000 ? ['fd00::1'] : []), 3_000],
    ['nothing for another whose address begins like its own', ['10.0.0.1'], () => ['10.0.0.10', '110.0.0.1'], 0],
    ['while the API server is away', ['10.0.0.1'], (at) => (at < 5_000 ? 'away' : []), 5_000],
    ['no longer than it may where the operator is away', ['10.0.0.1'], () => ['10.0.0.1'], lingerAtMostMs],
    ['as long where nothing was ever recorded', ['10.0.0.1'], () => null, lingerAtMostMs],
  ])('%s', async (_, addresses, recorded, waited) => {
    expect(await endsAfter(addresses, recorded)).toBe(waited + lingerMs);
  });
});
