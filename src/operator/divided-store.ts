import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Store } from '../kubernetes/store.ts';
import { isChildName } from '../rules/dns-target.ts';

/**
 * One store to the reflector that fills it, and two to everybody else: objects that are named after a hostname of ours in `ours`, all others in `others`. So
 * nothing that looks after our own objects ever meets one of somebody else's.
 */
export function dividedStore<T extends KubernetesObject>(ours: Store<T>, others: Store<T>): Store<T> {
  const storeOf = (name: string): Store<T> => (isChildName(name) ? ours : others);
  return {
    ...ours,
    put: (object) => storeOf(object.metadata.name).put(object),
    drop: (object) => storeOf(object.metadata.name).drop(object),
    holds: (object) => storeOf(object.metadata.name).holds(object),
    get: (key) => storeOf(key.name).get(key),
    has: (key) => storeOf(key.name).has(key),
    *keys() {
      yield* ours.keys();
      yield* others.keys();
    },
    get size() {
      return ours.size + others.size;
    },
  };
}
