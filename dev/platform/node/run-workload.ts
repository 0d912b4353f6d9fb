import type { Kubectl } from '../kubectl.ts';
import type { Workload } from './workloads.ts';
import { manifestsOf } from './workloads.ts';

/** Runs a program in a Pod, and waits until it is ready. */
export async function runWorkload(kubectl: Kubectl, workload: Workload): Promise<void> {
  await kubectl.apply(...manifestsOf(workload));
  const { name, namespace } = workload;
  await kubectl.run(['rollout', 'status', `deployment/${name}`, '-n', namespace, '--timeout=150s']);
}
