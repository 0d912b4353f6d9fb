import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../lib/check.ts';
import { findTools } from '../platform/tools.ts';

/**
 * `npm test`: lint, types and every test; the last line is `N passed, N failed, N skipped`. Arguments go to jest and
 * choose among the tests (`npm test -- test/unit`); lint is left out then.
 */
interface Group {
  readonly name: string;
  readonly paths: readonly string[];
  readonly workers: number;
}

const groups: readonly Group[] = [
  { name: 'unit and faults', paths: ['test/unit', 'test/faults'], workers: 2 },
  { name: 'real parts', paths: ['test/cluster', 'test/e2e'], workers: 1 },
];

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const root = join(import.meta.dirname, '../..');
const chosen = process.argv.slice(2);
const startedAt = Date.now();

const seconds = (since: number) => `${Math.round((Date.now() - since) / 1_000)} s`;

async function jest(paths: readonly string[], workers: number): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'projectdomain-test-'));
  const report = join(folder, 'report.json');
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
  ];
  const status = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...args, '--json', '--outputFile', report, '-w', String(workers), ...paths],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 2],
      },
    );
    child.on('error', reject);
    child.on('close', resolve);
    process.on('disconnect', () => child.kill('SIGTERM'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  });
  const counts = read(report, status);
  rmSync(folder, { recursive: true, force: true });
  return counts;
}

/** A file that could not even be loaded has no tests to count: it counts as one failure. */
function read(report: string, status: number | null): Counts {
  try {
    const seen = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    const failed = (seen.numFailedTests ?? 0) + (seen.numRuntimeErrorTestSuites ?? 0);
    const skipped = (seen.numPendingTests ?? 0) + (seen.numTodoTests ?? 0);
    return { passed: seen.numPassedTests ?? 0, failed: failed === 0 && status !== 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function everything(): Promise<readonly Counts[]> {
  const linted = await check([]);
  console.log(`lint and types: ${linted ? 'ok' : 'failed'} after ${seconds(startedAt)}`);
  await findTools((line) => console.error(line));
  const counts: Counts[] = [{ passed: 0, failed: linted ? 0 : 1, skipped: 0 }];
  for (const { name, paths, workers } of groups) {
    const begun = Date.now();
    const count = await jest(paths, workers);
    console.log(`${name}: ${count.passed} passed, ${count.failed} failed after ${seconds(begun)}`);
    counts.push(count);
  }
  return counts;
}

const counts = chosen.length > 0 ? [await jest(chosen, 1)] : await everything();
const sum = (key: keyof Counts) => counts.reduce((total, count) => total + count[key], 0);
console.log(`took ${seconds(startedAt)}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
