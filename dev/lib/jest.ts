import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const root = join(import.meta.dirname, '../..');

/** Runs tests below the given paths, its report on stderr; signals are passed on. */
export async function runJest(
  args: readonly string[],
  workers: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'projectdomain-test-'));
  const report = join(folder, 'report.json');
  const node = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
  ];
  const status = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [...node, '--json', '--outputFile', report, '-w', String(workers), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 2],
    });
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
