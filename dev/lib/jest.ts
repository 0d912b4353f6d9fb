import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { FileMessage } from './file-progress.ts';
import { tellProgress } from './file-progress.ts';
import type { Counts } from './jest-report.ts';
import { readReport } from './jest-report.ts';

const root = join(import.meta.dirname, '../..');

export interface JestRun {
  /** one runs files in jest's own process, whose cost is then told for each */
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** hears of each file that begins and ends; what runs is told on stderr where nobody does */
  readonly heard?: (message: FileMessage) => void;
  /** what failed is in the result alone */
  readonly isSilent?: boolean;
}

/**
 * Runs tests below the given paths, what failed on stderr. A signal ends all of its processes, for jest itself leaves its
 * workers running with everything they started; then it rejects.
 */
export async function runJest(args: readonly string[], run: JestRun = {}): Promise<Counts> {
  const progress = run.heard === undefined ? tellProgress() : null;
  try {
    const { status, report } = await ended(args, { heard: (message) => progress?.heard(message), ...run });
    return readReport(report, status, root);
  } finally {
    progress?.stop();
  }
}

/** Files of tests below the root of the repository, each as if it ran alone, but that they load what they import once (dev/lib/files-together.mjs). */
export function runTogether(files: readonly string[], run: JestRun = {}): Promise<Counts> {
  if (files.length === 1) return runJest(['--runTestsByPath', ...files], run);
  const env = { ...run.env, PROJECTDOMAIN_FILES: JSON.stringify(files) };
  return runJest(['--runTestsByPath', 'dev/lib/files-together.mjs'], { ...run, env });
}

const flags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
  '--reporters',
  '<rootDir>/dev/lib/file-reporter.mjs',
  '--json',
];

interface Ended {
  /** null when it was killed */
  readonly status: number | null;
  /** JSON; something else when it was killed */
  readonly report: string;
}

function ended(args: readonly string[], { workers = 1, env = {}, heard, isSilent = false }: JestRun): Promise<Ended> {
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, '-w', String(workers), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', isSilent ? 'ignore' : 2, 'ipc'],
      detached: true,
    });
    let out = '';
    // What a test writes to stdout itself stands before it.
    const report = () => out.slice(out.lastIndexOf('{"num'));
    // Of a test that left something open jest would not end.
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.endsWith('}\n') && isWhole(report())) endGroup(child, 'SIGKILL');
    });
    child.on('message', (message) => heard?.(message as FileMessage));
    const stop = (signal: NodeJS.Signals) => {
      reject(new Error(`stopped by ${signal}`));
      endGroup(child, signal);
    };
    const onDisconnect = () => stop('SIGTERM');
    const signals = ['SIGINT', 'SIGTERM'] as const;
    process.on('disconnect', onDisconnect);
    for (const signal of signals) process.on(signal, stop);
    child.on('error', reject);
    child.on('close', (status) => {
      process.off('disconnect', onDisconnect);
      for (const signal of signals) process.off(signal, stop);
      resolve({ status, report: report() });
    });
  });
}

function isWhole(report: string): boolean {
  try {
    JSON.parse(report);
    return true;
  } catch {
    return false;
  }
}

/** A detached process leads a group of its own. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}
