import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceTextModule } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type { DeepRuns } from '../../../dev/lanes/deep-runs.ts';
import { checkedOut, readDeepRuns } from '../../../dev/lanes/deep-runs.ts';
import type { FlakyTest } from '../../../dev/lanes/flaky-tests.ts';
import { faultsOfFlakyTests, readFlakyTests } from '../../../dev/lanes/flaky-tests.ts';
import type { Item, Lane } from '../../../dev/lanes/lanes.ts';
import { emptyPaths, entryOf, itemsOf, nameOf, testFiles } from '../../../dev/lanes/lanes.ts';
import { root } from '../../../dev/lanes/report.ts';
import { settings } from '../../../dev/lanes/settings.ts';
import { asFunction } from '../../../dev/lib/strip-types.mjs';
import { chooseShard, overdue } from '../../../dev/lanes/shard.ts';

/** That every test is run by something, and by whom what was left out of a landing is run in time. */

const files = testFiles(root);
const allLanes: readonly Lane[] = ['check', 'test', 'node', 'deep', 'bench'];

/** What is not parsed is an error of the engine's own realm, which no class of ours is known to. */
function canBeLoaded(source: string): boolean {
  const parsed = () => new SourceTextModule(asFunction(source));
  try {
    return parsed().status === 'unlinked';
  } catch (error) {
    if (String(error).startsWith('SyntaxError')) return false;
    throw error;
  }
}

