import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failingBefore } from '../../../dev/lanes/earlier-commit.ts';
import type { Item } from '../../../dev/lanes/lanes.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';

const root = temporaryFolder('repository');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', ...args], {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  }).trim();

/** A commit whose runner ends with a status for whatever it is asked to run. */
function commitThatEndsWith(status: number): string {
  writeFileSync(
    join(root, 'dev/start.mjs'),
    `if (process.argv[3].includes('(alone)')) process.exitCode = ${status};\n`,
  );
  git('add', '-A');
  git('commit', '--allow-empty', '-qm', `ends with ${status}`);
  return git('rev-parse', 'HEAD');
}

const item: Item = { file: 'test/scale/counts.test.ts', setting: 'alone' };
const commits: Record<'before' | 'passes' | 'fails' | 'refuses', string> = {
  ...{ before: '', passes: '', fails: '', refuses: '' },
};
beforeAll(() => {
  git('init', '-q');
  mkdirSync(join(root, 'dev/lanes'), { recursive: true });
  commits.before = commitThatEndsWith(1);
  writeFileSync(join(root, 'dev/lanes/earlier-commit.ts'), '');
  commits.passes = commitThatEndsWith(0);
  commits.fails = commitThatEndsWith(1);
  commits.refuses = commitThatEndsWith(3);
});

/** Fails when a landing is let through though it broke something, or stopped by what it did not break. */
describe('what a shard found failing', () => {
  it.each<[sentence: string, at: keyof typeof commits | undefined, found: readonly Item[]]>([
    ['failed before where it fails at the commit at which it passed', 'fails', [item]],
    ['is of what is landing where it passes there', 'passes', []],
    ['is of what is landing where that commit cannot run one item', 'before', []],
    ['is of what is landing where that commit does not know the item', 'refuses', []],
    ['is of what is landing where it never passed', undefined, []],
  ])('%s', async (_, at, found) => {
    const commitOf = () => (at === undefined ? undefined : commits[at]);
    expect(await failingBefore(root, [item], commitOf)).toEqual(found);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('is of what is landing where the history is not there', async () => {
    expect(await failingBefore(root, [item], () => 'f'.repeat(40))).toEqual([]);
  });
});
