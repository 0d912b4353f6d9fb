import { describe, expect, it } from '@jest/globals';
import type { LeaseRecord, LeaseStore } from '../../../src/engine/leader.ts';
import { becomeLeader } from '../../../src/engine/leader.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

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

describe('leader election', () => {
  it('the first candidate leads at once and the second waits as long as the lease is renewed', async () => {
    const store = leaseStore();
    const clock = createFakeClock();
    await candidate('a', store, clock);
    let second = false;
    void candidate('b', store, clock).then(() => (second = true));
    await clock.advance(120_000);
    expect(second).toBe(false);
    expect(store.current?.holder).toBe('a');
  });

  it("a dead leader is followed after its lease has run out by the follower's own clock, however wrong that is", async () => {
    const store = leaseStore();
    store.current = {
      holder: 'dead',
      leaseDurationSeconds: 15,
      acquireTime: '2030-01-01T00:00:00.000000Z',
      renewTime: '2030-01-01T00:00:00.000000Z',
      transitions: 0,
      version: 'x',
    };
    const clock = createFakeClock(Date.parse('2001-01-01T00:00:00Z'));
    let leads = false;
    void candidate('b', store, clock).then(() => (leads = true));
    await clock.advance(14_000);
    expect(leads).toBe(false);
    await clock.advance(6_000);
    expect(leads).toBe(true);
    expect(store.current).toMatchObject({ holder: 'b', transitions: 1 });
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
