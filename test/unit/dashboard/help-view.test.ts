import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { helpMain } from '../../../src/dashboard/views/help-view.ts';
import { symptoms } from '../../../src/rules/codes/code-rows.ts';
import { reasonsOf, helpTextOf } from '../../../src/rules/help-text.ts';
import { presentation } from '../../support/view-context.ts';

const docs = join(import.meta.dirname, '../../../docs');
const guide = readFileSync(join(docs, 'troubleshooting.md'), 'utf8');
const reference = readFileSync(join(docs, 'reference/customer-help.md'), 'utf8');
const page = helpMain({ ...presentation, csrf: '' }).text;

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part);

/** What stands between one anchor and the next. */
const partAt = (text: string, anchor: string): string =>
  text.split('<a id="').find((part) => part.startsWith(`${anchor}"`)) ?? '';
const pageAt = (anchor: string): string => page.split('<section').find((part) => part.includes(`id="${anchor}"`)) ?? '';

const codesIn = (text: string, anchor: string) => found(partAt(text, anchor), /^\| `(\w+)` \|/gm).toSorted();
const codesOfPage = (anchor: string) => found(pageAt(anchor), /<code>(\w+)<\/code>/g).toSorted();

describe('the help page and the guide', () => {
  it('have the same four anchors, in the same order', () => {
    expect(found(page, /<section [^>]*id="([^"]+)"/g)).toEqual(symptoms);
    expect(found(guide, /<a id="([^"]+)">/g)).toEqual(symptoms);
  });

  it.each(symptoms)('%s has every code that belongs to it, on both pages for customers', (symptom) => {
    expect(codesOfPage(symptom)).toEqual(reasonsOf(symptom));
    expect(codesIn(reference, symptom)).toEqual(reasonsOf(symptom));
  });

  it.each(symptoms)('%s tells administrators more of codes that belong to it, and of no others', (symptom) => {
    const codes = codesIn(guide, symptom);
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => !reasonsOf(symptom).includes(code))).toEqual([]);
    expect(guide).toContain('(reference/customer-help.md)');
  });

  it.each(symptoms)('%s says why, what to look at and what to do, on both', (symptom) => {
    for (const part of ['**Why**', '**Look at**', '**Do**']) expect(partAt(guide, symptom)).toContain(part);
    expect(found(pageAt(symptom), /<h3>(.*?)<\/h3>/g)).toEqual([
      'Why it happens',
      'What to look at',
      'What to do',
      'What the codes mean',
    ]);
    expect(found(pageAt(symptom), /<li>(.*?)<\/li>/g).length).toBeGreaterThanOrEqual(8);
  });
});

describe('the help page', () => {
  it('lists its sections first, by links that lead to them', () => {
    const [list = ''] = page.split('<section');
    expect(found(list, /href="#([^"]+)"/g)).toEqual(symptoms);
  });

  it('names every section by its heading, and every id once', () => {
    for (const symptom of symptoms) expect(pageAt(symptom)).toContain(`<h2 id="${symptom}-title">`);
    const ids = found(page, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says of a code what the domain’s own page says of it', () => {
    const { title, todo } = helpTextOf('Unverified', 'DoubledZone');
    expect(pageAt('verification-keeps-failing')).toContain(title);
    expect(pageAt('verification-keeps-failing')).toContain(todo);
  });

  it('asks nothing of customers that only operators have', () => {
    expect(page).not.toMatch(/kubectl|namespace|ingress|cert-manager|\bdig\b/i);
  });

  it('brings no script and no style of its own', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });
});
