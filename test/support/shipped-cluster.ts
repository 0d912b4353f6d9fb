import type { ClusterClient } from '../../dev/platform/cluster-client.ts';
import { createClusterClient } from '../../dev/platform/cluster-client.ts';
import { findTools } from '../../dev/platform/tools.ts';
import { clusterRights } from './actors.ts';
import type { TestControlPlane } from './control-plane.ts';
import { startTestControlPlane } from './control-plane.ts';
import { foreignDefinitions } from './tenant-objects.ts';

/** A real kube-apiserver with what the chart installs when nothing is said. It may be shared with other files. */
export interface ShippedCluster {
  readonly kubectl: ClusterClient;
  stop(): Promise<void>;
}

/** Path of an administrator's kubeconfig. */
const variable = 'PROJECTDOMAIN_SHIPPED_CLUSTER';

/** Whatever is not in a namespace: the chart's rights and policies, other projects' kinds and rights. */
async function furnish({ kubectl, installRights }: TestControlPlane, values: object): Promise<void> {
  await installRights(values);
  await kubectl.apply(...foreignDefinitions, ...clusterRights);
  await kubectl.untilEstablished();
}

/** The cluster that the command started for all of its files, or one of this file's own. */
export async function shippedCluster(): Promise<ShippedCluster> {
  const shared = process.env[variable];
  if (shared === undefined) return startFurnished({});
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  return { kubectl: createClusterClient(tools.kubectl, shared), stop: () => Promise.resolve() };
}

/** Starts one for all files of a run; `env` tells them of it. */
export async function shareShippedCluster(): Promise<{ env: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  const { kubeconfig, stop } = await startFurnished({});
  return { env: { [variable]: kubeconfig }, stop };
}

/** One of a file's own; `values` are the chart's. */
export async function startFurnished(values: object): Promise<TestControlPlane> {
  const controlPlane = await startTestControlPlane();
  try {
    await furnish(controlPlane, values);
    return controlPlane;
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}
