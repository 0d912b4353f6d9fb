import { describe, expect, it } from '@jest/globals';
import { withKeyedSubscriptions } from '../../../src/api-server/keyed-subscriptions.ts';
import type { KubernetesObject, IndexFunction } from '../../../src/kubernetes/kubernetes-port.ts';
import { createStore } from '../../../src/kubernetes/store.ts';

const object = (name: string, resourceVersion: string, namespace?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
});

const indexes: Readonly<Record<string, IndexFunction<KubernetesObject & { readonly word?: string }>>> = {
  namespace: ({ metadata }) => [metadata.namespace ?? ''],
  word: ({ word }) => (word === undefined ? [] : [word]),
};

function storeOf() {
  const store = createStore<KubernetesObject & { readonly word?: string }>(indexes, (error) => {
    throw error;
  });
  return withKeyedSubscriptions(store, indexes);
}

describe('a store that is heard object by object', () => {
  it('tells of what happens to the one object, present or not, and of no other', () => {
    const store = storeOf();
    const heard: (string | undefined)[] = [];
    const key = { namespace: 'acme', name: 'shop' };
    store.subscribeTo(key, () => heard.push(store.get(key)?.metadata.resourceVersion));
    store.put(object('shop', '1', 'acme'));
    store.put(object('blog', '2', 'acme'));
    store.put(object('shop', '3', 'other'));
    store.put(object('shop', '4', 'acme'));
    store.drop(object('shop', '4', 'acme'));
    expect(heard).toEqual(['1', '4', undefined]);
  });

  it('knows what has no namespace by its name', () => {
    const store = storeOf();
    let told = 0;
    store.subscribeTo({ namespace: '', name: 'pro' }, () => (told += 1));
    store.put(object('pro', '1'));
    expect(told).toBe(1);
  });

  it('tells whoever hears a group of what comes to it, changes in it and leaves it, and of nothing else', () => {
    const store = storeOf();
    const heard: string[] = [];
    const end = store.subscribeUnder('namespace', 'acme', ({ type, object: { metadata } }) => {
      heard.push(`${type} ${metadata.name}`);
    });
    store.put(object('shop', '1', 'acme'));
    store.put(object('shop', '2', 'other'));
    store.put(object('blog', '3', 'acme'));
    store.put(object('shop', '4', 'acme'));
    store.drop(object('blog', '3', 'acme'));
    end();
    store.put(object('shop', '5', 'acme'));
    expect(heard).toEqual(['added shop', 'added blog', 'modified shop', 'deleted blog']);
  });

  it('tells both groups once of what changes from one to the other', () => {
    const store = storeOf();
    const heard: string[] = [];
    for (const word of ['old', 'new']) store.subscribeUnder('word', word, () => heard.push(word));
    store.put({ ...object('shop', '1', 'acme'), word: 'old' });
    store.put({ ...object('shop', '2', 'acme'), word: 'new' });
    expect(heard.toSorted()).toEqual(['new', 'old', 'old']);
  });

  it('knows no group of an index that the store lacks', () => {
    expect(() => storeOf().subscribeUnder('colour', 'blue', () => undefined)).toThrow('no index colour');
  });

  it('counts a listener that is given twice as two, so that ending one leaves the other', () => {
    const store = storeOf();
    let told = 0;
    const listener = () => void (told += 1);
    const key = { namespace: '', name: 'pro' };
    const end = store.subscribeTo(key, listener);
    store.subscribeTo(key, listener);
    end();
    store.put(object('pro', '1'));
    expect(told).toBe(1);
  });

  it('tells nobody who ended it, and everybody else, also when one ends while being told', () => {
    const store = storeOf();
    const heard: string[] = [];
    const key = { namespace: 'acme', name: 'shop' };
    const end = store.subscribeTo(key, () => {
      heard.push('first');
      end();
    });
    store.subscribeTo(key, () => heard.push('second'));
    store.put(object('shop', '1', 'acme'));
    store.put(object('shop', '2', 'acme'));
    expect(heard).toEqual(['first', 'second', 'second']);
  });
});
