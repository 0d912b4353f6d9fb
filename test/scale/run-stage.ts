import { cpSync } from 'node:fs';
import { etcdDirOf } from '../../dev/platform/control-plane.ts';
import { untilAtRest, untilCachesFull } from './full-caches.ts';
import { madeTargets } from './made-objects.ts';
import { sizeOf } from './made-names.ts';
import { memoryOf } from './memory-stage.ts';
import { pinOthers } from './processors.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { publishRecords, publishTemplate } from './seed-cluster.ts';
import type { StageOptions } from './stages.ts';
import { boundsOf } from './stages.ts';

interface StageRun<T> {
  readonly name: string;
  readonly domains: number;
  /** the folder of etcd's data that it begins with a copy of; null where there is none yet */
  readonly from: string | null;
  /** false: the kube-apiserver leaves out its comparisons of caches with etcd */
  readonly comparesCaches?: boolean;
  readonly tell: (line: string) => void;
  readonly act: (options: StageOptions) => Promise<T>;
  /** keeps what the stage left, once the cluster has stopped */
  readonly keep?: (etcdDir: string, found: T) => void;
}

/** Runs one stage on a cluster of its own. */
export async function runStage<T>({ name, domains, from, act, keep, tell, ...told }: StageRun<T>): Promise<T> {
  if (from === null) throw new Error(`there is no cluster of ${domains} domains`);
  const size = sizeOf(domains);
  const begunAt = performance.now();
  const seconds = () => Math.round((performance.now() - begunAt) / 1_000);
  tell(`${name}: ${domains} domains of ${size.accounts} accounts`);
  const copyData = (etcdDir: string) => cpSync(from, etcdDir, { recursive: true });
  const cluster = await startScaleCluster({ copyData, controllers: ['bootstrap-signer-controller'], tell, ...told });
  const { around, controlPlane } = cluster;
  try {
    await untilCachesFull(cluster);
    const { now } = memoryOf(controlPlane.parts.apiServer.pid);
    tell(`the kube-apiserver has filled its caches after ${seconds()} s, and has ${now} MiB`);
    pinOthers(cluster);
    await untilAtRest(cluster);
    tell(`it is at rest, or has had a minute, after ${seconds()} s`);
    publishRecords(cluster, size, madeTargets(await cluster.records(), size));
    await publishTemplate(cluster);
    const found = await act({ cluster, size, bounds: boundsOf(size), tell });
    if (keep) {
      await controlPlane.stop();
      keep(etcdDirOf(around.dir), found);
    }
    tell(`${name} took ${seconds()} s`);
    return found;
  } finally {
    await cluster.stop();
  }
}
