import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordFileTimes } from './file-times.ts';
import type { Counts } from './jest-report.ts';
import { readReport, timedSuites } from './jest-report.ts';
import { temporaryFolder } from './temporary.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Runs tests below the given paths, its report on stderr. A signal ends all of its processes, for jest itself leaves its
 * workers running with everything they started; then it rejects.
 */
export async function runJest(
  args: readonly string[],
  workers: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  const folder = temporaryFolder('test');
  const report = join(folder, 'report.json');
  try {
    const status = await ended(report, args, { workers, env });
    recordFileTimes(timedSuites(report), root);
    return readReport(report, status, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deadlines of tests are written for a machine that has nothing else to do, and are bounds on a hang alone. */
const patienceOfTests = '3';

interface PlatformContext {
  readonly workers: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The exit status of jest, null when it was killed. */
function ended(report: string, args: readonly string[], { workers, env }: PlatformContext): Promise<number | null> {
  const node = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
  ];
  return new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [...node, '--json', '--outputFile', report, '-w', String(workers), ...args], {
      cwd: root,
      env: { PROJECTDOMAIN_PATIENCE: patienceOfTests, REVISION: 'tests', ...process.env, ...env },
      stdio: ['ignore', 'ignore', 2],
      detached: true,
    });
    child.on('error', reject);
    child.on('close', resolve);
    const stop = (signal: NodeJS.Signals) => {
      reject(new Error(`stopped by ${signal}`));
      endGroup(child, signal);
    };
    process.on('disconnect', () => stop('SIGTERM'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  });
}

/** A detached process leads a group of its own. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}
