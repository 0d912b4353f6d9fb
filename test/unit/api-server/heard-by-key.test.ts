import { describe, expect, it } from '@jest/globals';
import { heardByKey } from '../../../src/api-server/heard-by-key.ts';
import type { KubeObject } from '../../../src/kube/port.ts';
import { createStore } from '../../../src/kube/store.ts';

const object = (name: string, resourceVersion: string, namespace?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
});

function storeOf() {
  return heardByKey(
    createStore<KubeObject>({}, (error) => {
      throw error;
    }),
  );
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
