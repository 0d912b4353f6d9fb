import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../platform/cache.ts';

/** What a file of tests took on this machine the last time that it ran, and what came of it. */
export interface FileCost {
  readonly seconds: number;
  /** of this process and of all that it started and waited for; absent where a worker of jest ran the file */
  readonly processorSeconds?: number;
  readonly passed: boolean;
  /** RFC 3339 */
  readonly at: string;
}

/** By the name of what ran (dev/lanes/lanes.ts). */
export type FileCosts = Readonly<Record<string, FileCost>>;

const file = (): string => join(cacheFolder(), 'file-costs.json');

export function readFileCosts(): FileCosts {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as FileCosts;
  } catch {
    return {};
  }
}

/** The last run of each counts. Of files that two commands end at once an entry may be lost. */
export function recordFileCosts(costs: FileCosts): void {
  if (Object.keys(costs).length === 0) return;
  const part = `${file()}.${process.pid}`;
  mkdirSync(dirname(part), { recursive: true });
  writeFileSync(part, JSON.stringify({ ...readFileCosts(), ...costs }, null, 1));
  renameSync(part, file());
}
