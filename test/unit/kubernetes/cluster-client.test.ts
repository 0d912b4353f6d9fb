import { beforeEach, describe, expect, it } from '@jest/globals';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
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
let cached: KubernetesObject | undefined;
let cluster: Cluster;

beforeEach(() => {
  calls = [];
  cached = undefined;
  answer = () => live(1);
  const transport: Transport = {
    async call<T>(call: Call) {
      calls.push(call);
      return Promise.resolve(answer() as T);
    },
    stream: () => Promise.reject(new Error('no watch here')),
    close: () => Promise.resolve(),
  };
  cluster = createCluster(transport, 'tester', () => cached);
});

const refuse = (status: number) => () => {
  throw kubernetesError(status, '', undefined);
};

describe('what an apply sends', () => {
  it('is a forced server-side apply of the whole intent by the field manager', async () => {
    await cluster.apply(things, intent('red'));
    expect(calls).toEqual([
      {
        method: 'PATCH',
        path: '/apis/test.io/v1/namespaces/a/things/x?fieldManager=tester&force=true',
        contentType: 'application/apply-patch+yaml',
        body: intent('red'),
      },
    ]);
  });

  it('goes to the status part when it is about status', async () => {
    await cluster.applyStatus(things, intent('red'));
    expect(calls[0]?.path).toBe('/apis/test.io/v1/namespaces/a/things/x/status?fieldManager=tester&force=true');
  });
});

describe('an apply is sent only when something may change', () => {
  /** Applies red at version 1; then the cache shows `seen`, and `then` is applied: how many requests was that? */
  const requestsFor = async (seen: number | undefined, then: string) => {
    await cluster.apply(things, intent('red'));
    cached = seen === undefined ? undefined : live(seen);
    await cluster.apply(things, intent(then));
    return calls.length;
  };

  it.each([
    ['the same intent on the version it ended with is not sent', 1, 'red', 1],
    ['the same intent on a version that somebody else made is sent', 2, 'red', 2],
    ['another intent is sent', 1, 'blue', 2],
    ['an object the cache does not show (yet, or any more) is sent', undefined, 'red', 2],
  ])('%s', async (_, seen, then, requests) => {
    expect(await requestsFor(seen, then)).toBe(requests);
  });

  it('what was left out answers with the live object', async () => {
    await requestsFor(1, 'red');
    expect(await cluster.apply(things, intent('red'))).toBe(cached);
  });

  it('an intent that was applied before the last one is sent again', async () => {
    await requestsFor(1, 'blue');
    await cluster.apply(things, intent('red'));
    expect(calls.length).toBe(3);
  });

  it('an apply that failed is sent again', async () => {
    cached = live(1);
    answer = refuse(500);
    await expect(cluster.apply(things, intent('red'))).rejects.toMatchObject({ status: 500 });
    answer = () => live(1);
    await cluster.apply(things, intent('red'));
    expect(calls.length).toBe(2);
  });

  it('status and the rest are remembered apart', async () => {
    await requestsFor(1, 'red');
    await cluster.applyStatus(things, intent('red'));
    expect(calls.length).toBe(2);
  });

  it('status and the rest applied in turn come to rest, though each moves the version of the other', async () => {
    let version = 0;
    const contents = new Map<string, string>();
    answer = () => {
      const { path = '', body } = calls.at(-1) ?? {};
      const text = JSON.stringify(body);
      if (contents.get(path) !== text) version += 1;
      contents.set(path, text);
      cached = live(version);
      return cached;
    };
    for (let round = 0; round < 5; round += 1) {
      await cluster.apply(things, intent('red'));
      await cluster.applyStatus(things, intent('green'));
    }
    expect(version).toBe(2);
    expect(calls.length).toBe(3);
  });

  it('an object that was removed is applied anew, though the cache still shows it', async () => {
    await cluster.apply(things, intent('red'));
    cached = live(1);
    await cluster.remove(things, key);
    await cluster.apply(things, intent('red'));
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'DELETE', 'PATCH']);
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
