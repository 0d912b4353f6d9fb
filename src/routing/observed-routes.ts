import type { Cache, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { childName } from '../rules/dns-target.ts';
import type { ObservedRoute, RouteImplementation } from './route-port.ts';

/** The routes that stand in the cluster, by the hostname that they are for. */
export interface ObservedRoutes {
  /** undefined where nothing stands for the hostname in this namespace */
  get(namespace: string, hostname: string): ObservedRoute | undefined;
  /** Every object of any route, with the name of its cache. */
  list(): Iterable<{ readonly name: string; readonly object: KubernetesObject }>;
  /** One of them by the name of its cache and its key; undefined where there is none. */
  objectIn(name: string, key: ObjectKey): KubernetesObject | undefined;
}

/** Routes as the caches of their kinds show them. */
export function observedRoutes(
  implementation: RouteImplementation,
  cacheOf: (name: string) => Pick<Cache<KubernetesObject>, 'get' | 'list'>,
): ObservedRoutes {
  const caches = new Map(Object.keys(implementation.kinds).map((name) => [name, cacheOf(name)]));
  return {
    get(namespace, hostname) {
      const name = childName(hostname);
      const objects = [...caches.values()].flatMap((cache) => cache.get({ namespace, name }) ?? []);
      return objects.length === 0 ? undefined : Object.freeze({ objects, backend: implementation.backendOf(objects) });
    },
    *list() {
      for (const [name, cache] of caches) for (const object of cache.list()) yield { name, object };
    },
    objectIn: (name, key) => caches.get(name)?.get(key),
  };
}
