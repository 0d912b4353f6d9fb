import { createBoundedMap } from '../lib/bounded-map.ts';
import { hashOf } from './applied-intent.ts';
import type { Intent, KubernetesObject } from './kubernetes-port.ts';

/**
 * Intents that the kube-apiserver stores in another form (a quantity, a default within a list), so that the object never
 * equals them: by path, with the version that applying them gave. They are sent again only after the object has changed.
 */
export interface NormalisedIntents {
  has(path: string, intent: Intent, live: KubernetesObject): boolean;
  add(path: string, intent: Intent, answer: KubernetesObject): void;
}

/** No kind that we apply is stored in another form today, so few paths are enough for what a new Kubernetes may bring. */
const remembered = 1_000;

export function createNormalisedIntents(): NormalisedIntents {
  const versions = createBoundedMap<{ readonly hash: string; readonly version: string | undefined }>(remembered);
  return {
    has(path, intent, live) {
      const before = versions.get(path);
      return before?.version === live.metadata.resourceVersion && before?.hash === hashOf(intent);
    },
    add: (path, intent, { metadata }) =>
      versions.set(path, { hash: hashOf(intent), version: metadata.resourceVersion }),
  };
}
