import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { outputOf } from '../lib/output.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import type { Item } from './lanes.ts';
import { nameOf } from './lanes.ts';

/** What runs named items of the deep lane; commits that lack this file cannot. */
const runner = ['dev/start.mjs', 'test-shard'] as const;
const self = 'dev/lanes/earlier-commit.ts';

/** The exit status of a run that has failures; another one says nothing about the items. */
const hasFailures = 1;

/**
 * Runs items once more, each at the commit at which it passed last, in a work tree of its own, and gives those that fail there as well: whatever
 * is landing is not what broke them. Where that cannot be told an item is not among them.
 */
export async function failingBefore(
  root: string,
  items: readonly Item[],
  commitOf: (item: Item) => string | undefined,
): Promise<readonly Item[]> {
  const failing: Item[] = [];
  for (const item of items) {
    const commit = commitOf(item);
    if (commit !== undefined && (await failsAt(root, commit, item))) failing.push(item);
  }
  return failing;
}

async function failsAt(root: string, commit: string, item: Item): Promise<boolean> {
  const git = (...args: readonly string[]) => outputOf('git', args, { cwd: root });
  const canRun = await git('cat-file', '-e', `${commit}:${self}`).then(
    () => true,
    () => false,
  );
  if (!canRun) return false;
  const folder = temporaryFolder('earlier-commit');
  const tree = join(folder, 'tree');
  try {
    await git('worktree', 'add', '--detach', tree, commit);
    console.log(`${nameOf(item)} runs at ${commit}, where it passed last`);
    const child = spawn(process.execPath, [...runner, nameOf(item)], { cwd: tree, stdio: 'inherit' });
    const [status] = (await once(child, 'close')) as [number | null];
    return status === hasFailures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await git('worktree', 'prune');
  }
}
