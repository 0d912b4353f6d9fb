import { beforeEach, describe, expect, it } from '@jest/globals';
import { createCluster } from '../../../src/kube/client.ts';
import { KubeError } from '../../../src/kube/errors.ts';
import { collectionPath, objectPath, query } from '../../../src/kube/paths.ts';
import type { Cluster, Kind, KubeObject } from '../../../src/kube/port.ts';
import type { Call, Transport } from '../../../src/kube/transport.ts';

const thing: Kind = { apiVersion: 'test.io/v1', kind: 'Thing', plural: 'things', namespaced: true };
const intent = { apiVersion: 'test.io/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'n' }, spec: { x: 1 } };

let calls: Call[];
let version: number;
let live: KubeObject | undefined;
let cluster: Cluster;
let refusal: KubeError | null;

const stored = (at: number): KubeObject => ({
  ...intent,
  metadata: { ...intent.metadata, uid: 'u', resourceVersion: String(at) },
});

beforeEach(() => {
  calls = [];
  version = 1;
  live = undefined;
  refusal = null;
  const transport: Transport = {
    call(call) {
      calls.push(call);
      return refusal ? Promise.reject(refusal) : Promise.resolve(stored(version) as never);
    },
    stream: () => Promise.reject(new Error('no watches here')),
    close: () => Promise.resolve(),
  };
  cluster = createCluster(transport, 'tester', () => live);
});

describe('an apply that would change nothing is not sent', () => {
  it('the first one is sent, forced and under our field manager', async () => {
    await cluster.apply(thing, intent);
    expect(calls[0]).toMatchObject({
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      path: '/apis/test.io/v1/namespaces/n/things/a?fieldManager=tester&force=true',
    });
  });

  it('the same intent on the version it left behind is left out', async () => {
    await cluster.apply(thing, intent);
    live = stored(1);
    expect((await cluster.apply(thing, intent)).metadata.resourceVersion).toBe('1');
    expect(calls.length).toBe(1);
  });

  it.each<[string, () => void, object]>([
    ['another intent is sent', () => (live = stored(1)), { ...intent, spec: { x: 2 } }],
    ['the same intent is sent when somebody changed the object since', () => (live = stored(2)), intent],
    ['the same intent is sent when the cache does not show the object', () => (live = undefined), intent],
  ])('%s', async (_, meanwhile, next) => {
    await cluster.apply(thing, intent);
    meanwhile();
    await cluster.apply(thing, next as typeof intent);
    expect(calls.length).toBe(2);
  });

  it('object and status are remembered apart', async () => {
    await cluster.apply(thing, intent);
    live = stored(1);
    await cluster.applyStatus(thing, intent);
    expect(calls[1]?.path).toContain('/things/a/status?');
  });

  it('a refused apply is not remembered', async () => {
    refusal = new KubeError({ status: 422, reason: 'Invalid', message: 'no', retryAfterMs: null });
    await expect(cluster.apply(thing, intent)).rejects.toThrow('422');
    refusal = null;
    live = stored(1);
    await cluster.apply(thing, intent);
    expect(calls.length).toBe(2);
  });
});

describe('reading and removing', () => {
  it('an object that is not there is undefined, other refusals are thrown', async () => {
    refusal = new KubeError({ status: 404, reason: 'NotFound', message: '', retryAfterMs: null });
    expect(await cluster.get(thing, { namespace: 'n', name: 'a' })).toBeUndefined();
    expect(await cluster.remove(thing, { namespace: 'n', name: 'a' })).toBe(false);
    refusal = new KubeError({ status: 403, reason: 'Forbidden', message: '', retryAfterMs: null });
    await expect(cluster.get(thing, { namespace: 'n', name: 'a' })).rejects.toThrow('403');
  });

  it('removal carries its preconditions', async () => {
    await cluster.remove(thing, { namespace: 'n', name: 'a' }, { uid: 'u', resourceVersion: '3' });
    expect(calls[0]).toMatchObject({
      method: 'DELETE',
      body: { preconditions: { uid: 'u', resourceVersion: '3' }, propagationPolicy: 'Background' },
    });
  });
});

describe('paths', () => {
  const core: Kind = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
  it.each([
    ['a core kind', objectPath(core, { namespace: '', name: 'a' }), '/api/v1/namespaces/a'],
    ['a kind of a group', objectPath(thing, { namespace: 'n', name: 'a' }), '/apis/test.io/v1/namespaces/n/things/a'],
    ['all namespaces', collectionPath(thing), '/apis/test.io/v1/things'],
    [
      'a name with a slash in it cannot leave its place',
      objectPath(thing, { namespace: 'n', name: '../x' }),
      '/apis/test.io/v1/namespaces/n/things/..%2Fx',
    ],
    ['only what is set', query({ a: 1, b: undefined, c: true }), '?a=1&c=true'],
    ['nothing', query({ a: undefined }), ''],
  ])('%s', (_, path, wanted) => {
    expect(path).toBe(wanted);
  });

  it('a namespaced object without a namespace, or an object without a name, has no path', () => {
    expect(() => objectPath(thing, { namespace: '', name: 'a' })).toThrow('needs a namespace');
    expect(() => objectPath(core, { namespace: '', name: '' })).toThrow('without a name');
  });
});
