import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultsOf } from '../../support/security-page.ts';
import { boundaries, faultsOfThreats, namesBelow } from '../../support/threats-page.ts';

/** docs/contributing/threats.md has a row for everything that a stranger can reach, and a test behind each row. */

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/contributing/threats.md'), 'utf8');
const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path}`)
  .filter((path) => path.endsWith('.test.ts'));

describe('the page on threats', () => {
  it('has a row for every room, call, page, field, kind and edge of the code, and for nothing else', () => {
    expect(faultsOfThreats(page, boundaries())).toEqual([]);
  });

  it('names a test for each row, and none that is not there', () => {
    const asOfRoot = page.replaceAll(/^(\[[^\]]+\]: )\.\.\/\.\.\//gm, '$1../');
    expect(faultsOf(asOfRoot, { all, attacks: [] })).toEqual([]);
  });

  it.each(Object.entries(boundaries()))('reads %s from the code', (_, names) => {
    expect(names.length).toBeGreaterThan(3);
  });
});

/** Fails when the check would let a change through that nobody has asked the three questions about. */
describe('a page on threats', () => {
  const small = '## Calls\n\n| call | held by |\n|---|---|\n| `GET /a`, `GET /b` | [x] |\n\n## Kinds\n\nNone.\n';

  it('names what the first cells of a table have in code', () => {
    expect(namesBelow(small, 'Calls')).toEqual(['GET /a', 'GET /b']);
    expect(namesBelow(small, 'Kinds')).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    ['with a row for each', { Calls: ['GET /a', 'GET /b'] }, []],
    [
      'that lacks a new call',
      { Calls: ['GET /a', 'GET /b', 'PUT /c'] },
      ['Calls: no row says who reads `PUT /c` and who pays for it'],
    ],
    ['that has a call which is gone', { Calls: ['GET /a'] }, ['Calls: `GET /b` is not there any more']],
    ['that lacks a whole table', { Kinds: ['Secret'] }, ['Kinds: no row says who reads `Secret` and who pays for it']],
  ])('%s is told so', (_, wanted, faults) => {
    expect(faultsOfThreats(small, wanted)).toEqual(faults);
  });

  it('that names one thing twice is told so', () => {
    expect(faultsOfThreats(small.replace('GET /b', 'GET /a'), { Calls: ['GET /a'] })).toEqual([
      'Calls: `GET /a` has two rows',
    ]);
  });
});
