import { describe, expect, it } from '@jest/globals';
import { appliedHashAnnotation, isApplied, isStatusApplied, withHash } from '../../../src/kubernetes/applied-intent.ts';
import type { Intent, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';

/** Objects as a kube-apiserver answers them: with what others and its own defaults put beside our fields. */

const owner = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u-o' };
const other = { apiVersion: 'v1', kind: 'Other', name: 'x', uid: 'u-x' };
const intent: Intent = {
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: {
    name: 'x',
    namespace: 'a',
    labels: { ours: 'yes', 'app.kubernetes.io/managed-by': 'us', 'projectdomain.io/managed': 'true' },
    ownerReferences: [owner],
  },
  spec: {
    colour: 'red',
    size: { width: 1, height: 2 },
    rules: [
      { host: 'a', paths: ['/'] },
      { host: 'b', paths: [] },
    ],
    ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
    none: [],
  },
};

type Change = (object: Draft) => void;
interface Draft {
  metadata: Record<string, unknown>;
  spec: {
    colour?: string;
    size: Record<string, number>;
    rules: Record<string, unknown>[];
    ports: Record<string, unknown>[];
    none?: unknown;
    [more: string]: unknown;
  };
}

/** The object after the intent was applied, and then changed. */
function live(change: Change = () => undefined): KubernetesObject {
  const object = structuredClone(withHash(intent)) as unknown as Draft;
  Object.assign(object.metadata, { uid: 'u', resourceVersion: '7', generation: 1 });
  change(object);
  return object as unknown as KubernetesObject;
}

describe('an apply', () => {
  it.each<[sentence: string, change: Change]>([
    ['has nothing to do on the object that it made', () => undefined],
    ['leaves defaults beside its fields alone', ({ spec }) => void (spec.defaulted = 'by the server')],
    [
      'leaves labels of others alone',
      ({ metadata }) => void Object.assign(metadata.labels as object, { theirs: 'too' }),
    ],
    [
      'leaves the labels that people list by as somebody else has set them',
      ({ metadata }) =>
        void Object.assign(metadata.labels as object, {
          'app.kubernetes.io/managed-by': 'policies',
          'projectdomain.io/managed': 'no',
        }),
    ],
    ['makes nothing of it that somebody has taken them', ({ metadata }) => void (metadata.labels = { ours: 'yes' })],
    ['finds its owner by uid among others', ({ metadata }) => void (metadata.ownerReferences = [other, owner])],
    [
      'finds its port by number and protocol, with the node port it was given',
      ({ spec }) =>
        void (spec.ports = [
          { port: 90, protocol: 'TCP' },
          { port: 80, protocol: 'TCP', targetPort: 8080, nodePort: 30000 },
        ]),
    ],
    ['takes an empty list that was left out for an empty list', ({ spec }) => void delete spec.none],
    ['takes an empty list that came back as null for an empty list', ({ spec }) => void (spec.none = null)],
  ])('%s', (_, change) => {
    expect(isApplied(intent, live(change))).toBe(true);
  });

  it.each<[sentence: string, change: Change]>([
    ['mends a value that somebody changed', ({ spec }) => void (spec.colour = 'blue')],
    ['mends a field that somebody removed', ({ spec }) => void delete spec.colour],
    ['mends a field within a field', ({ spec }) => void (spec.size.width = 9)],
    ['mends a label that somebody removed', ({ metadata }) => void (metadata.labels = {})],
    ['mends a missing owner', ({ metadata }) => void (metadata.ownerReferences = [other])],
    [
      'mends a changed owner',
      ({ metadata }) => void (metadata.ownerReferences = [{ ...owner, controller: true, name: 'n' }]),
    ],
    ['mends a changed item of a list', ({ spec }) => void (spec.rules[0] = { host: 'evil', paths: ['/'] })],
    [
      'takes an added item out of a list that is its own as a whole',
      ({ spec }) => void spec.rules.push({ host: 'c', paths: [] }),
    ],
    ['takes an added field out of such a list', ({ spec }) => void Object.assign(spec.rules[0] ?? {}, { extra: 1 })],
    ['mends the order of such a list', ({ spec }) => void spec.rules.reverse()],
    ['mends a port', ({ spec }) => void (spec.ports = [{ port: 80, protocol: 'TCP', targetPort: 1 }])],
    [
      'does not take the port of another protocol for its own',
      ({ spec }) => void (spec.ports = [{ port: 80, protocol: 'UDP', targetPort: 8080 }]),
    ],
    ['empties a list that was filled', ({ spec }) => void (spec.none = ['x'])],
    ['mends a map that has become a text', ({ spec }) => void (spec.size = 'big' as never)],
    ['mends a list that has become a map', ({ spec }) => void (spec.rules = {} as never)],
  ])('%s', (_, change) => {
    expect(isApplied(intent, live(change))).toBe(false);
  });

  it.each<[sentence: string, before: Intent]>([
    [
      'takes out a field that an earlier version applied',
      { ...intent, spec: { ...(intent.spec as object), gone: 'x' } },
    ],
    [
      'takes out a label that an earlier version applied',
      { ...intent, metadata: { ...intent.metadata, labels: { ours: 'yes', old: 'x' } } },
    ],
  ])('%s: every field of today is there, and the hash tells', (_, before) => {
    expect(isApplied(intent, withHash(before))).toBe(false);
  });

  it('knows nothing of the fields that were applied before there was a hash', () => {
    expect(isApplied(intent, intent)).toBe(false);
  });

  it('says the same of the same intent with its keys in another order', () => {
    const reordered = {
      spec: { ...(intent.spec as object) },
      metadata: intent.metadata,
      kind: 'Thing',
      apiVersion: 'test.io/v1',
    };
    expect(isApplied(reordered, live())).toBe(true);
  });

  it('of another object under the same name is sent, and refused there', () => {
    expect(isApplied({ ...intent, metadata: { ...intent.metadata, uid: 'former' } }, live())).toBe(false);
  });

  it("of metadata only puts no hash on somebody else's object, and is done when the metadata is there", () => {
    const reference = {
      apiVersion: 'test.io/v1',
      kind: 'Thing',
      metadata: { name: 'x', namespace: 'a', ownerReferences: [owner] },
    };
    expect(withHash(reference)).toEqual(reference);
    expect(isApplied(reference, live())).toBe(true);
    expect(
      isApplied(
        reference,
        live(({ metadata }) => void delete metadata.ownerReferences),
      ),
    ).toBe(false);
  });

  it('carries its hash beside its other annotations, without changing what it was given', () => {
    const annotated = { ...intent, metadata: { ...intent.metadata, annotations: { mine: 'x' } } };
    expect(withHash(annotated).metadata.annotations).toEqual({
      mine: 'x',
      [appliedHashAnnotation]: expect.any(String),
    });
    expect(annotated.metadata.annotations).toEqual({ mine: 'x' });
  });
});

describe('a status', () => {
  const condition = (type: string, status = 'True') => ({ type, status });
  const status = { state: 'Live', conditions: [condition('A'), condition('B')], check: { at: 'now' } };
  const wanted = { apiVersion: 'test.io/v1', kind: 'Thing', metadata: { name: 'x', uid: 'u' }, status };
  const seen = (change: object) => ({
    ...wanted,
    metadata: { ...wanted.metadata, resourceVersion: '7' },
    status: { ...status, ...change },
  });

  it.each<[sentence: string, change: object, same: boolean]>([
    ['is left as it is when it is the same', {}, true],
    ['is the same with its conditions in another order', { conditions: [condition('B'), condition('A')] }, true],
    ['follows a value', { state: 'Degraded' }, false],
    ['follows a condition', { conditions: [condition('A', 'False'), condition('B')] }, false],
    [
      'loses a condition that it no longer has',
      { conditions: [condition('A'), condition('B'), condition('C')] },
      false,
    ],
    ['loses a field that it no longer has', { since: 'then' }, false],
    ['loses a field within a field', { check: { at: 'now', by: 'then' } }, false],
    ['gains a field', { check: {} }, false],
  ])('%s', (_, change, same) => {
    expect(isStatusApplied(wanted, seen(change))).toBe(same);
  });

  it('is written where there is none', () => {
    expect(isStatusApplied(wanted, { ...wanted, status: undefined } as KubernetesObject)).toBe(false);
  });

  it('of another object under the same name is sent, and refused there', () => {
    expect(isStatusApplied({ ...wanted, metadata: { name: 'x', uid: 'former' } }, seen({}))).toBe(false);
  });
});
