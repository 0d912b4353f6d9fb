import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { root } from '../lanes/report.ts';
import { argumentsOf } from '../lib/arguments.ts';
import { outputOf } from '../lib/output.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import type { Mutation } from '../mutants/mutations.ts';
import { chooseMutations, mutated } from '../mutants/mutations.ts';

/**
 * `npm run mutants -- --seed 1 --count 40`: changes one place of src at a time, spread over its rooms, in a work tree of the
 * commit that is checked out, and says which unit test notices first: those that import the changed file, then all.
 * `--only 7,9` takes some of them by their number; `--tests test/faults,test/cluster` runs these instead of the unit tests,
 * for what lives on. A mutation that nothing notices is a question to its reader and no failure.
 */
const { values } = argumentsOf({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    only: { type: 'string' },
    tests: { type: 'string' },
  },
});
const withinMs = 20 * 60_000;

const folder = temporaryFolder('mutants');
const tree = join(folder, 'tree');
/** Ends the tests that run, with their workers. */
let endTests: () => void = () => undefined;
process.on('exit', () => {
  endTests();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await outputOf('git', ['worktree', 'add', '--detach', tree, 'HEAD'], { cwd: root });
await outputOf('cp', ['-al', join(root, 'node_modules'), join(tree, 'node_modules')]);

const paths = globSync('src/**/*.ts', { cwd: tree })
  .filter((path) => !path.startsWith('src/generated/'))
  .toSorted();
const rooms = Object.groupBy(
  paths.map((path) => ({ path, text: readFileSync(join(tree, path), 'utf8') })),
  ({ path }) => path.split('/')[1] ?? '',
);
const chosen = chooseMutations(rooms as Parameters<typeof chooseMutations>[0], {
  seed: Number(values.seed),
  count: Number(values.count),
});
const only = values.only?.split(',').map(Number);

const program = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
/** Ends at the first test that fails. */
const jest = [...program, '--bail', '--silent', '-w', '2'];
/** Those that a landing runs: simulations take minutes each. */
const unitTests = itemsOf('check', testFiles(root)).map(({ file }) => file);

/** Those of them that import a file. */
async function importing(path: string): Promise<readonly string[]> {
  const listed = await outputOf(process.execPath, [...program, '--listTests', '--findRelatedTests', path], {
    cwd: tree,
  });
  const files = new Set(listed.split('\n').map((line) => relative(tree, line)));
  return unitTests.filter((file) => files.has(file));
}

/** What runs until something notices, the quickest first. */
async function runsFor(path: string): Promise<readonly (readonly string[])[]> {
  if (values.tests !== undefined) return [['dev/start.mjs', 'test', ...values.tests.split(',')]];
  const first = await importing(path);
  const others = unitTests.filter((file) => !first.includes(file));
  return [first, others].filter(({ length }) => length > 0).map((files) => [...jest, '--runTestsByPath', ...files]);
}

/** What noticed first; null where all passed. A run that does not end has noticed as well. */
async function noticed(path: string): Promise<string | null> {
  for (const run of await runsFor(path)) {
    const found = await failureOf(run);
    if (found !== null) return found;
  }
  return null;
}

async function failureOf(run: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, [...run], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A worker in an endless loop outlives jest: the whole group is ended.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  endTests = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  const tooLong = setTimeout(endTests, withinMs);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(tooLong);
  endTests = () => undefined;
  if (status === 0) return null;
  const last = said.trim().split('\n').at(-1);
  // Nothing was tested, so nothing noticed.
  if (status === 3) {
    console.error(last);
    process.exit(3);
  }
  const [, name] = /^(?:failed:| {2}●) (.*)$/m.exec(said) ?? [];
  return name ?? `ended with ${status}: ${last}`;
}

const described = ({ path, line, kind, from, to }: Mutation & { readonly path: string }): string =>
  `${path}:${line} ${kind}: ${from.split('\n')[0]} → ${to}`;

let lives = 0;
for (const [index, mutation] of chosen.entries()) {
  if (only !== undefined && !only.includes(index + 1)) continue;
  const file = join(tree, mutation.path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(text, mutation));
  const by = await noticed(mutation.path);
  writeFileSync(file, text);
  if (by === null) lives += 1;
  console.log(`${index + 1}. ${described(mutation)}\n   ${by ?? 'LIVES'}`);
}
rmSync(folder, { recursive: true, force: true });
await outputOf('git', ['worktree', 'prune'], { cwd: root });
console.log(`${lives} live`);
