import type { OurPart } from '../../dev/platform/ours.ts';
import { startInPod } from './in-pod.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { scaleSettings } from './seed-cluster.ts';
import type { Bounds } from './stages.ts';

/** Starts the operator as in a Pod, with settings besides or instead; it stops before the cluster does. */
export async function startOperator(
  cluster: ScaleCluster,
  { limitBytes }: Bounds,
  settings: object = {},
): Promise<OurPart> {
  const operator = await startInPod('operator', cluster, {
    settings: { ...scaleSettings, ...settings },
    limitBytes: limitBytes.operator,
  });
  cluster.onStop(() => operator.part.stop());
  return operator;
}

/** Seconds since it was called, with one decimal. */
export function stopwatch(): () => number {
  const begunAt = performance.now();
  return () => Number(((performance.now() - begunAt) / 1_000).toFixed(1));
}
