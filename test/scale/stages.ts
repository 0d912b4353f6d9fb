import type { OurName } from '../../dev/platform/ours.ts';
import type { ClusterSize } from './made-names.ts';
import type { ScaleCluster } from './scale-cluster.ts';

/** A figure and its bound. */
export interface Finding {
  readonly what: string;
  readonly found: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The bounds of docs/sizing.md at one size. */
export interface Bounds {
  /** MiB */
  readonly memory: Readonly<Record<OurName, number>>;
  /** memory limits of the containers: Node sizes its heap by them */
  readonly limitBytes: Readonly<Partial<Record<OurName, number>>>;
  /** seconds from the start until everything is visited */
  readonly restartSeconds: number;
  readonly idleCores: number;
}

export interface StageOptions {
  readonly cluster: ScaleCluster;
  readonly size: ClusterSize;
  readonly bounds: Bounds;
  readonly tell: (line: string) => void;
}

/** One part of the measurement, on a cluster of its own. */
export type Stage = (options: StageOptions) => Promise<readonly Finding[]>;

const mebibytes = 1024 ** 2;

/** 10,000 domains and fewer fit the chart's defaults; above, limits are raised with the bounds. */
export const boundsOf = ({ domains }: ClusterSize): Bounds =>
  domains <= 10_000
    ? {
        memory: { operator: 200, 'api-server': 150, redirector: 150 },
        limitBytes: {},
        restartSeconds: 45,
        idleCores: 0.08,
      }
    : {
        memory: { operator: 600, 'api-server': 300, redirector: 150 },
        limitBytes: { operator: 2_048 * mebibytes, 'api-server': 2_048 * mebibytes, redirector: 1_024 * mebibytes },
        restartSeconds: 240,
        idleCores: 0.6,
      };

export const isMissed = ({ found, atMost = Infinity, atLeast = -Infinity }: Finding): boolean =>
  found > atMost || found < atLeast;
