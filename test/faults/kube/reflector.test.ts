import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Kind, KubeObject } from '../../../src/kube/port.ts';
import { startReflector } from '../../../src/kube/reflector.ts';
import type { Store, StoreEvent } from '../../../src/kube/store.ts';
import { createStore } from '../../../src/kube/store.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { createTransport } from '../../../src/kube/transport.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { FakeApiServer, Script } from '../../support/fake-api-server.ts';
import {
  eventLine,
  listOf,
  object,
  page,
  refuse,
  startFakeApiServer,
  watchOf,
  watchRaw,
} from '../../support/fake-api-server.ts';

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = { idleMs: 300, backoffMinMs: 10, backoffMaxMs: 50, watchMinMs: 300_000, watchMaxMs: 300_000 };
const patienceMs = 5_000;

let server: FakeApiServer;
let transport: Transport;
let stop: AbortController;
let store: Store<KubeObject>;
let events: string[];
let faults: unknown[];

beforeEach(async () => {
  server = await startFakeApiServer();
  transport = createTransport(server.connection);
  stop = new AbortController();
  faults = [];
  events = [];
  store = createStore({}, (error) => faults.push(error));
  store.subscribe(({ type, object: subject }: StoreEvent<KubeObject>) =>
    events.push(`${type} ${subject.metadata.name} ${subject.metadata.uid}`),
  );
});

afterEach(async () => {
  stop.abort();
  await transport.close();
  await server.stop();
});

const begin = () =>
  startReflector({ transport, kind: things, store, log: silentLog, clock: systemClock, times }, stop.signal);

const holds = (...wanted: readonly string[]) =>
  eventually(`the store holds ${wanted.join(', ')}`, patienceMs, () => {
    const seen = store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
    expectThat(
      JSON.stringify(seen.toSorted()) === JSON.stringify([...wanted].toSorted()),
      seen.join(', ') || 'nothing',
    );
    return Promise.resolve();
  });

const a1 = object('a', 1);
const a2 = object('a', 5);
const b1 = object('b', 6);

describe('whatever goes wrong, the store ends equal to the truth', () => {
  it.each<[string, readonly Script[], readonly Script[], readonly string[]]>([
    ['nothing goes wrong', [listOf(4, a1)], [watchOf(['MODIFIED', a2], ['ADDED', b1])], ['a@5', 'b@6']],
    ['the first lists fail with 503', [refuse(503), refuse(503), listOf(4, a1)], [watchOf()], ['a@1']],
    [
      'the list is limited with Retry-After',
      [refuse(429, { 'retry-after': '0' }), listOf(4, a1)],
      [watchOf()],
      ['a@1'],
    ],
    ['the watch says 410 over HTTP', [listOf(4, a1), listOf(6, a2, b1)], [refuse(410), watchOf()], ['a@5', 'b@6']],
    [
      'the watch says 410 as an event',
      [listOf(4, a1), listOf(6, b1)],
      [watchOf(['ERROR', { code: 410, reason: 'Expired', metadata: {} }]), watchOf()],
      ['b@6'],
    ],
    [
      'the watch says 500 as an event',
      [listOf(4, a1)],
      [watchOf(['ERROR', { code: 500, metadata: {} }]), watchOf(['MODIFIED', a2])],
      ['a@5'],
    ],
    ['the watch is refused with 503', [listOf(4, a1)], [refuse(503), refuse(503), watchOf(['MODIFIED', a2])], ['a@5']],
    [
      'the watch is limited',
      [listOf(4, a1)],
      [refuse(429, { 'retry-after': '0' }), watchOf(['MODIFIED', a2])],
      ['a@5'],
    ],
    [
      'the connection is reset between events',
      [listOf(4, a1)],
      [watchRaw(eventLine('MODIFIED', a2), 'reset'), watchOf(['ADDED', b1])],
      ['a@5', 'b@6'],
    ],
    [
      'the connection is reset in the middle of a line',
      [listOf(4, a1)],
      [watchRaw(eventLine('MODIFIED', a2).slice(0, 30), 'reset'), watchOf(['MODIFIED', a2])],
      ['a@5'],
    ],
    [
      'the watch ends with half a line',
      [listOf(4, a1)],
      [watchRaw(`${eventLine('ADDED', b1)}{"type":"MODI`, 'end'), watchOf(['MODIFIED', a2])],
      ['a@5', 'b@6'],
    ],
    ['a line is garbage', [listOf(4, a1)], [watchRaw('<html>\n', 'end'), watchOf(['MODIFIED', a2])], ['a@5']],
    ['the watch falls silent', [listOf(4, a1)], [watchRaw('', 'silence'), watchOf(['MODIFIED', a2])], ['a@5']],
    [
      'the relist after a 410 fails at first',
      [listOf(4, a1), refuse(500), refuse(503), listOf(6, b1)],
      [refuse(410), watchOf()],
      ['b@6'],
    ],
    [
      'a continuation expires in the middle of a list',
      [page('next', a1), refuse(410), listOf(6, a2, b1)],
      [watchOf()],
      ['a@5', 'b@6'],
    ],
  ])('%s', async (_, lists, watches, wanted) => {
    server.script({ lists, watches });
    const reflector = begin();
    await reflector.synced;
    await holds(...wanted);
    expect(faults).toEqual([]);
  });
});

