import type { FurtherPrograms } from '../../images/images.ts';
import type { NodeCorner } from '../address.ts';
import type { Progress } from '../progress.ts';
import type { Around } from '../services.ts';

/** What an edge on a node is started with. */
export interface AroundNode extends Around {
  readonly corner: NodeCorner;
}

/** What serves hostnames on a node, as Pods, at the node's address on ports 80 and 443. */
export interface NodeEdge {
  /** of images that are built for it alone */
  programs(progress: Progress): Promise<FurtherPrograms>;
  /** Resolves when its Pods are ready. */
  start(around: AroundNode): Promise<void>;
  /** What the chart is told of it. */
  readonly values: object;
  /** what answers visitors, as `kubectl rollout` names it */
  readonly workload: { readonly namespace: string; readonly name: string };
}
