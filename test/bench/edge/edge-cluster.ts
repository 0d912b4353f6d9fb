import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adminToken, createBulkApi } from '../../../dev/campaigns/bulk.ts';
import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { ControlPlane } from '../../../dev/platform/control-plane.ts';
import { startControlPlane } from '../../../dev/platform/control-plane.ts';
import { createClusterClient } from '../../../dev/platform/cluster-client.ts';
import type { Around } from '../../../dev/platform/services.ts';
import { installCertManagerKinds } from '../../../dev/platform/services.ts';
import type { Tools } from '../../../dev/platform/tools.ts';
import type { CallEtcd } from './etcd-json.ts';
import { etcdAt } from './etcd-json.ts';

/** etcd and kube-apiserver with cert-manager's definitions, on a copy of an earlier etcd if one is given. */
export interface EdgeCluster {
  readonly around: Around;
  readonly controlPlane: ControlPlane;
  readonly api: BulkApi;
  readonly etcd: CallEtcd;
  /** Stops etcd and kube-apiserver and copies etcd's folder. */
  stopAndKeep(etcd: string): Promise<void>;
  stop(): Promise<void>;
}

export interface EdgeClusterOptions {
  readonly tools: Tools;
  readonly corner: Corner;
  /** etcd's folder to begin with; null for an empty cluster. Written at the same corner. */
  readonly etcd: string | null;
}

/**
 * Without a kube-controller-manager: it would bring every namespace's ServiceAccount and authority up to date first, as
 * each run has keys of its own, for minutes and beside what is measured.
 */
export async function startEdgeCluster({ tools, corner, etcd }: EdgeClusterOptions): Promise<EdgeCluster> {
  const dir = temporaryFolder('edge');
  const etcdDir = join(dir, 'etcd');
  if (etcd) cpSync(etcd, etcdDir, { recursive: true });
  const controlPlane = await startControlPlane({ dir, tools, corner, node: false });
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  try {
    await controlPlane.parts.controllerManager.stop();
    const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
    await installCertManagerKinds(kubectl);
    const { server, caFile, kubeconfig } = controlPlane;
    const api = createBulkApi(server, { caFile, token: await adminToken(kubectl) });
    const stop = async () => {
      api.close();
      await controlPlane.stop();
    };
    return {
      around: { dir, tools, corner, kubeconfig, kubectl },
      controlPlane,
      api,
      etcd: etcdAt(corner.address),
      async stopAndKeep(kept) {
        await stop();
        cpSync(etcdDir, kept, { recursive: true });
        remove();
      },
      async stop() {
        await stop();
        remove();
      },
    };
  } catch (error) {
    await controlPlane.stop();
    remove();
    throw error;
  }
}
