import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from './lanes.ts';
import { nameOf } from './lanes.ts';

/** When something of the deep lane passed last. Whoever runs a shard commits it. */
export interface DeepRun {
  /** how many commits the checked-out one had before it, itself included */
  readonly commits: number;
  /** abbreviated */
  readonly commit: string;
  readonly seconds: number;
}

export interface DeepRuns {
  /** what has not passed yet counts as if it had at this number of commits, which is when it was written down first */
  readonly since: number;
  /** by file and setting */
  readonly runs: Readonly<Record<string, DeepRun>>;
}

const fileIn = (root: string): string => join(root, 'test/deep-runs.json');

export const readDeepRuns = (root: string): DeepRuns => JSON.parse(readFileSync(fileIn(root), 'utf8')) as DeepRuns;

/** Adds what passed now, and forgets what is not there any more. */
export function writeDeepRuns(root: string, passed: Readonly<Record<string, DeepRun>>, items: readonly Item[]): void {
  const { since, runs } = readDeepRuns(root);
  const names = items.map(nameOf).toSorted();
  const all = { ...runs, ...passed };
  const kept = Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  writeFileSync(fileIn(root), `${JSON.stringify({ since, runs: kept }, null, 2)}\n`);
}

/** The commit that is checked out; null where git or the history is not there. */
export function checkedOut(root: string): Pick<DeepRun, 'commit' | 'commits'> | null {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    if (git('rev-parse', '--is-shallow-repository') !== 'false') return null;
    return { commit: git('rev-parse', '--short=10', 'HEAD'), commits: Number(git('rev-list', '--count', 'HEAD')) };
  } catch {
    return null;
  }
}

/** Which files of tests have changed since a commit, in the working tree too; none where that cannot be told. */
export function changedSince(root: string, commit: string): ReadonlySet<string> {
  try {
    const told = execFileSync('git', ['diff', '--name-only', commit, '--', 'test'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Set(told.split('\n').filter((line) => line !== ''));
  } catch {
    return new Set();
  }
}
