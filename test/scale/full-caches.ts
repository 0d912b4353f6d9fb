import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import { eventually } from '../../dev/lib/eventually.ts';
import type { ScaleCluster } from './scale-cluster.ts';

const kinds = [
  'projectdomain.io/v1alpha1/accounts',
  'projectdomain.io/v1alpha1/projects',
  'projectdomain.io/v1alpha1/projectdomains',
  'projectdomain.io/v1alpha1/hostnameclaims',
  'cert-manager.io/v1/certificates',
  'cert-manager.io/v1/certificaterequests',
  'networking.k8s.io/v1/ingresses',
  'discovery.k8s.io/v1/endpointslices',
];
const withinMs = 900_000;
const pauseMs = 3_000;

/** A stream of all objects is refused until the kube-apiserver has filled its own cache of the kind; of none it is short. */
const query = new URLSearchParams({
  watch: 'true',
  sendInitialEvents: 'true',
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: 'true',
  timeoutSeconds: '1',
  labelSelector: 'projectdomain.io/none=none',
});

/**
 * Resolves once the kube-apiserver has filled its caches of what our processes watch: one that has just begun takes minutes of
 * processor time for very many objects, which say nothing about us.
 */
export async function untilCachesFull({ around: { kubectl } }: ScaleCluster): Promise<void> {
  const ask = async (kind: string) => {
    try {
      await kubectl.run(['get', '--raw', `/apis/${kind}?${query.toString()}`]);
    } catch (error) {
      await sleep(pauseMs);
      throw error;
    }
  };
  const filled = (kind: string) => eventually(`the kube-apiserver has its ${kind}`, withinMs, () => ask(kind));
  await Promise.all(kinds.map(filled));
}

const restingCores = 0.2;
const restsForMs = 3_000;
const restsWithinMs = 60_000;

/** Resolves once the kube-apiserver has little to do: it collects garbage of what it filled its caches from. Waits a minute at most. */
export async function untilAtRest({ controlPlane: { parts } }: ScaleCluster): Promise<void> {
  const deadline = performance.now() + restsWithinMs;
  while (performance.now() < deadline) {
    const used = watchProcessor({ apiServer: parts.apiServer.pid });
    await sleep(restsForMs);
    if ((used().byPart.apiServer ?? 0) < restingCores) return;
  }
}
