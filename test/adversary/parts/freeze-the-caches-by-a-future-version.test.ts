import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat, patience } from '../../../dev/lib/eventually.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { ReflectorTimes } from '../../../src/kubernetes/reflector.ts';
import { startReflector } from '../../../src/kubernetes/reflector.ts';
import type { Store } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { FakeApiServer, Script } from '../../support/fake-api-server.ts';
import { eventLine, listOf, object, startFakeApiServer, watchOf, watchRaw } from '../../support/fake-api-server.ts';

/**
 * etcd is restored from a snapshot, so every version that our caches know lies in the future, and the API server says so in
 * one of several ways or not at all. The reflector lists anew after an outage, a silence, or a version that went back.
 */

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = {
  idleMs: 300 * patience(),
  trustedMs: 60_000,
  backoffMinMs: 10,
  backoffMaxMs: 50,
  watchMinMs: 300_000,
  watchMaxMs: 300_000,
};
const patienceMs = 5_000;

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

const begin = (given: ReflectorTimes = times) =>
  startReflector(
    {
      transport,
      kind: things,
      store,
      log: silentLog,
      clock: systemClock,
      slices: createTimeSlices(systemClock.elapsed),
      times: given,
    },
    stop.signal,
  );

const holds = (...wanted: readonly string[]) =>
  eventually(`the store holds ${wanted.join(', ')}`, patienceMs, () => {
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
const silence: Script = watchRaw('', 'silence');

/** Before: a at 800, the history at 900. Restored: a as it was at 30, b that had been deleted, the history at 40. */
const before = [listOf(900, object('a', 800))];
const restored = listOf(40, object('a', 30), object('b', 20));

describe('an API server whose etcd was restored', () => {
  it.each<[string, readonly Script[]]>([
    ['refuses the version as too large', [refuseTooLarge, watchOf()]],
    ['says so as an event', [watchOf(['ERROR', { ...tooLarge, metadata: {} }]), watchOf()]],
    ['says nothing for ever', [silence, watchOf()]],
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

  it('and has caught up with our version meanwhile, is listed anew after its outage', async () => {
    server.script({ lists: before, watches: [watchOf()] });
    begin();
    await holds('a@800');
    await server.shut();
    await systemClock.sleep(200);
    server.script({ lists: [listOf(950, object('a', 30), object('b', 20))], watches: [watchOf()] });
    await server.open();
    await holds('a@30', 'b@20');
  });

  it('and has caught up while a watch was broken off and not begun again, is listed anew', async () => {
    const slow = { ...times, idleMs: 60_000, trustedMs: 150, backoffMinMs: 200, backoffMaxMs: 200 };
    const brokenOff = watchRaw(eventLine('BOOKMARK', { metadata: { resourceVersion: '901' } }), 'reset');
    server.script({ lists: [...before, restored], watches: [brokenOff, watchOf()] });
    begin(slow);
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
    begin();
    await holds('a@800');
    await server.shut();
    await systemClock.sleep(200);
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
    begin(slow);
    await holds('a@902');
  });

  it('is not listed for ever while it goes on refusing: pauses grow', async () => {
    server.script({ lists: [restored], watches: [refuseTooLarge] });
    begin();
    await holds('a@30', 'b@20');
    await systemClock.sleep(500);
    expect(server.requests.length).toBeLessThan(100);
    expect(told).toEqual(['added a', 'added b']);
  });
});
