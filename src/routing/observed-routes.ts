import type { Cache, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { ObservedRoute, RouteImplementation } from './route-port.ts';
import { partsOf, suffixesOf, suffixOf } from './route-port.ts';

/** Where an object of a route is. */
export interface RouteObjectKey {
  /** name of its kind's cache */
  readonly name: string;
  readonly key: ObjectKey;
  /** the hostname's own name (childName), which the object's name is or begins with */
  readonly ofHostname: string;
}

/** The routes in the cluster, by hostname. */
export interface ObservedRoutes {
  /** undefined when the hostname has no route in this namespace */
  get(namespace: string, hostname: string): ObservedRoute | undefined;
  /** The keys of all routes' objects; unpacks nothing. */
  keys(): Iterable<RouteObjectKey>;
  /** The keys of all objects in the cache of this name; none where routes have none of its kind. Unpacks nothing. */
  keysIn(name: string): Iterable<ObjectKey>;
  /** The object with this key in the cache of this name, if there is one. */
  objectIn(name: string, key: ObjectKey): KubernetesObject | undefined;
  /** The same, or only its head, where its kind has one; then it unpacks nothing. */
  headIn(name: string, key: ObjectKey): KubernetesObject | undefined;
}

/** Reads routes from the caches of their kinds. */
export function observedRoutes(
  implementation: RouteImplementation,
  cacheOf: (name: string) => Pick<Cache<KubernetesObject>, 'get' | 'headOf' | 'keys'>,
): ObservedRoutes {
  const caches = new Map(Object.keys(implementation.kinds).map((name) => [name, cacheOf(name)]));
  return {
    get(namespace, hostname) {
      const parts = partsOf(implementation, namespace, hostname);
      const objects = parts.flatMap(({ cache, key }) => caches.get(cache)?.get(key) ?? []);
      if (objects.length === 0) return undefined;
      const [backend, secretName] = [implementation.backendOf(objects), implementation.secretOf(objects)];
      return Object.freeze({ objects, backend, secretName });
    },
    *keys() {
      for (const [name, cache] of caches) {
        const kind = implementation.kinds[name];
        const suffixes = kind ? suffixesOf(kind) : [];
        for (const key of cache.keys()) {
          const { length } = suffixOf(key.name, suffixes);
          yield { name, key, ofHostname: key.name.slice(0, key.name.length - length) };
        }
      }
    },
    keysIn: (name) => caches.get(name)?.keys() ?? [],
    objectIn: (name, key) => caches.get(name)?.get(key),
    headIn: (name, key) => caches.get(name)?.headOf(key),
  };
}
