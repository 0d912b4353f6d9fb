import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { takeCorner } from '../../../dev/platform/address.ts';
import { edges } from '../../../dev/platform/edges.ts';
import type { Progress } from '../../../dev/platform/progress.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { startEdgeCluster } from './edge-cluster.ts';
import { databaseBytes } from './etcd-json.ts';
import { findSeed } from './edge-seed.ts';
import { measureCertificates } from './measure-certificates.ts';
import { measureRoutes } from './measure-routes.ts';
import type { Row, Tell } from './part-watch.ts';

/**
 * `npm run bench:edge`: what an edge needs for so many hostnames, and how long one more takes beside them; with `--stage certificates` what
 * cert-manager needs beside as many that Traefik serves, whose objects are kept in the cache (`--stage seed` makes them alone). Prints
 * tables, and all figures as JSON to the file of `--json`. Root needed; Envoy Gateway's Envoy listens on ports 80 and 443 of all addresses. Fails when something does not work, never for being slow.
 */
const stages = ['routes', 'seed', 'certificates'] as const;
type Stage = (typeof stages)[number];

const progress: Progress = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const { values } = parseArgs({
  options: {
    edge: { type: 'string', default: 'traefik' },
    hostnames: { type: 'string', default: '1000' },
    tries: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '20' },
    stage: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});
const [hostnames, tries, minutes] = [values.hostnames, values.tries, values.minutes].map(Number) as [
  number,
  number,
  number,
];
const wanted = values.stage ?? ['routes'];
const edge = edges[values.edge];
const isCount = (count: number, most: number): boolean => Number.isInteger(count) && count >= 1 && count <= most;
const isOfTraefik = values.edge === 'traefik' || wanted.every((stage) => stage === 'routes');
const areCounts = isCount(hostnames, 100_000) && isCount(tries, 1_000) && isCount(minutes, 600);
if (!edge || !areCounts || !wanted.every(isStage) || !isOfTraefik) {
  progress(
    [
      `--edge is one of ${Object.keys(edges).join(', ')}`,
      '--hostnames a whole number up to 100000',
      '--tries one up to 1000',
      '--minutes one up to 600 (how long all may take until they are served)',
      `--stage one of ${stages.join(', ')}, of which the edges but Traefik have routes alone`,
    ].join(', '),
  );
  process.exit(3);
}

const rows: Row[] = [];
const times: Record<string, readonly number[]> = {};
const print = (line: string) => process.stdout.write(`${line}\n`);
const tell: Tell = (...more) => {
  rows.push(...more);
  more.forEach((row) => print(`| ${row.join(' | ')} |`));
};
const tools = await findTools(progress);
const corner = await takeCorner();
try {
  for (const stage of wanted) await measure(stage);
} finally {
  corner.release();
  if (values.json !== undefined)
    writeFileSync(values.json, JSON.stringify({ edge: values.edge, hostnames, rows, times }, null, 2));
}

/** On a cluster of its own: without any hostname, or a copy of the one that is kept. */
async function measure(stage: Stage): Promise<void> {
  const isFilled = stage !== 'routes';
  const { etcd, authority } = await findSeed({ hostnames: isFilled ? hostnames : 0, tools, corner, progress });
  if (stage === 'seed') return;
  print(`\n| ${stage} of ${hostnames} hostnames, ${values.edge} | figure |\n|---|---|`);
  const cluster = await startEdgeCluster({ tools, corner, etcd });
  try {
    if (stage === 'routes') await measureEdge(cluster, authority);
    else await measureCertificates(cluster, tell);
    const { file, inUse } = await databaseBytes(corner.address);
    tell(['database of etcd: file; in use', `${Math.round(file / 1e6)}; ${Math.round(inUse / 1e6)} MB`]);
  } finally {
    await cluster.stop();
  }
}

async function measureEdge(cluster: Awaited<ReturnType<typeof startEdgeCluster>>, authority: string): Promise<void> {
  if (!edge) throw new Error(`there is no edge ${values.edge}`);
  await measureRoutes({
    cluster,
    edge,
    authority,
    hostnames,
    tries,
    withinMs: minutes * 60_000,
    tell,
    keep: (what, each) => (times[what] = each),
    progress,
  });
}

function isStage(name: string): name is Stage {
  return stages.some((stage) => stage === name);
}
