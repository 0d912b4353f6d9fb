import type { KubernetesObject } from './kubernetes-port.ts';
import type { Store } from './store.ts';

/**
 * Counts the objects of a store by class. The counts are updated with every change, so reading them costs nothing; the
 * store must be empty at first. `zeros`: classes that are listed even without an object.
 */
export function maintainClassCounts<T extends KubernetesObject>(
  store: Pick<Store<T>, 'subscribe'>,
  classesOf: (object: T) => readonly string[],
  zeros: readonly string[],
): () => ReadonlyMap<string, number> {
  const counts = new Map<string, number>(zeros.map((key) => [key, 0]));
  const kept = new Set(zeros);
  const count = (object: T | undefined, step: 1 | -1) => {
    for (const key of object === undefined ? [] : classesOf(object)) {
      const now = (counts.get(key) ?? 0) + step;
      if (now === 0 && !kept.has(key)) counts.delete(key);
      else counts.set(key, now);
    }
  };
  store.subscribe(({ type, object, previous }) => {
    count(previous, -1);
    count(object, type === 'deleted' ? -1 : 1);
  });
  return () => counts;
}
