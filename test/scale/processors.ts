import { execFileSync } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import type { ScaleCluster } from './scale-cluster.ts';

/** Which processor our processes have, and which all others: none of them where there is one alone. */
const processors: { readonly ours?: number; readonly others?: number } =
  availableParallelism() > 1 ? { ours: 1, others: 0 } : {};

/** Before a program and its arguments: lets it use our processor alone. Otherwise it comes to share that of whoever sends to it. */
export const onOurProcessor: readonly string[] =
  processors.ours === undefined ? [] : ['taskset', '-c', String(processors.ours)];

/** Leaves one processor to our processes: etcd, the kube-apiserver and this process, which plays DNS and cert-manager, share another. */
export function pinOthers({ controlPlane: { parts } }: ScaleCluster): void {
  if (processors.others === undefined) return;
  const pids = [...Object.values(parts).map(({ pid }) => pid), process.pid];
  for (const pid of pids) execFileSync('taskset', ['-a', '-c', '-p', String(processors.others), String(pid)]);
  // A DNS host in the world is not slower while our kube-apiserver is busy.
  setPriority(process.pid, -10);
}
