import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultsOf, promisesOf } from '../../support/mission-page.ts';

/** docs/mission.md has every promise of the service with a test that shows it: fails when one has none, or its test is gone. */

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/mission.md'), 'utf8');
const textOf = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;

describe('the page of promises', () => {
  it('names a test that is there for each', () => {
    expect(faultsOf(page, { textOf })).toEqual([]);
  });

  it('has all of them', () => {
    expect(promisesOf(page).length).toBeGreaterThanOrEqual(86);
  });

  it('differs on purpose in two', () => {
    const differing = promisesOf(page).filter(({ how }) => how.startsWith('differs'));
    expect(differing.map(({ promise }) => promise)).toEqual([
      'Type: ALIAS or ANAME for an apex',
      'X-RateLimit-Reset: a Unix timestamp, at which the limit resets',
    ]);
  });
});

const tests: Readonly<Record<string, string>> = {
  'test/unit/a.test.ts': `it.each([['a row', 'a value']])('%s', () => {}); it('says what it’s about', () => {}); it('is the customer\\'s', () => {});`,
};
const head = '| | promise | as promised | shown by |\n|---|---|---|---|\n';
const faults = (row: string) => faultsOf(`${head}${row}`, { textOf: (path) => tests[path] }).join('\n');

/** Fails when the check would let a page through whose promises nothing shows. */
describe('a row', () => {
  it.each([
    ['that names a row of a table', '| 1 | It does | yes | [a](../test/unit/a.test.ts): a row |'],
    ['that names a test with an apostrophe', "| 1 | It does | ours | [a](../test/unit/a.test.ts): is the customer's |"],
    [
      'that names two, and why it falls short',
      '| 1 | It does | short: nobody could ever find out | [a](../test/unit/a.test.ts): a row<br>[a](../test/unit/a.test.ts): %s |',
    ],
  ])('%s has no faults', (_, row) => {
    expect(faults(row)).toBe('');
  });

  it.each([
    ['without a test', '| 1 | It does | yes | |', 'names no test'],
    [
      'whose test is a word of something else',
      '| 1 | It does | yes | [a](../test/unit/a.test.ts): a value |',
      'has no test or row',
    ],
    ['whose test is gone', '| 1 | It does | yes | [a](../test/unit/a.test.ts): a ro |', 'has no test or row'],
    ['whose file is gone', '| 1 | It does | yes | [b](../test/unit/b.test.ts): a row |', 'there is no test/unit/b'],
    ['that names a file alone', '| 1 | It does | yes | [a](../test/unit/a.test.ts) |', 'in another form'],
    ['whose label is that of another', '| 1 | It does | yes | [b](../test/unit/a.test.ts): a row |', 'in another form'],
    ['that falls short without a reason', '| 1 | It does | short | [a](../test/unit/a.test.ts): a row |', 'is neither'],
    ['with a number that is another’s', '| 2 | It does | yes | [a](../test/unit/a.test.ts): a row |', 'is row 1'],
  ])('%s is told of', (_, row, fault) => {
    expect(faults(row)).toContain(fault);
  });
});
