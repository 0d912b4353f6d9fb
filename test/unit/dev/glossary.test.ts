import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { goneIdentifiers } from '../../../dev/lint/gone-words.mjs';
import { codeIn, tableRows } from '../../support/markdown.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/glossary.md'), 'utf8');

const isPath = (code: string): boolean => /^(src|crds|dev|test|docs)\//.test(code);

/** What is wrong with the third column of a row: no file, a file that is not there, a name that the file does not have. */
function faultsOf([term = '', , place = '']: readonly string[]): readonly string[] {
  const faults: string[] = [];
  let text = '';
  if (!codeIn(place).some(isPath)) faults.push(`${term} names no file`);
  for (const code of codeIn(place)) {
    if (!isPath(code)) {
      if (!new RegExp(`\\b${code}\\b`).test(text)) faults.push(`${term}: ${code} is not in the file before it`);
    } else if (existsSync(join(root, code))) text = readFileSync(join(root, code), 'utf8');
    else faults.push(`${term}: there is no ${code}`);
  }
  return faults;
}

/** Fails when a file or a name was renamed and the glossary was not. */
describe('the glossary', () => {
  const rows = tableRows(page);

  it('has four columns in every row, and each term once', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((row) => row.length !== 4)).toEqual([]);
    const terms = rows.map(([term]) => term);
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  it('names files and names that there are', () => {
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it.each(goneIdentifiers)('has a word for what was called %s: %s', (_, instead) => {
    const words = instead.split(/, | or /);
    expect(words.filter((word) => page.includes(word))).not.toEqual([]);
  });

  it.each<[string, string, string]>([
    ['without a file', '| a | b | `name` | c |', 'a names no file'],
    ['with a file that is not there', '| a | b | `src/none.ts` | c |', 'there is no src/none.ts'],
    [
      'with a name that its file does not have',
      '| a | b | `src/rules/api-key-format.ts`: `scopez` | c |',
      'scopez is not in',
    ],
  ])('a row %s is told of', (_, row, fault) => {
    expect(faultsOf(tableRows(row)[0] ?? []).join()).toContain(fault);
  });
});
