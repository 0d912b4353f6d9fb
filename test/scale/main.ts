import { cpSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { etcdDirOf } from '../../dev/platform/control-plane.ts';
import { sizeOf } from './made-names.ts';
import { untilAtRest, untilCachesFull } from './full-caches.ts';
import { memoryOf, memoryStage } from './memory-stage.ts';
import { importStage } from './import-stage.ts';
import { madeTargets } from './made-objects.ts';
import { pinOthers } from './processors.ts';
import { restartStage } from './restart-stage.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { cachedSeed, keepVisited, makeSeed, visitedSeed } from './seed-cache.ts';
import { publishRecords, publishTemplate } from './seed-cluster.ts';
import type { Finding, Stage } from './stages.ts';
import { startStage } from './start-stage.ts';
import { boundsOf, isMissed } from './stages.ts';

/**
 * `npm run bench:scale -- --domains 10000 [--stage memory] [--imported 1200]`: each stage by itself, on a copy of the same cluster.
 * The cluster is made once and kept, and once more after its first operator, which `start` measures: other operators follow that
 * one. A stage that was stopped is simply run again.
 */
const stages: Readonly<Record<string, Stage>> = {
  memory: memoryStage,
  start: startStage,
  restart: restartStage,
  import: importStage,
};
const followers: ReadonlySet<Stage> = new Set([restartStage, importStage]);

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '10000' },
    imported: { type: 'string', default: '1200' },
    stage: { type: 'string', multiple: true },
  },
});
const domains = Number(values.domains);
const imported = Number(values.imported);
const chosen = values.stage ?? ['seed', ...Object.keys(stages)];
const unknown = chosen.filter((name) => name !== 'seed' && !(name in stages));
const isWithin = (count: number, [least, most]: readonly [number, number]) =>
  Number.isInteger(count) && count >= least && count <= most;
if (!isWithin(domains, [10, 1_000_000]) || !isWithin(imported, [1, 10_000]) || unknown.length > 0) {
  tell('--domains is a whole number from 10 to 1000000, --imported one from 1 to 10000,');
  tell(`--stage one of seed, ${Object.keys(stages).join(', ')}`);
  process.exit(3);
}

const size = sizeOf(domains);
const findings: Finding[] = [];
if (cachedSeed(domains) === null || values.stage?.includes('seed')) await makeSeed(domains, tell);
for (const name of chosen.filter((one) => one !== 'seed')) {
  const stage = stages[name] ?? memoryStage;
  if (followers.has(stage) && visitedSeed(domains) === null) findings.push(...(await run(startStage)));
  findings.push(...(await run(stage)));
}
const missed = findings.filter(isMissed);
for (const finding of findings) process.stdout.write(`${row(finding)}\n`);
process.exit(missed.length > 0 ? 1 : 0);

async function run(stage: Stage): Promise<readonly Finding[]> {
  const seed = followers.has(stage) ? visitedSeed(domains) : cachedSeed(domains);
  if (seed === null) throw new Error(`there is no cluster of ${domains} domains`);
  const begunAt = performance.now();
  tell(`${nameOf(stage)}: ${domains} domains of ${size.accounts} accounts`);
  const copyData = (etcdDir: string) => cpSync(seed, etcdDir, { recursive: true });
  const cluster = await startScaleCluster({ copyData, controllers: ['bootstrap-signer-controller'], tell });
  const { around, controlPlane } = cluster;
  try {
    await untilCachesFull(cluster);
    const { now } = memoryOf(controlPlane.parts.apiServer.pid);
    tell(`the kube-apiserver has filled its caches after ${secondsSince(begunAt)} s, and has ${now} MiB`);
    pinOthers(cluster);
    await untilAtRest(cluster);
    tell(`it is at rest, or has had a minute, after ${secondsSince(begunAt)} s`);
    publishRecords(cluster, size, madeTargets(await cluster.records(), size));
    await publishTemplate(cluster);
    const found = await stage({ cluster, size, bounds: boundsOf(size), imported, tell });
    if (stage === startStage) {
      await controlPlane.stop();
      keepVisited(domains, etcdDirOf(around.dir));
    }
    tell(`${nameOf(stage)} took ${secondsSince(begunAt)} s`);
    return found;
  } finally {
    await cluster.stop();
  }
}

function secondsSince(begunAt: number): number {
  return Math.round((performance.now() - begunAt) / 1_000);
}

function nameOf(stage: Stage): string {
  return Object.keys(stages).find((name) => stages[name] === stage) ?? '';
}

function row(finding: Finding): string {
  const { what, found, atMost, atLeast } = finding;
  const bound = atMost === undefined ? (atLeast === undefined ? '' : `at least ${atLeast}`) : `at most ${atMost}`;
  return `| ${what} | ${found} | ${bound} | ${isMissed(finding) ? 'missed' : 'held'} |`;
}