describe('what listeners see', () => {
  it('an object deleted and made anew during a gap is a deletion and an addition', async () => {
    server.script({
      lists: [listOf(4, object('a', 1, 'old')), listOf(9, object('a', 8, 'new'))],
      watches: [refuse(410), watchOf()],
    });
    begin();
    await holds('a@8');
    expect(events).toEqual(['added a old', 'deleted a old', 'added a new']);
  });

  it('an object that vanished during a gap is a deletion', async () => {
    server.script({ lists: [listOf(4, a1, b1), listOf(9, b1)], watches: [refuse(410), watchOf()] });
    begin();
    await holds('b@6');
    expect(events).toContain('deleted a uid-a');
  });

  it('a listener that throws keeps nobody else from hearing', async () => {
    store.subscribe(() => {
      throw new Error('mine');
    });
    const heard: string[] = [];
    store.subscribe(({ object: subject }) => heard.push(subject.metadata.name));
    server.script({ lists: [listOf(4, a1)], watches: [watchOf(['ADDED', b1])] });
    begin();
    await holds('a@1', 'b@6');
    expect(heard).toEqual(['a', 'b']);
    expect(faults.length).toBe(2);
  });
});

describe('how it asks', () => {
  it('a bookmark moves the version the next watch goes on from, and there is no second list', async () => {
    const bookmark = eventLine('BOOKMARK', { metadata: { resourceVersion: '77' } });
    server.script({
      lists: [listOf(4, a1)],
      watches: [watchRaw(bookmark, 'end'), watchOf(['MODIFIED', object('a', 80)])],
    });
    begin();
    await holds('a@80');
    const watches = server.requests.filter(({ searchParams }) => searchParams.has('watch'));
    expect(watches.map(({ searchParams }) => searchParams.get('resourceVersion'))).toEqual(['4', '77']);
    expect(watches[0]?.searchParams.get('allowWatchBookmarks')).toBe('true');
    expect(server.requests.length - watches.length).toBe(1);
  });

  it('pages are 500 long and continued', async () => {
    server.script({ lists: [page('next', a1), listOf(6, b1)], watches: [watchOf()] });
    begin();
    await holds('a@1', 'b@6');
    expect(
      server.requests.slice(0, 2).map(({ searchParams }) => [searchParams.get('limit'), searchParams.get('continue')]),
    ).toEqual([
      ['500', null],
      ['500', 'next'],
    ]);
  });

  it('a watch that ends at once is not asked for in a tight loop', async () => {
    server.script({ lists: [listOf(4, a1)], watches: [(response) => void response.writeHead(200).end()] });
    begin();
    await holds('a@1');
    await systemClock.sleep(500);
    expect(server.requests.length).toBeLessThan(60);
  });

  it('managedFields are cut, and apiVersion and kind filled in', async () => {
    const noisy = { metadata: { ...a1.metadata, managedFields: [{ manager: 'x' }] } };
    server.script({ lists: [listOf(4, noisy)], watches: [watchOf()] });
    begin();
    await holds('a@1');
    expect(store.get({ namespace: 'a', name: 'a' })).toMatchObject({ apiVersion: 'test.io/v1', kind: 'Thing' });
    expect(store.get({ namespace: 'a', name: 'a' })?.metadata).not.toHaveProperty('managedFields');
  });

  it('stops when it is told to', async () => {
    server.script({ lists: [listOf(4, a1)], watches: [watchOf()] });
    const reflector = begin();
    await reflector.synced;
    stop.abort();
    await reflector.stopped;
  });
});
