import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { ReflectorOptions } from '../../../src/kubernetes/reflector.ts';
import { defaultTimes, startReflector } from '../../../src/kubernetes/reflector.ts';
import type { Store, StoreEvent } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
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
import { createHastyClock, forEverMs } from '../../support/hasty-clock.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const times = {
  idleMs: forEverMs,
  trustedMs: forEverMs,
  backoffMinMs: 10,
  backoffMaxMs: 50,
  watchMinMs: 300_000,
  watchMaxMs: 300_000,
};
const hastyTimes = { ...defaultTimes, idleMs: forEverMs };
const withinMs = 5_000;

let server: FakeApiServer;
let transport: Transport;
let stop: AbortController;
let store: Store<KubernetesObject>;
let events: string[];
let faults: unknown[];

beforeEach(async () => {
  server = await startFakeApiServer();
  transport = createTransport(server.connection);
  stop = new AbortController();
  faults = [];
  events = [];
  store = createStore({}, (error) => faults.push(error));
  store.subscribe(({ type, object: subject }: StoreEvent<KubernetesObject>) =>
    events.push(`${type} ${subject.metadata.name} ${subject.metadata.uid}`),
  );
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

const until = (what: string, holds: () => boolean) =>
  eventually(what, withinMs, () => Promise.resolve(expectThat(holds(), 'not yet')));

const holds = (...wanted: readonly string[]) =>
  eventually(`the store holds ${wanted.join(', ')}`, withinMs, () => {
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

describe.each([
  ['in pages', false],
  ['as a stream', true],
])('whatever goes wrong, the store that is filled %s ends equal to the truth', (_how, streamsLists) => {
  beforeEach(async () => {
    if (!streamsLists) return;
    await transport.close();
    await server.stop();
    server = await startFakeApiServer({ streamsLists });
    transport = createTransport(server.connection);
  });

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
      [watchRaw(`${eventLine('ADDED', b1)}{"type":"MODI`, 'end'), watchOf(['MODIFIED', object('a', 7)])],
      ['a@7', 'b@6'],
    ],
    ['a line is garbage', [listOf(4, a1)], [watchRaw('<html>\n', 'end'), watchOf(['MODIFIED', a2])], ['a@5']],
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

  it('a watch that falls silent is given up after its time, no earlier, and begun again', async () => {
    const idleMs = 300;
    const clock = createFakeClock();
    const watchesAsked = () => server.requests.filter(({ searchParams }) => searchParams.has('watch')).length;
    server.script({ lists: [listOf(4, a1)], watches: [watchRaw('', 'silence'), watchOf(['MODIFIED', a2])] });
    const reflector = begin({ clock, times: { ...times, idleMs } });
    await reflector.synced;
    await until('it watches', () => watchesAsked() === 1);
    await clock.advance(idleMs - 1);
    await turnsOfLoop(100);
    expect(watchesAsked()).toBe(1);
    await clock.advance(1);
    await until('it is begun again', () => {
      void clock.advance(times.backoffMaxMs);
      return watchesAsked() > 1;
    });
    await holds('a@5');
    expect(faults).toEqual([]);
  });
});

describe('an API server that is away', () => {
  it('at first is waited for', async () => {
    await server.shut();
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses) });
    await until('some attempts were refused', () => pauses.length > 3);
    server.script({ lists: [listOf(4, a1)], watches: [watchOf()] });
    await server.open();
    await holds('a@1');
  });

  it('for a while in between is listed anew, for it may come back with an etcd that was restored', async () => {
    server.script({ lists: [listOf(4, a1), listOf(6, a2, b1)], watches: [watchOf(['MODIFIED', a2]), watchOf()] });
    const pauses: number[] = [];
    const reflector = begin({ clock: createHastyClock(pauses) });
    await holds('a@5');
    await server.shut();
    await until('some attempts were refused', () => pauses.length > 3);
    expect(reflector.staleness()).toBeGreaterThan(0);
    expect(store.size).toBe(1);
    await server.open();
    await holds('a@5', 'b@6');
    const versions = () => server.requests.map(({ searchParams }) => searchParams.get('resourceVersion'));
    await until('the watch goes on from the list', () => versions().join() === ',4,,6');
    expect(events).toEqual(['added a uid-a', 'modified a uid-a', 'added b uid-b']);
  });

  it('for no longer than its connection was cut is asked from where the watch ended, without a list', async () => {
    server.script({
      lists: [listOf(4, a1)],
      watches: [watchRaw(eventLine('MODIFIED', a2), 'reset'), watchOf(['ADDED', b1])],
    });
    begin();
    await holds('a@5', 'b@6');
    expect(server.requests.map(({ searchParams }) => searchParams.get('resourceVersion'))).toEqual([null, '4', '5']);
  });

  it('whose credentials cannot be had for a while is waited for, and that is a fault of the transport', async () => {
    let fails = 3;
    const authorization = () =>
      fails-- > 0 ? Promise.reject(new Error('plugin failed')) : Promise.resolve('Bearer x');
    const own = createTransport({ ...server.connection, authorization });
    try {
      await expect(own.call({ method: 'GET', path: '/' })).rejects.toBeInstanceOf(TransportError);
      server.script({ lists: [listOf(4, a1)], watches: [watchOf()] });
      begin({ transport: own });
      await holds('a@1');
    } finally {
      await own.close();
    }
  });
});

