import { describe, expect, it } from '@jest/globals';
import type { Leadership } from '../../../src/controller-runtime/leader-election.ts';
import type { LeaseRecord, LeaseStore } from '../../../src/kubernetes/kubernetes-port.ts';
import { becomeLeader } from '../../../src/controller-runtime/leader-election.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { fc } from '../../support/property.ts';

/** A lease as an API server keeps it: every write needs the version that was read. */
function leaseStore(): LeaseStore & { fail: boolean; current: LeaseRecord | null } {
  let version = 0;
  return {
    fail: false,
    current: null,
    read() {
      return this.fail ? Promise.reject(new Error('away')) : Promise.resolve(this.current);
    },
    write(record) {
      if (this.fail) return Promise.reject(new Error('away'));
      if ((this.current?.version ?? null) !== record.version) return Promise.resolve(false);
      version += 1;
      this.current = { ...record, version: String(version) };
      return Promise.resolve(true);
    },
  };
}

const candidate = (identity: string, store: LeaseStore, clock: FakeClock, signal = new AbortController().signal) =>
  becomeLeader({ identity, store, clock, log: silentLog }, signal);

/** A candidate that runs for ever: when it loses it starts anew, as a Pod does. Tells who leads at each moment. */
async function campaign(name: string, leading: Set<string>, start: (identity: string) => Promise<Leadership>) {
  for (let life = 1; ; life += 1) {
    const { lost } = await start(`${name}-${life}`);
    leading.add(name);
    expect([...leading]).toEqual([name]);
    await lost;
    leading.delete(name);
  }
}

/** How one call to the store goes: how long until it is carried out, how long until the answer, and what is lost. */
interface Fate {
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly end: 'answered' | 'refused' | 'answer lost';
}

/** The store as seen over a bad network, by each call's fate in turn; without a fate a call is instant. */
function overNetwork(store: LeaseStore, clock: FakeClock, fates: readonly Fate[]): LeaseStore {
  const left = [...fates];
  const through = async <T>(act: () => Promise<T>): Promise<T> => {
    const fate = left.shift();
    if (!fate) return act();
    await clock.sleep(fate.beforeMs);
    if (fate.end === 'refused') throw new Error('refused');
    const answer = await act();
    await clock.sleep(fate.afterMs);
    if (fate.end === 'answer lost') throw new Error('reset');
    return answer;
  };
  return { read: () => through(() => store.read()), write: (record) => through(() => store.write(record)) };
}

const skewed = (clock: FakeClock, byMs: number): FakeClock => ({ ...clock, now: () => clock.now() + byMs });

const ms = fc.constantFrom(0, 50, 1_000, 4_000, 9_000, 14_000, 25_000);
const end = fc.constantFrom<Fate['end']>('answered', 'answered', 'answered', 'refused', 'answer lost');
const fates = fc.array(fc.record<Fate>({ beforeMs: ms, afterMs: ms, end }), { maxLength: 25 });

/** Others see the write nine seconds before its writer knows, and then every renewal fails. */
const lateAnswerThenSilence: Fate[] = [
  { beforeMs: 0, afterMs: 0, end: 'answered' },
  { beforeMs: 0, afterMs: 9_000, end: 'answered' },
  { beforeMs: 0, afterMs: 0, end: 'answered' },
  ...Array.from({ length: 8 }, (): Fate => ({ beforeMs: 0, afterMs: 0, end: 'refused' })),
];
const comesSecond: Fate[] = [{ beforeMs: 100, afterMs: 0, end: 'answered' }];

