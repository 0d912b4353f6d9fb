import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import { rememberChanges } from '../../../src/operator/changes-since.ts';

const object = (name: string, resourceVersion: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { namespace: 'acme', name, resourceVersion },
});

const failing = (error: unknown) => {
  throw error;
};

function memoryOf(checkpoint: string | null) {
  const things = createStore<KubernetesObject>({}, failing);
  const others = createStore<KubernetesObject>({}, failing);
  return { things, others, changes: rememberChanges({ things, others }, checkpoint) };
}

const named = (changes: readonly { readonly store: string; readonly key: string }[] | null) =>
  changes?.map(({ store, key }) => `${store} ${key}`) ?? null;

describe('a process that knows where its predecessor stopped', () => {
  it('gives what changed after that, of every store, and compares versions as numbers', () => {
    const { things, others, changes } = memoryOf('100');
    things.put(object('old', '99'));
    things.put(object('same', '100'));
    things.put(object('new', '101'));
    others.put(object('other', '1000'));
    expect(named(changes.take())).toEqual(['things acme/new', 'others acme/other']);
  });

  it('gives what went, as it was', () => {
    const { things, changes } = memoryOf('100');
    things.put(object('a', '50'));
    things.drop(object('a', '103'));
    expect(changes.take()).toEqual([{ store: 'things', key: 'acme/a', deleted: object('a', '50') }]);
  });

  it('gives what was missing from a new list, of which nobody told when it went', () => {
    const { things, changes } = memoryOf('100');
    things.put(object('a', '50'));
    things.drop({ metadata: { namespace: 'acme', name: 'a' } });
    expect(named(changes.take())).toEqual(['things acme/a']);
  });

  it('forgets what whoever leads has dealt with meanwhile', () => {
    const { things, changes } = memoryOf('100');
    things.put(object('a', '101'));
    things.put(object('b', '102'));
    things.put(object('gone', '90'));
    things.drop(object('gone', '103'));
    changes.moveTo('102');
    expect(named(changes.take())).toEqual(['things acme/gone']);
  });
});

describe('what went while nobody led', () => {
  it('is given as it first was, though another one of its name came: that one may have another hostname', () => {
    const { things, changes } = memoryOf('100');
    things.put(object('a', '50'));
    things.drop(object('a', '103'));
    things.put(object('a', '104'));
    expect(changes.take()).toEqual([{ store: 'things', key: 'acme/a', deleted: object('a', '50') }]);
  });

  it('is remembered to the end where nobody told when it went', () => {
    const { things, changes } = memoryOf('100');
    things.put(object('a', '50'));
    things.drop({ metadata: { namespace: 'acme', name: 'a' } });
    things.put(object('b', '110'));
    changes.moveTo('110');
    expect(named(changes.take())).toEqual(['things acme/a']);
  });

  it('takes 16 MiB at most, then anything may have changed', () => {
    const { things, changes } = memoryOf('100');
    const annotations = { a: 'x'.repeat(1_000_000) };
    for (let index = 0; index < 18; index += 1) {
      const large = object(`d${index}`, `${10 + index}`);
      things.put({ ...large, metadata: { ...large.metadata, annotations } });
      things.drop(object(`d${index}`, `${200 + index}`));
    }
    expect(changes.take()).toBeNull();
  });
});

describe('anything may have changed', () => {
  it.each<[why: string, happens: (memory: ReturnType<typeof memoryOf>) => void, checkpoint: string | null]>([
    ['without a checkpoint', ({ changes }) => changes.filled('100'), null],
    ['after a checkpoint of another history, as after a restore of etcd', ({ changes }) => changes.moveTo('99'), '100'],
    ['when whoever leads is of other code', ({ changes }) => changes.moveTo(null), '100'],
    [
      'after so many changes that they are not remembered',
      ({ things }) => {
        for (let index = 0; index <= 20_000; index += 1) things.put(object(`t${index}`, String(200 + index)));
      },
      '100',
    ],
    [
      'when the checkpoint is before the complete list from which on changes were remembered',
      ({ changes }) => {
        changes.filled('100');
        changes.moveTo('99');
      },
      null,
    ],
  ])('%s', (_why, happens, checkpoint) => {
    const memory = memoryOf(checkpoint);
    happens(memory);
    expect(memory.changes.take()).toBeNull();
  });
});

describe('a standby that began without a checkpoint', () => {
  it('goes on from the first one after its caches were full', () => {
    const { things, changes } = memoryOf(null);
    things.put(object('before', '90'));
    changes.filled('100');
    things.put(object('a', '101'));
    things.put(object('b', '105'));
    changes.moveTo('103');
    expect(named(changes.take())).toEqual(['things acme/b']);
  });

  it('goes on from a later one after it saw too many changes', () => {
    const { things, changes } = memoryOf('100');
    for (let index = 0; index <= 20_000; index += 1) things.put(object(`t${index}`, String(200 + index)));
    things.put(object('last', '30000'));
    changes.moveTo('29000');
    expect(named(changes.take())).toEqual(['things acme/last']);
  });
});
