import { beforeEach, describe, expect, it } from '@jest/globals';
import { withHash } from '../../../src/kubernetes/applied-intent.ts';
import { createCluster, notCached } from '../../../src/kubernetes/cluster-client.ts';
import { kubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster, Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';

const things: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const key = { namespace: 'a', name: 'x' };
const intent = (colour: string) => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { ...key },
  spec: { colour },
});
const live = (version: number): KubernetesObject => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { ...key, resourceVersion: String(version) },
});

let calls: Call[];
let answer: () => unknown;
let cached: KubernetesObject | undefined | typeof notCached;
let written: (string | undefined)[];
let transport: Transport;
let cluster: Cluster;

beforeEach(() => {
  calls = [];
  cached = undefined;
  written = [];
  answer = () => live(1);
  transport = {
    async call<T>(call: Call) {
      calls.push(call);
      return Promise.resolve(answer() as T);
    },
    stream: () => Promise.reject(new Error('no watch here')),
    close: () => Promise.resolve(),
  };
  cluster = createCluster(transport, 'tester', {
    cachedObject: () => cached,
    written: (_, { metadata }) => void written.push(metadata.resourceVersion),
  });
});

const refuse = (status: number) => () => {
  throw kubernetesError(status, '', undefined);
};

describe('what a write is answered with', () => {
  it.each<[string, (of: Cluster) => Promise<unknown>, readonly string[]]>([
    ['an apply', (of) => of.apply(things, intent('red')), ['1']],
    ['a status', (of) => of.applyStatus(things, intent('red')), ['1']],
    ['a creation', (of) => of.create(things, intent('red')), ['1']],
    ['a replacement', (of) => of.replace(things, live(0)), ['1']],
    ['a creation that is only tried', (of) => of.create(things, intent('red'), { isDryRun: true }), []],
    ['a read', (of) => of.get(things, key), []],
  ])('is told of: %s', async (_, act, versions) => {
    await act(cluster);
    expect(written).toEqual(versions);
  });
});

describe('what an apply sends', () => {
  it('is a forced server-side apply of the whole intent by the field manager', async () => {
    await cluster.apply(things, intent('red'));
    expect(calls).toEqual([
      {
        method: 'PATCH',
        path: '/apis/test.io/v1/namespaces/a/things/x?fieldManager=tester&force=true',
        contentType: 'application/apply-patch+yaml',
        body: withHash(intent('red')),
      },
    ]);
  });

  it('goes to the status part when it is about status', async () => {
    await cluster.applyStatus(things, intent('red'));
    expect(calls[0]?.path).toBe('/apis/test.io/v1/namespaces/a/things/x/status?fieldManager=tester&force=true');
  });
});

describe('an apply is sent only when something would change', () => {
  /** The object as the client's apply of this colour leaves it. */
  const applied = (version: number, colour: string): KubernetesObject => {
    const object = withHash(intent(colour));
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  };

  it.each<[sentence: string, cached: KubernetesObject | undefined, methods: readonly string[]]>([
    ['a new client sends nothing when the cache shows what it wants', applied(1, 'red'), []],
    ['whoever wrote it, and however often', applied(99, 'red'), []],
    ['another value is sent', applied(1, 'blue'), ['PATCH']],
    ['an object without the hash is sent', { ...applied(1, 'red'), metadata: live(1).metadata }, ['PATCH']],
    ['an object that the cache does not show is sent', undefined, ['PATCH']],
  ])('%s', async (_, seen, methods) => {
    cached = seen;
    await cluster.apply(things, intent('red'));
    expect(calls.map(({ method }) => method)).toEqual(methods);
  });

  it('what was left out answers with the live object', async () => {
    cached = applied(1, 'red');
    expect(await cluster.apply(things, intent('red'))).toBe(cached);
  });

  it('a client without caches sends every apply, as it cannot know', async () => {
    const blind = createCluster(transport, 'tester');
    for (let round = 0; round < 2; round += 1) await blind.apply(things, intent('red'));
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it.each<[sentence: string, read: KubernetesObject | null | undefined, methods: readonly string[]]>([
    ['an object of a kind that is not cached is read first', undefined, ['GET']],
    ['and not when the caller has just read it', applied(1, 'red'), []],
    ['and not when the caller has just seen that there is none', null, ['PATCH']],
  ])('%s', async (_, read, methods) => {
    cached = notCached;
    answer = () => applied(1, 'red');
    await cluster.apply(things, intent('red'), read === undefined ? {} : { live: read });
    expect(calls.map(({ method }) => method)).toEqual(methods);
  });

  it('an object that was removed is applied anew, though the cache still shows it', async () => {
    cached = applied(1, 'red');
    await cluster.remove(things, key);
    await cluster.apply(things, intent('red'));
    expect(calls.map(({ method }) => method)).toEqual(['DELETE', 'PATCH']);
    cached = applied(2, 'red');
    await cluster.apply(things, intent('red'));
    expect(calls.length).toBe(2);
  });

  it('a status is compared with the status of the object', async () => {
    const wanted = { ...intent('red'), spec: undefined, status: { state: 'Live' } };
    cached = { ...live(1), status: { state: 'Live' } } as KubernetesObject;
    await cluster.applyStatus(things, wanted);
    expect(calls).toEqual([]);
    cached = { ...live(2), status: { state: 'Live', since: 'then' } } as KubernetesObject;
    await cluster.applyStatus(things, wanted);
    expect(calls.length).toBe(1);
  });
});

describe('what is not there', () => {
  it('is undefined to a reader', async () => {
    answer = refuse(404);
    expect(await cluster.get(things, key)).toBeUndefined();
  });

  it('cannot be removed, which is no fault', async () => {
    answer = refuse(404);
    expect(await cluster.remove(things, key)).toBe(false);
  });

  it.each([403, 409, 500])('is not what status %i means', async (status) => {
    answer = refuse(status);
    await expect(cluster.get(things, key)).rejects.toMatchObject({ status });
    await expect(cluster.remove(things, key)).rejects.toMatchObject({ status });
  });
});

describe('other calls', () => {
  it('a removal carries its preconditions and leaves children to garbage collection', async () => {
    expect(await cluster.remove(things, key, { uid: 'u', resourceVersion: '7' })).toBe(true);
    expect(calls[0]).toMatchObject({
      method: 'DELETE',
      path: '/apis/test.io/v1/namespaces/a/things/x',
      body: { propagationPolicy: 'Background', preconditions: { uid: 'u', resourceVersion: '7' } },
    });
  });

  it.each([
    ['create', 'POST', '/apis/test.io/v1/namespaces/a/things?fieldManager=tester'],
    ['replace', 'PUT', '/apis/test.io/v1/namespaces/a/things/x?fieldManager=tester'],
    ['replaceStatus', 'PUT', '/apis/test.io/v1/namespaces/a/things/x/status?fieldManager=tester'],
  ] as const)('%s is a %s that nothing leaves out', async (verb, method, path) => {
    await cluster[verb](things, intent('red'));
    await cluster[verb](things, intent('red'));
    expect(calls.map((call) => [call.method, call.path])).toEqual([
      [method, path],
      [method, path],
    ]);
  });

  it('answers lose managedFields', async () => {
    answer = () => ({ metadata: { ...key, managedFields: [{}] } });
    expect(await cluster.get(things, key)).toEqual({ apiVersion: 'test.io/v1', kind: 'Thing', metadata: key });
  });
});
