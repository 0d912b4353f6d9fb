import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { ReflectorOptions } from '../../../src/kubernetes/reflector.ts';
import { defaultTimes, startReflector } from '../../../src/kubernetes/reflector.ts';
import type { Store } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Log } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import type { FakeApiServer, Script } from '../../support/fake-api-server.ts';
import { eventLine, listOf, object, startFakeApiServer, watchOf, watchRaw } from '../../support/fake-api-server.ts';
import { createHastyClock, forEverMs } from '../../support/hasty-clock.ts';

/**
 * etcd is restored from a snapshot, so every version that our caches know lies in the future, and the API server says so in
 * one of several ways or not at all. The reflector lists anew after an outage, a silence, or a version that went back.
 */

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = {
  idleMs: forEverMs,
  trustedMs: forEverMs,
  backoffMinMs: 10,
  backoffMaxMs: 50,
  watchMinMs: 300_000,
  watchMaxMs: 300_000,
};
const withinMs = 5_000;

let server: FakeApiServer;
let transport: Transport;
let stop: AbortController;
let store: Store<KubernetesObject>;
let told: string[];

beforeEach(async () => {
  server = await startFakeApiServer();
  transport = createTransport(server.connection);
  stop = new AbortController();
  told = [];
  store = createStore({}, () => undefined);
  store.subscribe(({ type, object: subject }) => told.push(`${type} ${subject.metadata.name}`));
});

afterEach(async () => {
  stop.abort();
  await transport.close();
  await server.stop();
});

const begin = (given: Partial<ReflectorOptions<KubernetesObject>> = {}) =>
  startReflector(
    {
      transport,
      kind: things,
      store,
      log: silentLog,
      clock: systemClock,
      slices: createTimeSlices(systemClock.elapsed),
      times,
      ...given,
    },
    stop.signal,
  );

const until = (what: string, isSo: () => boolean) =>
  eventually(what, withinMs, () => Promise.resolve(expectThat(isSo(), 'not yet')));

const holds = (...wanted: readonly string[]) =>
  eventually(`the store holds ${wanted.join(', ')}`, withinMs, () => {
    const seen = store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
    expectThat(seen.toSorted().join() === wanted.toSorted().join(), seen.join() || 'nothing');
    return Promise.resolve();
  });

const tooLarge = {
  kind: 'Status',
  reason: 'Timeout',
  code: 504,
  message: 'Too large resource version: 900, current: 40',
  details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
};
const refuseTooLarge: Script = (response) => void response.writeHead(504).end(JSON.stringify(tooLarge));

/** Before: a at 800, the history at 900. Restored: a as it was at 30, b that had been deleted, the history at 40. */
const before = [listOf(900, object('a', 800))];
const restored = listOf(40, object('a', 30), object('b', 20));

describe('an API server whose etcd was restored', () => {
  it.each<[string, readonly Script[]]>([
    ['refuses the version as too large', [refuseTooLarge, watchOf()]],
    ['says so as an event', [watchOf(['ERROR', { ...tooLarge, metadata: {} }]), watchOf()]],
    [
      'sends bookmarks of the restored history',
      [watchRaw(eventLine('BOOKMARK', { metadata: { resourceVersion: '41' } }), 'silence'), watchOf()],
    ],
    ['sends events of the restored history', [watchRaw(eventLine('MODIFIED', object('a', 42)), 'silence'), watchOf()]],
  ])('and which %s is listed anew', async (_, watches) => {
    server.script({ lists: [...before, restored], watches });
    begin();
    await holds('a@30', 'b@20');
  });

  it('and which says nothing for ever is listed anew after its time', async () => {
    const idleMs = 300;
    const clock = createFakeClock();
    server.script({ lists: [...before, restored], watches: [watchRaw('', 'silence'), watchOf()] });
    begin({ clock, times: { ...times, idleMs } });
    await until('it is watched', () => server.requests.length === 2);
    await clock.advance(idleMs - 1);
    await holds('a@800');
    await clock.advance(1);
    await until('it is listed anew', () => {
      void clock.advance(times.backoffMaxMs);
      return server.requests.length > 2;
    });
    await holds('a@30', 'b@20');
  });

  it('and has caught up with our version meanwhile, is listed anew after its outage', async () => {
    server.script({ lists: before, watches: [watchOf()] });
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses) });
    await holds('a@800');
    await server.shut();
    await until('some attempts were refused', () => pauses.length > 3);
    server.script({ lists: [listOf(950, object('a', 30), object('b', 20))], watches: [watchOf()] });
    await server.open();
    await holds('a@30', 'b@20');
  });

  it('and has caught up while a watch was broken off and not begun again, is listed anew', async () => {
    const slow = { ...times, trustedMs: 150, backoffMinMs: 200, backoffMaxMs: 200 };
    const clock = createFakeClock();
    let failures = 0;
    const counting: Log = { ...silentLog, warn: () => (failures += 1) };
    const brokenOff = watchRaw(eventLine('BOOKMARK', { metadata: { resourceVersion: '901' } }), 'reset');
    server.script({ lists: [...before, restored], watches: [brokenOff, watchOf()] });
    begin({ clock, times: slow, log: counting });
    await until('the watch is broken off', () => failures > 0);
    await clock.advance(slow.backoffMaxMs);
    await holds('a@30', 'b@20');
  });

  it('is not suspected where a watch that was broken off is begun again at once', async () => {
    const brokenOff = watchRaw(eventLine('BOOKMARK', { metadata: { resourceVersion: '901' } }), 'reset');
    server.script({ lists: [...before, restored], watches: [brokenOff, watchOf(['MODIFIED', object('a', 902)])] });
    begin();
    await holds('a@902');
  });

  it('and gave a version that we know to another content, is believed', async () => {
    server.script({ lists: before, watches: [watchOf()] });
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses) });
    await holds('a@800');
    await server.shut();
    await until('some attempts were refused', () => pauses.length > 3);
    const other = { ...object('a', 800), managed: false };
    server.script({ lists: [listOf(950, other, object('b', 20))], watches: [watchOf()] });
    await server.open();
    await holds('a@800', 'b@20');
    expect(store.get({ namespace: 'a', name: 'a' })).toMatchObject({ managed: false });
  });

  it('and is only busy, is not asked for a whole list besides, however long it says so', async () => {
    const slow = { ...times, trustedMs: 20, backoffMinMs: 50, backoffMaxMs: 50 };
    const busy: Script = (response) =>
      void response.writeHead(429).end(JSON.stringify({ code: 429, reason: 'TooManyRequests' }));
    server.script({
      lists: [...before, restored],
      watches: [busy, busy, busy, watchOf(['MODIFIED', object('a', 902)])],
    });
    begin({ times: slow });
    await holds('a@902');
  });

  it('is not listed for ever while it goes on refusing: pauses grow', async () => {
    server.script({ lists: [restored], watches: [refuseTooLarge] });
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses), times: { ...defaultTimes, idleMs: forEverMs } });
    await holds('a@30', 'b@20');
    await until('twelve pauses', () => pauses.length >= 12);
    stop.abort();
    // A list and a watch at most between two pauses.
    expect(server.requests.length).toBeLessThanOrEqual(2 * pauses.length + 2);
    // Drawn between 0.8 s and a bound that has reached 25 s: that all of them are short happens once in millions.
    expect(Math.max(...pauses.slice(5))).toBeGreaterThan(3_000);
    expect(told).toEqual(['added a', 'added b']);
  });
});