describe('what a write of ours was answered with', () => {
  const answered = (version: number, uid?: string) => object('a', version, uid) as unknown as KubernetesObject;
  /** The store holds a at version 1, and the watch stays open after these events, which come when `told` is called. */
  const watching = async (...told: readonly (readonly [string, object])[]) => {
    const later = Promise.withResolvers<undefined>();
    server.script({
      lists: [listOf(4, a1)],
      watches: [
        (response) => {
          response.writeHead(200).write('\n');
          void later.promise.then(() => response.write(told.map(([type, one]) => eventLine(type, one)).join('')));
        },
      ],
    });
    const reflector = begin();
    await reflector.synced;
    return { reflector, told: () => later.resolve(undefined) };
  };

  it('is in the store at once, and its event tells nobody again', async () => {
    const { reflector, told } = await watching(['MODIFIED', object('a', 7)], ['ADDED', object('b', 8)]);
    reflector.written(answered(7));
    expect(store.get({ namespace: 'a', name: 'a' })?.metadata.resourceVersion).toBe('7');
    told();
    await holds('a@7', 'b@8');
    expect(events).toEqual(['added a uid-a', 'modified a uid-a', 'added b uid-b']);
  });

  it('is not overwritten by the events before it, and is by those after it', async () => {
    const { reflector, told } = await watching(
      ['MODIFIED', a2],
      ['MODIFIED', object('a', 7)],
      ['MODIFIED', object('a', 8)],
    );
    const versions: (string | undefined)[] = [];
    store.subscribe(({ object: { metadata } }) => versions.push(metadata.resourceVersion));
    reflector.written(answered(7));
    told();
    await holds('a@8');
    expect(versions).toEqual(['7', '8']);
  });

  it('brings nothing back that was deleted since', async () => {
    const { reflector, told } = await watching(['DELETED', object('a', 9)]);
    told();
    await holds();
    reflector.written(answered(7));
    await holds();
    expect(events).toEqual(['added a uid-a', 'deleted a uid-a']);
  });

  it('of an object that was made anew is not taken for the one that went before', async () => {
    const { reflector, told } = await watching(
      ['DELETED', object('a', 5)],
      ['ADDED', object('a', 6, 'new')],
      ['ADDED', b1],
    );
    reflector.written(answered(6, 'new'));
    told();
    await holds('a@6', 'b@6');
    expect(events).toEqual(['added a uid-a', 'deleted a uid-a', 'added a new', 'added b uid-b']);
  });

  it('out of order leaves the later one', async () => {
    const { reflector } = await watching();
    reflector.written(answered(8));
    reflector.written(answered(7));
    await holds('a@8');
  });

  it('is nothing before there is a complete list, which has it', () => {
    server.script({ lists: [refuse(503)], watches: [watchOf()] });
    begin().written(answered(7));
    expect(store.size).toBe(0);
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

describe('a list that is streamed', () => {
  const bookmark = (version: number, ended: boolean) => {
    const annotations = ended ? { 'k8s.io/initial-events-end': 'true' } : {};
    return eventLine('BOOKMARK', { metadata: { resourceVersion: String(version), annotations } });
  };
  /** Answers the first watches with these texts, whatever they ask for. */
  const begins = (...texts: readonly string[]) => {
    const left = [...texts];
    const streams: Transport = {
      ...transport,
      async stream(path, signal) {
        const text = left.shift();
        if (text === undefined) return transport.stream(path, signal);
        asked.push(new URL(path, 'http://fake'));
        await Promise.resolve();
        return (async function* () {
          await Promise.resolve();
          yield new TextEncoder().encode(text);
        })();
      },
    };
    server.script({ lists: [refuse(500)], watches: [watchOf()] });
    return begin({ transport: streams });
  };
  let asked: URL[];
  beforeEach(() => {
    asked = [];
  });

  it('is asked for as Kubernetes has it, and watched on from its last bookmark', async () => {
    await begins(eventLine('ADDED', a1) + bookmark(3, false) + bookmark(7, true)).synced;
    await until('the watch goes on', () => server.requests.length > 0);
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(server.requests[0]?.searchParams.get('resourceVersion')).toBe('7');
    expect(server.requests[0]?.searchParams.has('sendInitialEvents')).toBe(false);
  });

  it('that breaks off drops nothing, is no list, and is begun again', async () => {
    store.put(object('c', 1) as unknown as KubernetesObject);
    await begins(eventLine('ADDED', a1), eventLine('ADDED', a1) + bookmark(7, true)).synced;
    expect(events).toEqual(['added c uid-c', 'added a uid-a', 'deleted c uid-c']);
  });

  it('shows what changes while it lasts', async () => {
    const changes = [
      eventLine('ADDED', a1),
      eventLine('ADDED', b1),
      eventLine('MODIFIED', a2),
      eventLine('DELETED', object('b', 8)),
    ];
    await begins(changes.join('') + bookmark(9, true)).synced;
    await holds('a@5');
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

  it('pages are 100 long and continued', async () => {
    server.script({ lists: [page('next', a1), listOf(6, b1)], watches: [watchOf()] });
    begin();
    await holds('a@1', 'b@6');
    expect(
      server.requests.slice(0, 2).map(({ searchParams }) => [searchParams.get('limit'), searchParams.get('continue')]),
    ).toEqual([
      ['100', null],
      ['100', 'next'],
    ]);
  });

  it.each<[string, { lists: readonly Script[]; watches: readonly Script[] }, 'grow' | 'stay']>([
    ['every list fails', { lists: [refuse(503)], watches: [] }, 'grow'],
    ['every watch ends at once', { lists: [listOf(4, a1)], watches: [(response) => void response.end()] }, 'grow'],
    ['every watch is reset at once', { lists: [listOf(4, a1)], watches: [watchRaw('', 'reset')] }, 'grow'],
    [
      'every watch says 410, which would mean a list each time',
      { lists: [listOf(4, a1)], watches: [refuse(410)] },
      'grow',
    ],
    ['every watch says garbage', { lists: [listOf(4, a1)], watches: [watchRaw('<html>\n', 'silence')] }, 'grow'],
    [
      'every watch says a little and ends',
      {
        lists: [listOf(4, a1)],
        watches: [watchRaw(eventLine('BOOKMARK', { metadata: { resourceVersion: '5' } }), 'end')],
      },
      'stay',
    ],
  ])('when %s it pauses each time', async (_, script, pausesShould) => {
    server.script(script);
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses), times: hastyTimes });
    await until('twelve pauses', () => pauses.length >= 12);
    stop.abort();
    expect(server.requests.length).toBeLessThanOrEqual(2 * pauses.length + 2);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(defaultTimes.backoffMinMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(defaultTimes.backoffMaxMs);
    // Drawn between 0.8 s and a bound that has reached 25 s: that all of them are short happens once in millions.
    expect(Math.max(...pauses.slice(5)) > 3_000).toBe(pausesShould === 'grow');
  });

  it.each([
    ['as long as it asks', '7', 7_000, defaultTimes.backoffMaxMs],
    ['two minutes at most, whatever it asks', '99999999', 120_000, 120_000],
  ])('it stays away from a server that says 429 %s', async (_, seconds, least, most) => {
    server.script({ lists: [refuse(429, { 'retry-after': seconds }), listOf(4, a1)], watches: [watchOf()] });
    const pauses: number[] = [];
    begin({ clock: createHastyClock(pauses), times: hastyTimes });
    await holds('a@1');
    expect(pauses[0]).toBeGreaterThanOrEqual(least);
    expect(pauses[0]).toBeLessThanOrEqual(most);
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
