import { parseArgs } from 'node:util';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { Progress } from '../../../dev/platform/progress.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { startEdgeCluster } from './edge-cluster.ts';
import { databaseBytes } from './etcd-json.ts';
import type { Seed } from './edge-seed.ts';
import { findSeed } from './edge-seed.ts';
import { measureCertificates } from './measure-certificates.ts';
import { measureRoutes } from './measure-routes.ts';
import type { Tell } from './part-watch.ts';

/**
 * What Traefik and cert-manager need beside many Ingresses, printed as a table. A stage takes less than ten minutes; the
 * first makes the Ingresses, which are kept in the cache. Fails when something does not work, never for being slow.
 */
const stages = ['seed', 'routes', 'certificates'] as const;
type Stage = (typeof stages)[number];

const progress: Progress = (line) => process.stderr.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    ingresses: { type: 'string', default: '10000' },
    tries: { type: 'string', default: '20' },
    stage: { type: 'string', multiple: true },
  },
});
const [ingresses, tries] = [Number(values.ingresses), Number(values.tries)];
const wanted = values.stage ?? stages;
const isCount = (count: number, most: number): boolean => Number.isInteger(count) && count >= 0 && count <= most;
if (!isCount(ingresses, 100_000) || !isCount(tries, 100) || tries === 0 || !wanted.every(isStage)) {
  progress(
    `--ingresses is a whole number up to 100000, --tries one from 1 to 100, --stage one of ${stages.join(', ')}`,
  );
  process.exit(3);
}

const tools = await findTools(progress);
const corner = await takeCorner();
try {
  const seed = await findSeed({ ingresses, tools, corner, progress });
  for (const stage of wanted.filter((name) => name !== 'seed')) await measure(stage, seed);
} finally {
  corner.release();
}

/** On a cluster of its own, a copy of the seed. */
async function measure(stage: Exclude<Stage, 'seed'>, { etcd, authority }: Seed): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const tell: Tell = (...rows) => rows.forEach((row) => print(`| ${row.join(' | ')} |`));
  print(`\n| ${stage} beside ${ingresses} Ingresses | figure |\n|---|---|`);
  const cluster = await startEdgeCluster({ tools, corner, etcd });
  try {
    const { file, inUse } = await databaseBytes(corner.address);
    tell(['database of etcd: file; in use', `${Math.round(file / 1e6)}; ${Math.round(inUse / 1e6)} MB`]);
    if (stage === 'routes') await measureRoutes({ cluster, authority, tries, tell });
    else await measureCertificates(cluster, tell);
  } finally {
    await cluster.stop();
  }
}

function isStage(name: string): name is Stage {
  return stages.some((stage) => stage === name);
}
