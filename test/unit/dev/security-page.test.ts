import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultsOf } from '../../support/security-page.ts';

/** docs/security.md claims what tests show, and names them; the attacks of test/adversary are all on it. */

const root = join(import.meta.dirname, '../../..');
const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path}`)
  .filter((path) => path.endsWith('.test.ts'));
const tests = { all, attacks: all.filter((path) => path.startsWith('test/adversary/')) };
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

describe('the page on security', () => {
  it('names a test for each claim, and a claim for each attack', () => {
    expect(tests.attacks.length).toBeGreaterThan(70);
    expect(faultsOf(page, tests)).toEqual([]);
  });
});

const small = { all: ['test/adversary/parts/forge.test.ts', 'test/unit/a/b.test.ts'] };
const attacks = ['test/adversary/parts/forge.test.ts'];
const definitions = '\n\n[forge]: ../test/adversary/parts/forge.test.ts\n';

/** Fails when the check would let a page through that says more than its tests. */
describe('a page', () => {
  it.each<[string, string]>([
    ['that names its only attack in a paragraph', `Nobody forges it [forge].${definitions}`],
    ['whose sentences name it, each behind a word of code', `This [forge]. \`x.y\`\nas well [forge].${definitions}`],
    ['with a heading in its text', `**All of it.** This [forge].${definitions}`],
    ['with a list whose items name one each', `- one [forge]\n- two\n  [forge].${definitions}`],
    ['with a table', `| who | held by |\n|---|---|\n| a | [forge] |\n| b | *limit* |${definitions}`],
    [
      'with a limit and code',
      `It is so [forge]:${definitions}`.replace(':', '.\n\n> **Limit.** Not there.\n\n```\nx\n```'),
    ],
  ])('%s has no faults', (_, text) => {
    expect(faultsOf(text, { ...small, attacks })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['whose paragraph names none', `Nobody [forge].\n\nThis is so.${definitions}`, "names no test: 'This is so.'"],
    ['whose first sentence names none', `This is so. That [forge].${definitions}`, "names no test: 'This is so.'"],
    ['whose last sentence names none', `This [forge]. And that.${definitions}`, "names no test: 'And that.'"],
    ['with a list item that names none', `- one [forge]\n- two${definitions}`, "names no test: 'two'"],
    ['with a row that names none', `| a | held by |\n|---|---|\n| [forge] | by hope |${definitions}`, 'a row names no'],
    [
      'with a table without the column',
      `| a | b |\n|---|---|\n| a | [forge] |${definitions}`,
      "not end with 'held by'",
    ],
    ['with a quote that is nothing', `A [forge].\n\n> It is so.${definitions}`, 'neither Scope, Limit nor Yours'],
    ['with a reference in code only', `Nobody \`[forge]\`.${definitions}`, 'names no test'],
    ['with a reference to nowhere', `A [forge], [other].${definitions}`, '[other] is not defined'],
    ['with a definition of no test', `A [forge], [b].${definitions}[b]: ../test/unit/b.test.ts`, 'which is no test'],
    [
      'with a label of another test',
      `A [forge], [c].${definitions}[c]: ../test/unit/a/b.test.ts`,
      'not what test/unit/a/b',
    ],
    [
      'with a definition that nothing uses',
      `A [forge].${definitions}[a/b]: ../test/unit/a/b.test.ts`,
      'behind no claim',
    ],
    [
      'without an attack',
      'A [a/b].\n\n[a/b]: ../test/unit/a/b.test.ts',
      'no claim names test/adversary/parts/forge.test.ts',
    ],
    [
      'that only defines an attack',
      `> **Limit.** None.${definitions}`,
      'no claim names test/adversary/parts/forge.test.ts',
    ],
  ])('%s is told of', (_, text, fault) => {
    expect(faultsOf(text, { ...small, attacks }).join('\n')).toContain(fault);
  });

  it('that lacks one reference of the real one is told of', () => {
    const lacking = page.replace('| [forge-status] |', '| |');
    expect(faultsOf(lacking, tests).join('\n')).toContain('no claim names test/adversary/parts/forge-status.test.ts');
  });
});