describe('the lanes', () => {
  it('have every file of tests, and no path that no file has', () => {
    expect(files.filter((file) => entryOf(file) === undefined)).toEqual([]);
    expect(emptyPaths(files)).toEqual([]);
    expect(files.length).toBeGreaterThan(600);
  });

  it('run each file in one setting of one lane, and what is played again in another', () => {
    const names = allLanes.flatMap((lane) => itemsOf(lane, files).map(nameOf));
    expect(names).toEqual([...new Set(names)]);
    expect(new Set(allLanes.flatMap((lane) => itemsOf(lane, files).map(({ file }) => file)))).toEqual(new Set(files));
  });

  it('start two platforms for npm test, and of bare control planes no more than it had when this was written', () => {
    const items = itemsOf('test', files);
    const shared = items.flatMap(({ setting }) => settings[setting].shares?.name ?? []);
    expect([...new Set(shared)].filter((name) => name.startsWith('platform'))).toHaveLength(2);
    const starting = (pattern: RegExp) =>
      items.map(({ file }) => file).filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
    expect(starting(/\b(testPlatform|ownPlatform|startPlatform|openStoryEnvironment|startWorld)\(/)).toEqual([]);
    const controlPlanes = starting(/\b(startTestControlPlane|startFurnished|startAttackCluster|startControlPlane)\(/);
    expect(controlPlanes.length).toBeLessThanOrEqual(24);
  });

  it('give the kube-apiserver with the chart on it to the files that use it, as others need none', () => {
    const using = files.filter((file) =>
      /support\/(attack-cluster|shipped-cluster)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
    );
    const given = itemsOf('test', files).filter(({ setting }) => setting === 'shared cluster');
    expect(given.map(({ file }) => file)).toEqual(using.filter((file) => file.startsWith('test/adversary/parts/')));
  });

  it('draw other cases for each file with properties in the deep lane', () => {
    const withProperties = files.filter((file) =>
      /support\/(property|quota-script-contract)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
    );
    const fresh = itemsOf('deep', files).filter(({ setting }) => setting.startsWith('fresh seeds'));
    expect(fresh.map(({ file }) => file).toSorted()).toEqual(withProperties);
    expect(withProperties.length).toBeGreaterThan(20);
  });

  it('let no file share its imports that waits for something before its tests are defined, as it could not be loaded', () => {
    const sharing = allLanes
      .flatMap((lane) => itemsOf(lane, files))
      .filter(({ setting }) => settings[setting].sharesImports && settings[setting].areTogether);
    expect(sharing.filter(({ file }) => !canBeLoaded(readFileSync(join(root, file), 'utf8'))).map(nameOf)).toEqual([]);
    expect(
      canBeLoaded("import { it } from '@jest/globals';\nconst one = await Promise.resolve(1);\nit('x', one);"),
    ).toBe(false);
  });

  it.each<[string, string, object]>([
    ['a file of a folder', 'test/unit/lib/x.test.ts', { lane: 'check', setting: 'processes' }],
    [
      'a file that has an entry of its own',
      'test/unit/rules/order-ledger/simulated-year.test.ts',
      { lane: 'deep', setting: 'processes' },
    ],
    ['a folder in another', 'test/e2e/rest/rest.test.ts', { lane: 'test', setting: 'shared platform' }],
  ])('have %s', (_, file, expected) => {
    expect(entryOf(file)).toMatchObject(expected);
  });
});

const item = (name: string, setting: Item['setting'] = 'platform'): Item => ({ file: `test/${name}.test.ts`, setting });
const run = (commits: number, seconds: number) => ({ commits, commit: 'c', seconds });
const runsOf = (runs: readonly (readonly [Item, number, number])[]): DeepRuns => ({
  since: 100,
  runs: Object.fromEntries(runs.map(([one, commits, seconds]) => [nameOf(one), run(commits, seconds)])),
});
const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')];

describe('a shard', () => {
  it.each<[string, DeepRuns, readonly string[], readonly Item[]]>([
    [
      'begins with what never ran',
      runsOf([
        [a, 1, 400],
        [b, 2, 500],
      ]),
      [],
      [c, d, a],
    ],
    [
      'goes on with what passed longest ago',
      runsOf([
        [a, 4, 250],
        [b, 3, 250],
        [c, 2, 250],
        [d, 1, 250],
      ]),
      [],
      [d, c],
    ],
    [
      'passes over what is too long for the rest',
      runsOf([
        [a, 1, 400],
        [b, 2, 400],
        [c, 3, 100],
        [d, 4, 100],
      ]),
      [],
      [a, c, d],
    ],
    [
      'runs what is longer than a shard alone',
      runsOf([
        [a, 1, 900],
        [b, 2, 1],
        [c, 3, 1],
        [d, 4, 1],
      ]),
      [],
      [a],
    ],
    [
      'has all that changed, however long',
      runsOf([
        [a, 1, 400],
        [b, 2, 400],
        [c, 3, 400],
        [d, 4, 400],
      ]),
      ['test/d.test.ts', 'test/c.test.ts'],
      [c, d],
    ],
  ])('%s', (_, runs, changed, expected) => {
    const options = {
      hasChanged: (file: string) => changed.includes(file),
      sideBySide: () => 1,
      usualSeconds: () => 60,
    };
    expect(chooseShard([a, b, c, d], runs, options)).toEqual(expected);
  });

  it('holds more of what runs side by side', () => {
    const runs = runsOf([
      [a, 1, 400],
      [b, 2, 400],
      [c, 3, 400],
      [d, 4, 400],
    ]);
    expect(
      chooseShard([a, b, c, d], runs, { hasChanged: () => false, sideBySide: () => 2, usualSeconds: () => 60 }),
    ).toEqual([a, b, c]);
  });

  it('after a shard whose runs were noted is another one, until all have run', () => {
    const all = Array.from({ length: 20 }, (_, index) => item(`file-${index}`));
    let runs = runsOf([]);
    const seen = new Set<string>();
    let shards = 0;
    for (; seen.size < all.length; shards += 1) {
      const shard = chooseShard(all, runs, { hasChanged: () => false, sideBySide: () => 1, usualSeconds: () => 60 });
      expect(shard.length).toBeGreaterThan(0);
      for (const one of shard) seen.add(nameOf(one));
      runs = { since: 0, runs: { ...runs.runs, ...runsOf(shard.map((one) => [one, shards + 1, 200])).runs } };
    }
    expect(shards).toBe(2);
  });
});

const here = checkedOut(root);

describe('the deep lane', () => {
  it('passed within the last 150 commits, each file in each of its settings', () => {
    const items = itemsOf('deep', files);
    const runs = readDeepRuns(root);
    expect(Object.keys(runs.runs).filter((name) => !items.some((one) => nameOf(one) === name))).toEqual([]);
    if (here !== null) expect(overdue(items, runs, here.commits)).toEqual([]);
  });

  it('is overdue from the 151st on, counted from when it was written down where it never ran', () => {
    const runs = runsOf([[a, 50, 1]]);
    expect(overdue([a, b], runs, 200)).toEqual([]);
    expect(overdue([a, b], runs, 201)).toEqual([nameOf(a)]);
    expect(overdue([a, b], runs, 251)).toEqual([nameOf(a), nameOf(b)]);
  });
});

describe('tests that failed at first and passed alone', () => {
  const flaky = (test: string, commits: number, cause: string | null): FlakyTest => ({
    ...{ test, commits, cause, date: '2026-01-01', commit: 'c', seen: '' },
  });

  it('are explained, and none of them failed twice', () => {
    expect(faultsOfFlakyTests(readFlakyTests(root), here?.commits ?? 0)).toEqual([]);
  });

  it.each<[string, readonly FlakyTest[], number]>([
    ['of which nobody knows why are good for thirty commits', [flaky('a', 70, null)], 0],
    ['of which nobody knows why stop a landing after that', [flaky('a', 69, null)], 1],
    ['that are explained stay', [flaky('a', 1, 'the port was taken')], 0],
    [
      'that failed a second time stop a landing at once',
      [flaky('a', 99, 'x'), flaky('b', 99, 'y'), flaky('a', 99, 'x')],
      1,
    ],
  ])('%s', (_, all, faults) => {
    expect(faultsOfFlakyTests(all, 100)).toHaveLength(faults);
  });
});
