import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { FileMessage } from '../../../dev/lib/file-progress.ts';
import { runTogether } from '../../../dev/lib/jest.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder('files-together');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const globals = "import {\n  afterAll,\n  beforeEach,\n  expect,\n  it,\n} from '@jest/globals';\n";
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return relative(root, join(folder, name));
};

/** Fails when of files that share a process one is not told of, or its hooks run for another one. */
describe('files that run together', () => {
  it('are told of one by one, with what failed in which of them, and keep their hooks to themselves', async () => {
    const files = {
      good: write(
        'good.test.ts',
        `${globals}let count: number = 0;
beforeEach(() => void (count += 1));
it('counts its own', () => expect(count).toBe(1));
it('counts on', () => expect(count).toBe(2));
afterAll(() => expect(count).toBe(2));`,
      ),
      bad: write('bad.test.ts', `${globals}it('holds', () => undefined);\nit('fails', () => expect(1).toBe(2));`),
      hook: write(
        'hook.test.ts',
        `${globals}it('holds', () => undefined);\nafterAll(() => { throw new Error('cannot end'); });`,
      ),
      broken: write(
        'broken.test.ts',
        `${globals}import { x } from './nowhere.ts';\nit('runs', () => expect(x).toBe(1));`,
      ),
      waiting: write(
        'waiting.test.ts',
        `${globals}const one = await Promise.resolve(1);\nit('runs', () => expect(one).toBe(1));`,
      ),
      last: write('last.test.ts', `${globals}it('runs', () => undefined);`),
    };
    const heard: FileMessage[] = [];
    const counts = await runTogether(Object.values(files), { heard: (message) => heard.push(message), isSilent: true });
    expect(counts).toMatchObject({ passed: 4, failed: 4, skipped: 0 });
    expect(counts.failedFiles.toSorted()).toEqual([files.bad, files.hook, files.broken, files.waiting].toSorted());
    expect(counts.failures.map((failure) => failure.split('\n')[0]).toSorted()).toEqual(
      [
        `${files.bad} › fails`,
        `${files.hook} › holds`,
        `${files.broken} › can be loaded`,
        `${files.waiting} › can be loaded`,
      ].toSorted(),
    );
    const ended = heard.flatMap((message) => ('ended' in message ? [[message.ended, message.passed]] : []));
    expect(Object.fromEntries(ended)).toEqual({
      ...{ [files.good]: true, [files.bad]: false, [files.hook]: false },
      ...{ [files.broken]: false, [files.waiting]: false, [files.last]: true },
    });
    expect(heard.flatMap((message) => ('begun' in message ? [message.begun] : []))).toEqual(Object.values(files));
  });
});
