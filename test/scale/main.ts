import { parseArgs } from 'node:util';
import { importedAtMost, importInParts } from './import-in-parts.ts';
import { memoryStage } from './memory-stage.ts';
import { restartStage } from './restart-stage.ts';
import { rollStage } from './roll-stage.ts';
import { runStage } from './run-stage.ts';
import { cachedSeed, keepLater, laterSeed, makeSeed, visited } from './seed-cache.ts';
import type { Finding } from './stages.ts';
import { isMissed } from './stages.ts';
import { startStage } from './start-stage.ts';

/**
 * `npm run bench:scale -- --domains 10000 [--stage memory] [--imported 10000]`: each stage by itself, on a copy of the same cluster.
 * The cluster is made once and kept, and once more after its first operator, which `start` measures: other operators follow that
 * one. A stage that was stopped is simply run again; an import goes on after the last part that was finished.
 */
const stages: Readonly<Record<string, () => Promise<readonly Finding[]>>> = {
  memory: () => runStage({ name: 'memory', domains, tell, from: cachedSeed(domains), act: memoryStage }),
  start: () =>
    runStage({
      name: 'start',
      domains,
      tell,
      from: cachedSeed(domains),
      act: startStage,
      keep: (etcdDir) => keepLater(domains, visited, { etcdDir }),
    }),
  restart: () =>
    runStage({
      name: 'restart',
      domains,
      tell,
      from: laterSeed(domains, visited),
      // They would fall among the clicks of one run and not of the next.
      comparesCaches: false,
      act: restartStage,
    }),
  // Its own record of the redirector's Pods comes first, so it begins where no operator was.
  roll: () =>
    runStage({
      name: 'roll',
      domains,
      tell,
      from: cachedSeed(domains),
      comparesCaches: false,
      act: rollStage,
    }),
  import: () => importInParts(domains, imported, tell),
};
const followers = new Set(['restart', 'import']);

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '10000' },
    imported: { type: 'string', default: String(importedAtMost) },
    stage: { type: 'string', multiple: true },
  },
});
const domains = Number(values.domains);
const imported = Number(values.imported);
const chosen = values.stage ?? ['seed', ...Object.keys(stages)];
const unknown = chosen.filter((name) => name !== 'seed' && !(name in stages));
const isWithin = (count: number, [least, most]: readonly [number, number]) =>
  Number.isInteger(count) && count >= least && count <= most;
if (!isWithin(domains, [10, 1_000_000]) || !isWithin(imported, [1, importedAtMost]) || unknown.length > 0) {
  tell(`--domains is a whole number from 10 to 1000000, --imported one from 1 to ${importedAtMost},`);
  tell(`--stage one of seed, ${Object.keys(stages).join(', ')}`);
  process.exit(3);
}

const findings: Finding[] = [];
if (cachedSeed(domains) === null || values.stage?.includes('seed')) await makeSeed(domains, tell);
for (const name of chosen.filter((one) => one !== 'seed')) {
  if (followers.has(name) && laterSeed(domains, visited) === null) findings.push(...(await run('start')));
  findings.push(...(await run(name)));
}
const missed = findings.filter(isMissed);
for (const finding of findings) process.stdout.write(`${row(finding)}\n`);
process.exit(missed.length > 0 ? 1 : 0);

async function run(name: string): Promise<readonly Finding[]> {
  return (await stages[name]?.()) ?? [];
}

function row(finding: Finding): string {
  const { what, found, atMost, atLeast } = finding;
  const bound = atMost === undefined ? (atLeast === undefined ? '' : `at least ${atLeast}`) : `at most ${atMost}`;
  return `| ${what} | ${found} | ${bound} | ${isMissed(finding) ? 'missed' : 'held'} |`;
}
