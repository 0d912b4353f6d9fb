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
  for (const pid of [...Object.values(parts).map((part) => part.pid), process.pid]) pin(pid, processors.others);
  // A DNS host in the world is not slower while our kube-apiserver is busy.
  setPriority(process.pid, -10);
}

/** Leaves the other processor to etcd and the kube-apiserver alone, which are the limit of whoever writes much. */
export const moveThisProcessToOurs = (): void => pin(process.pid, processors.ours);

/** Lets a process use one processor alone. */
export function pin(pid: number, processor: number | undefined): void {
  if (processor !== undefined) execFileSync('taskset', ['-a', '-c', '-p', String(processor), String(pid)]);
}
