import { join } from 'node:path';
import { outputOf } from '../../dev/lib/output.ts';
import { systemNamespace } from '../../dev/platform/chart.ts';
import type { Cluster } from '../../dev/platform/node/cluster.ts';
import { clusterFacts, installChart, startCluster } from '../../dev/platform/node/cluster.ts';
import type { NodeEdge } from '../../dev/platform/node/node-edge.ts';
import { deployTenant } from '../../dev/platform/node/tenant.ts';
import { traefikOnNode } from '../../dev/platform/node/traefik-edge.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { createStage } from '../../dev/story/stage.ts';

/** Long enough for tools that are in the cache and images that must be built anew. */
export const installedDeadlineMs = 600_000;
export { systemNamespace };

export interface Installed {
  readonly cluster: Cluster;
  readonly stage: Stage;
  stop(): Promise<void>;
}

/** A node with our chart installed, and a stage on which customers' servers are Pods. `changes` are values of the chart. */
export async function startInstalled(changes: object = {}, edge: NodeEdge = traefikOnNode): Promise<Installed> {
  const cluster = await startCluster({ dir: null, progress: (line) => process.stderr.write(`${line}\n`), edge });
  try {
    await installChart(cluster, changes);
    await cluster.createIssuer();
    const { kubectl } = cluster;
    const stage = createStage({ facts: await clusterFacts(cluster), kubectl, patienceMs: 90_000, play: deployTenant });
    return { cluster, stage, stop: cluster.stop };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** The project's own command line, as it is shipped. Rejects with what it said when it ends with another status than 0. */
export const commandLine = (...args: readonly string[]): Promise<string> =>
  outputOf(process.execPath, [join(import.meta.dirname, '../../src/cli/main.ts'), ...args]);

/** One kind of request that is made again and again. */
export interface Visitor {
  readonly name: string;
  /** null when the answer was right, else what was wrong with it */
  visit(): Promise<string | null>;
}

export interface Traffic {
  /** Ends it; how many visits were right, and what was wrong with the others. */
  end(): Promise<{ readonly right: Readonly<Record<string, number>>; readonly wrong: readonly string[] }>;
}

const pauseMs = 50;

/** Every visitor comes again as soon as it was served, at most twenty times a second. */
export function startTraffic(visitors: readonly Visitor[]): Traffic {
  const right: Record<string, number> = {};
  const wrong: string[] = [];
  let ended = false;
  const keepVisiting = async ({ name, visit }: Visitor) => {
    right[name] = 0;
    while (!ended) {
      const complaint = await visit().catch((error: unknown) => String(error));
      if (complaint === null) right[name] += 1;
      else wrong.push(`${new Date().toISOString()} ${name}: ${complaint}`);
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  };
  const all = Promise.all(visitors.map(keepVisiting));
  return {
    async end() {
      ended = true;
      await all;
      return { right, wrong };
    },
  };
}