describe('leader election', () => {
  it('the first candidate leads at once and the second waits as long as the lease is renewed', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    await candidate('a', store, clock);
    let second = false;
    void candidate('b', store, clock).then(() => (second = true));
    await clock.advance(120_000);
    expect(second).toBe(false);
    expect(store.current?.holderIdentity).toBe('a');
  });

  it("a dead leader is followed after its lease has run out by the follower's own clock, however wrong that is", async () => {
    const store = leaseStore();
    store.current = {
      holderIdentity: 'dead',
      leaseDurationSeconds: 15,
      acquireTime: '2030-01-01T00:00:00.000000Z',
      renewTime: '2030-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
      version: 'x',
    };
    const clock = createFakeClock(Date.parse('2001-01-01T00:00:00Z'));
    let leads = false;
    void candidate('b', store, clock).then(() => (leads = true));
    await clock.advance(14_000);
    expect(leads).toBe(false);
    await clock.advance(6_000);
    expect(leads).toBe(true);
    expect(store.current).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('a leader that cannot renew for ten seconds has lost, before anybody else may lead', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const leadership = await candidate('a', store, clock);
    let lost = false;
    void leadership.lost.then(() => (lost = true));
    await clock.advance(60_000);
    expect(lost).toBe(false);
    store.fail = true;
    await clock.advance(7_000);
    expect(lost).toBe(false);
    await clock.advance(7_000);
    expect(lost).toBe(true);
  });

  it.each([
    ['back by an hour', -3_600_000],
    ['on by an hour', 3_600_000],
  ])('a wall clock that is set %s neither costs a leader its lease nor prolongs it', async (_, step) => {
    const store = leaseStore();
    const clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'));
    const leadership = await candidate('a', store, clock);
    let lost = false;
    void leadership.lost.then(() => (lost = true));
    clock.step(step);
    await clock.advance(60_000);
    expect(lost).toBe(false);
    store.fail = true;
    await clock.advance(7_000);
    clock.step(step);
    await clock.advance(7_000);
    expect(lost).toBe(true);
  });

  it('a leader that sees another in its place has lost at its next look', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const leadership = await candidate('a', store, clock);
    let lost = false;
    void leadership.lost.then(() => (lost = true));
    if (store.current) store.current = { ...store.current, holderIdentity: 'b', version: 'forced' };
    await clock.advance(2_000);
    expect(lost).toBe(true);
    expect(store.current?.holderIdentity).toBe('b');
  });

  it('a leader that was told to stop keeps the lease until it gives it back: its last visits still need it', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const stop = new AbortController();
    await candidate('a', store, clock, stop.signal);
    let second = false;
    void candidate('b', store, clock).then(() => (second = true));
    stop.abort();
    await clock.advance(60_000);
    expect(second).toBe(false);
  });

  it('a renewal that is under way when the lease is given back does not take it again', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const instant = { beforeMs: 0, afterMs: 0, end: 'answered' } as const;
    const slow = { ...instant, beforeMs: 1_000 };
    const network = overNetwork(store, clock, [instant, instant, instant, slow, slow]);
    const leading = candidate('a', network, clock);
    await clock.advance(0);
    const leadership = await leading;
    await clock.advance(2_500);
    const released = leadership.release();
    await clock.advance(10_000);
    await released;
    expect(store.current?.holderIdentity).toBe('');
  });

  it('a lease that cannot be given back expires anyway: that is no fault of the one who leaves', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const leadership = await candidate('a', store, clock);
    store.fail = true;
    await leadership.release();
    expect(store.current?.holderIdentity).toBe('a');
  });

  it('never do two lead at once, whatever the network does and the clocks say; when it heals, one leads', async () => {
    const skewMs = fc.integer({ min: -3_600_000, max: 3_600_000 });
    await fc.assert(
      fc.asyncProperty(fates, fates, skewMs, async (ofA, ofB, skew) => {
        const store = leaseStore();
        const clock = createFakeClock(Date.parse('2030-01-01T00:00:00Z'));
        const leading = new Set<string>();
        const run = (name: string, given: readonly Fate[], own: FakeClock) =>
          campaign(name, leading, (identity) => candidate(identity, overNetwork(store, clock, given), own));
        let broken: unknown = null;
        for (const campaigning of [run('a', ofA, clock), run('b', ofB, skewed(clock, skew))])
          campaigning.catch((error: unknown) => (broken = error));
        const worstMs = (ofA.length + ofB.length) * 60_000;
        for (let spent = 0; spent <= worstMs + 60_000 && broken === null; spent += 5_000) await clock.advance(5_000);
        expect(broken).toBeNull();
        expect(leading.size).toBe(1);
      }),
      { numRuns: 40, endOnFailure: true, examples: [[lateAnswerThenSilence, comesSecond, 0]] },
    );
  }, 60_000);

  it('a released lease is taken at once', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    const stop = new AbortController();
    const leadership = await candidate('a', store, clock, stop.signal);
    let second = false;
    void candidate('b', store, clock).then(() => (second = true));
    await clock.advance(1_000);
    stop.abort();
    await leadership.release();
    await clock.advance(3_000);
    expect(second).toBe(true);
  });
});
