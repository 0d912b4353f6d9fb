import { createCluster } from '../../src/kubernetes/cluster-client.ts';
import { connect } from '../../src/kubernetes/connection.ts';
import type { Cluster } from '../../src/kubernetes/kubernetes-port.ts';
import { observed } from '../../src/kubernetes/observed-transport.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createTimeSlices } from '../../src/lib/time-slices.ts';
import { untilListed } from '../../src/operator/operator-readiness.ts';
import { createOperatorStores } from '../../src/operator/operator-stores.ts';
import { operatorCachedObject, operatorWritten, startOperatorWatches } from '../../src/operator/operator-watches.ts';
import { ingressControllers } from '../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../src/routing/ingress/ingress-routes.ts';

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * Lets `work` use the operator's client as it is after a start: its caches filled from the cluster, and nothing remembered.
 * Gives the writes that the kube-apiserver answered meanwhile, such as `patch ingresses: 2xx`.
 */
export async function writesOfFreshClient(
  kubeconfig: string,
  work: (cluster: Cluster) => Promise<unknown>,
): Promise<readonly string[]> {
  const ending = new AbortController();
  const written: string[] = [];
  const note = (request: { readonly verb: string; readonly resource: string; readonly code: string }) => {
    if (!reads.has(request.verb)) written.push(`${request.verb} ${request.resource}: ${request.code}`);
  };
  const transport = observed(createTransport(await connect(kubeconfig)), note, systemClock.elapsed);
  const routes = createIngressRoutes({ className: 'nginx', controller: ingressControllers.Other });
  const fail = (error: unknown) => {
    throw error;
  };
  const stores = createOperatorStores(routes, fail);
  const slices = createTimeSlices(systemClock.elapsed);
  const options = { transport, log: silentLog, clock: systemClock, slices };
  const reflectors = startOperatorWatches({ routes, stores }, options, ending.signal);
  try {
    await Promise.all([...reflectors.values()].map(({ synced }) => synced));
    await untilListed(reflectors);
    const cachedObject = operatorCachedObject({ routes, stores });
    await work(
      createCluster(transport, 'projectdomain-operator', {
        cachedObject,
        written: operatorWritten(routes, () => reflectors),
      }),
    );
    return written;
  } finally {
    ending.abort();
    await Promise.all([...reflectors.values()].map(({ stopped }) => stopped));
    await transport.close();
  }
}
