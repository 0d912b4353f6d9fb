import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { html } from '../../../src/dashboard/html.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { presentation } from '../../support/view-context.ts';

const folder = join(import.meta.dirname, '../../../src/dashboard/assets');
const script = readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const frame = { title: 'A page', section: null, account: null, notice: null };
const page = layout({ ...presentation, csrf: '' }, frame, html``);
const sent = /id="words">([^<]*)</.exec(page)?.[1] ?? '';
const texts = JSON.parse(sent) as Readonly<Record<string, unknown>>;

describe('the words of the script', () => {
  it('are all of the catalogue that it asks for, and none that it does not', () => {
    const said = [...script.matchAll(/\bsay\(([^;]*?)[,)]/g)].flatMap(([, argument = '']) =>
      [...argument.matchAll(/'([\w-]+)'/g)].map(([, key]) => key),
    );
    expect(new Set(said)).toEqual(new Set(Object.keys(texts)));
  });

  it('come with the names of their parameters, which the script fills in', () => {
    expect(texts.removed).toBe('{hostname} was removed');
  });

  /** Two words in a row inside of quotes are a sentence; selectors begin with a sign. */
  it('stand nowhere in the script itself', () => {
    const code = script.replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
    const literals = [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, plain, template]) => plain ?? template ?? '');
    expect(literals.filter((literal) => /^[A-Z][a-z]+[ …:]|^[a-z]+ [a-z]+ [a-z]+/.test(literal))).toEqual([
      'not the page that was requested',
    ]);
  });
});
