import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adminToken, createBulkApi } from '../../../dev/campaigns/bulk.ts';
import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { ControlPlane } from '../../../dev/platform/control-plane.ts';
import { startControlPlane } from '../../../dev/platform/control-plane.ts';
import { createKubectl } from '../../../dev/platform/kubectl.ts';
import type { Around } from '../../../dev/platform/services.ts';
import { installCertManagerKinds } from '../../../dev/platform/services.ts';
import type { Tools } from '../../../dev/platform/tools.ts';

/** etcd and kube-apiserver with cert-manager's definitions, on a copy of an earlier etcd if one is given. */
export interface EdgeCluster {
  readonly around: Around;
  readonly controlPlane: ControlPlane;
  readonly api: BulkApi;
  /** What etcd holds, bytes: its file, and what of it is in use. */
  databaseBytes(): Promise<{ readonly file: number; readonly inUse: number }>;
  /** How often anything has been written since the cluster was made. */
  revision(): Promise<number>;
  /** Forgets all but the newest version of every object, and gives the room back to the disk. */
  compact(): Promise<void>;
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

const etcdPort = 2_379;

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
    const kubectl = createKubectl(tools.kubectl, controlPlane.kubeconfig);
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
    await installCertManagerKinds(kubectl);
    const { server, caFile, kubeconfig } = controlPlane;
    const api = createBulkApi(server, { caFile, token: await adminToken(kubectl) });
    const stop = async () => {
      api.close();
      await controlPlane.stop();
    };
    const etcdUrl = `http://${corner.address}:${etcdPort}`;
    return {
      around: { dir, tools, corner, kubeconfig, kubectl },
      controlPlane,
      api,
      databaseBytes: () => databaseBytes(etcdUrl),
      revision: () => revision(etcdUrl),
      compact: () => compact(etcdUrl),
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

async function databaseBytes(etcdUrl: string) {
  const text = await (await fetch(`${etcdUrl}/metrics`)).text();
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const [file, inUse] = ['', '_in_use'].map((part) => gauge(`etcd_mvcc_db_total_size${part}_in_bytes`));
  return { file: file ?? NaN, inUse: inUse ?? NaN };
}

/** etcd's own API as JSON (grpc-gateway). */
async function callEtcd(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function revision(etcdUrl: string): Promise<number> {
  const key = Buffer.from('/').toString('base64');
  const seen = (await callEtcd(`${etcdUrl}/v3/kv/range`, { key })) as {
    readonly header: { readonly revision: string };
  };
  return Number(seen.header.revision);
}

async function compact(etcdUrl: string): Promise<void> {
  await callEtcd(`${etcdUrl}/v3/kv/compaction`, { revision: await revision(etcdUrl), physical: true });
  await callEtcd(`${etcdUrl}/v3/maintenance/defragment`, {});
}
