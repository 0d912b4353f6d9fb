import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Repository } from '../../support/github-files.ts';
import { faultsOf } from '../../support/github-files.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const repository: Repository = { scripts: Object.keys(scripts), has: (path) => existsSync(join(root, path)) };

/** Fails when a script or a file was renamed and what runs or shows it elsewhere was not. */
describe('what is in .github', () => {
  it.each([...filesBelow('.github'), 'CONTRIBUTING.md'])('%s names what there is', (path) => {
    expect(faultsOf(path, read(path), repository)).toEqual([]);
  });

  it('runs the landing on every push and pull request, with the history by which shards are chosen', () => {
    const text = read('.github/workflows/ci.yml');
    expect(text).toContain('- run: .ci/run');
    expect(text).toContain('fetch-depth: 0');
    const { on } = parse(text) as { readonly on: object };
    expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request']));
  });

  it('has in the landing what is to hold before every change, once each', () => {
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => line.startsWith('npm '));
    expect(commands).toEqual(['npm test', 'npm run audit', 'npm run test:shard -- --node']);
  });

  it('lets dependabot look at every Go module of the tools, and at nothing that is gone', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      readonly updates: readonly { readonly directory?: string; readonly directories?: readonly string[] }[];
    };
    const modules = filesBelow('dev/tools').filter((path) => path.endsWith('/go.mod'));
    const looked = updates.flatMap(({ directories = [] }) => directories);
    expect(looked.toSorted()).toEqual(modules.map((path) => `/${dirname(path)}`).toSorted());
    expect(updates.filter(({ directory = '/' }) => !existsSync(join(root, directory)))).toEqual([]);
  });
});

const none: Repository = { scripts: ['lint'], has: () => false };
const workflow = (rest: string) => `permissions: { contents: read }\n${rest}`;

/** Fails when the check would let through what it is there for. */
describe('a file of .github', () => {
  it.each<[string, string, string, string]>([
    ['that is no YAML', 'a.yml', 'a: [', 'is no YAML'],
    ['that calls a script that is not there', 'a.md', 'run `npm run lnt`', 'calls npm run lnt'],
    ['that calls one in the short form', 'a.md', 'npm tst', 'calls npm tst'],
    ['that names a file that is not there', 'a.md', 'see docs/none.md.', 'names docs/none.md, which'],
    ['that names a folder of an owner', 'CODEOWNERS', '/src/none/ @team', 'names src/none, which'],
    ['that takes an action of a branch', 'workflows/a.yml', workflow('jobs: {a: {uses: a/b@main}}'), 'a/b@main by no'],
    ['that takes one without a commit', 'workflows/a.yml', workflow('jobs: {a: {steps: [{uses: a/b}]}}'), 'a/b by no'],
    ['that takes one by a tag', 'workflows/a.yml', workflow('jobs: {a: {steps: [{uses: a/b@v4}]}}'), 'a/b@v4 by no'],
    ['that may write', 'workflows/a.yml', 'permissions: write-all\njobs: {a: {}}', 'right to read'],
    ['that says nothing of its rights', 'workflows/a.yml', 'jobs: {a: {}}', 'right to read'],
    ['without jobs', 'workflows/a.yml', workflow(''), 'has no jobs'],
  ])('%s is told of', (_, path, text, fault) => {
    expect(faultsOf(path, text, none).join('\n')).toContain(fault);
  });

  it('that names scripts of npm and addresses elsewhere has no faults', () => {
    const text = '`npm run lint`, `npm ci`, https://example.com/docs/none.md and ghcr.io/src/none@v1';
    expect(faultsOf('a.md', text, none)).toEqual([]);
  });
});
