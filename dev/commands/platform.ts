import { resolve } from 'node:path';
import { argumentsOf } from '../lib/arguments.ts';
import { untilStopped } from '../lib/until-stopped.ts';
import { serveOwnChallengeZone } from '../platform/challenge-zone.ts';
import { edges } from '../platform/edges.ts';
import { clusterFacts, installChart, startCluster } from '../platform/node/cluster.ts';
import type { PlatformFacts } from '../platform/platform.ts';
import { startPlatform, writeFacts } from '../platform/platform.ts';
import type { Edge } from '../platform/services.ts';
import { traefikEdge } from '../platform/services.ts';
import { orEnd } from '../lib/or-end.ts';

/**
 * `npm run platform -- --dir DIR [--level 2] [--edge NAME]`: the platform with our processes, for other programs to drive, until a
 * signal. Level 1 is processes on loopback; level 2 is a node with real Pods and our chart installed, and needs root. What serves
 * hostnames can be chosen on level 1 (dev/platform/edges.ts).
 */
interface Running {
  readonly facts: PlatformFacts;
  readonly stop: () => Promise<void>;
}

const progress = (line: string) => console.error(line);

const levels: Readonly<Record<string, (dir: string, edge: Edge) => Promise<Running>>> = {
  1: (dir, edge) => startPlatform({ dir, progress, ours: true, edge, challengeZone: serveOwnChallengeZone }),
  2: async (dir) => {
    const cluster = await startCluster({ dir, progress });
    try {
      progress('installing our chart');
      await installChart(cluster);
      await cluster.createIssuer();
      return { facts: await clusterFacts(cluster), stop: () => cluster.stop() };
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  },
};

const { values } = argumentsOf({
  options: {
    dir: { type: 'string' },
    level: { type: 'string', default: '1' },
    edge: { type: 'string', default: 'traefik' },
  },
});
const [start, edge] = [levels[values.level], edges[values.edge]];
if (values.dir === undefined || !start || !edge || (values.level === '2' && edge !== traefikEdge)) {
  console.error(
    `usage: npm run platform -- --dir DIR [--level 1|2] [--edge ${Object.keys(edges).join('|')} (on level 1)]`,
  );
  process.exit(3);
}
const dir = resolve(values.dir);
const stopped = untilStopped();
const platform = await orEnd(start(dir, edge));
writeFacts(dir, platform.facts);
console.error(`ready: ${dir}/platform.json; stop with Ctrl-C`);
await stopped;
await platform.stop();
process.exit(0);
