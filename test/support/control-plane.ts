import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeCorner } from '../../dev/platform/address.ts';
import { renderClusterParts, systemNamespace } from '../../dev/platform/chart.ts';
import type { ControlPlane } from '../../dev/platform/control-plane.ts';
import { createKubeconfigs, startControlPlane } from '../../dev/platform/control-plane.ts';
import { openPki } from '../../dev/platform/pki.ts';
import type { ClusterClient } from '../../dev/platform/cluster-client.ts';
import { createClusterClient } from '../../dev/platform/cluster-client.ts';
import { findTools } from '../../dev/platform/tools.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';

export const controlPlaneDeadlineMs = 120_000;

const root = join(import.meta.dirname, '../..');
const folderOf = (name: 'crds' | 'config/samples'): string => join(root, name);

/** A real API server that knows our kinds and nothing else of us. */
export interface TestControlPlane {
  readonly kubectl: ClusterClient;
  /** administrator's */
  readonly kubeconfig: string;
  readonly server: string;
  /** of its files */
  readonly dir: string;
  readonly folderOf: typeof folderOf;
  /** Rights and admission policies, as the chart installs them with these values. */
  installRights(values?: object): Promise<void>;
  readonly kubeconfigFor: ControlPlane['kubeconfigFor'];
  readonly parts: ControlPlane['parts'];
  /** The kubeconfig of a ServiceAccount of ours; its rights are those that were installed. */
  kubeconfigOf(serviceAccount: string): Promise<string>;
  stop(): Promise<void>;
}

/** One that other files may use as well: a file keeps to namespaces and hostnames that bear its name, and installs no rights. */
export type SharedControlPlane = Pick<
  TestControlPlane,
  'kubectl' | 'kubeconfig' | 'folderOf' | 'kubeconfigFor' | 'stop'
>;

interface Shared {
  readonly dir: string;
  readonly server: string;
  readonly kubeconfig: string;
}

/** JSON of `Shared`. */
const variable = 'PROJECTDOMAIN_CONTROL_PLANE';

/** The control plane that the command started for all of its files, or one of this file's own. */
export async function sharedControlPlane(): Promise<SharedControlPlane> {
  const shared = process.env[variable];
  if (shared === undefined) return startTestControlPlane();
  const { dir, server, kubeconfig } = JSON.parse(shared) as Shared;
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  const own = temporaryFolder('kubeconfigs');
  const { kubeconfigFor } = createKubeconfigs({ dir: own, server, pki: openPki(join(dir, 'pki'), own) });
  const stop = () => {
    rmSync(own, { recursive: true, force: true });
    return Promise.resolve();
  };
  return { kubectl: createClusterClient(tools.kubectl, kubeconfig), kubeconfig, folderOf, kubeconfigFor, stop };
}

/** Starts one for all files of a run; `env` tells them of it. */
export async function shareControlPlane(): Promise<{ env: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  const { dir, server, kubeconfig, stop } = await startTestControlPlane();
  const shared: Shared = { dir, server, kubeconfig };
  return { env: { [variable]: JSON.stringify(shared) }, stop };
}

/** What was started is stopped again when a later part fails. */
export async function startTestControlPlane(): Promise<TestControlPlane> {
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  const dir = temporaryFolder('control-plane');
  const corner = await takeCorner();
  const clean = () => {
    corner.release();
    rmSync(dir, { recursive: true, force: true });
  };
  const controlPlane = await startControlPlane({ dir, tools, corner, node: false }).catch((error: unknown) => {
    clean();
    throw error;
  });
  const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
  const stop = async () => {
    await controlPlane.stop();
    clean();
  };
  try {
    await kubectl.run(['apply', '--server-side', '-f', folderOf('crds')]);
    await kubectl.untilEstablished();
  } catch (error) {
    await stop();
    throw error;
  }
  const installRights = async (values?: object) => {
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
    await kubectl.run(['apply', '--server-side', '-f', '-'], await renderClusterParts(tools.helm, values));
  };
  const kubeconfigOf = async (serviceAccount: string) => {
    const token = await kubectl.run(['create', 'token', serviceAccount, '-n', systemNamespace, '--duration=24h']);
    return controlPlane.kubeconfigWith(serviceAccount, token.trim());
  };
  const { kubeconfig, server, kubeconfigFor, parts } = controlPlane;
  return { kubectl, kubeconfig, server, dir, folderOf, installRights, kubeconfigFor, kubeconfigOf, parts, stop };
}
