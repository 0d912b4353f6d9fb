import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheFolder } from '../platform/cache.ts';

/** How long a test file took on this machine the last time that it ran, and what came of it. */
interface FileTime {
  readonly seconds: number;
  readonly passed: boolean;
  /** RFC 3339 */
  readonly at: string;
}

/** By the path of the file below the root of the repository. */
export type FileTimes = Readonly<Record<string, FileTime>>;

/** A file of tests in jest's report (`jest --json`); times in milliseconds since the Unix epoch. */
export interface TimedSuite {
  readonly name: string;
  readonly status: string;
  readonly startTime?: number;
  readonly endTime?: number;
}

const file = (): string => join(cacheFolder(), 'file-times.json');

export function readFileTimes(): FileTimes {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as FileTimes;
  } catch {
    return {};
  }
}

/**
 * The last run of each file counts, with both browsers of one that runs in two. Of files that two commands end at once an entry may be lost.
 */
export function recordFileTimes(suites: readonly TimedSuite[], root: string): void {
  const ran = new Map<string, FileTime>();
  for (const { name, status, startTime = 0, endTime = 0 } of suites) {
    if (endTime <= startTime) continue;
    const path = relative(root, name);
    const other = ran.get(path);
    const seconds = Math.round((endTime - startTime) / 100) / 10 + (other?.seconds ?? 0);
    const passed = status === 'passed' && (other?.passed ?? true);
    ran.set(path, { seconds, passed, at: new Date(endTime).toISOString() });
  }
  if (ran.size === 0) return;
  const part = `${file()}.${process.pid}`;
  mkdirSync(dirname(part), { recursive: true });
  writeFileSync(part, JSON.stringify({ ...readFileTimes(), ...Object.fromEntries(ran) }, null, 1));
  renameSync(part, file());
}
