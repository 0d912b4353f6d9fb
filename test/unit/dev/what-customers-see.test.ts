import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pages } from '../../../src/dashboard/page-table.ts';
import { planName } from '../../../src/dashboard/views/plan-view.ts';
import { isKnownReason } from '../../../src/rules/next-step.ts';
import { symptoms } from '../../../src/rules/codes/code-rows.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';
import { problemCodes } from '../../../src/rules/codes/problem-codes.ts';
import { english } from '../../../src/dashboard/words/catalogue.ts';
import { codeIn, headings, section, tableRows } from '../../support/markdown.ts';
import { defaultPlans } from '../../support/plans.ts';

/**
 * What is promised to customers, and where they meet it. Fails when the dashboard, the API or a page has changed so that a
 * place named in the tables is not there any more, or when a table no longer says where.
 */

const path = 'docs/concepts/what-customers-see.md';
const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, path), 'utf8');
const tables = ['## Domains', '## Plans and limits', '## Symptoms'];
const rows = tables.flatMap((heading) => tableRows(section(text, heading) ?? ''));
const addresses = tableRows(text.split('## Domains')[0] ?? '');

/** Everything that the dashboard can say, to be searched. */
const said: string = [
  Object.values(english.messages).flatMap((message) =>
    typeof message === 'string' ? [message] : Object.values(message as Readonly<Record<string, string>>),
  ),
  JSON.stringify(Object.values(english.chapters)),
  JSON.stringify(Object.values(english.problems)),
  ...['StrayAddress', 'CAAForbids', 'Issuing', 'IssuanceOverdue', 'DNSWrongNow', 'WriteRefused'].map((reason) =>
    JSON.stringify(english.help('Verified', reason)),
  ),
  Object.values(english.recordStatus),
]
  .flat()
  .join('\n');

const quotedIn = (cell: string): readonly string[] => [...cell.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words);

/** The anchors of a page: those that it sets, and those of its headings as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  const set = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-');
  return [...set, ...[1, 2, 3].flatMap((level) => headings(page, level)).map(slug)];
}

/** Links of a cell that lead nowhere. */
function deadLinks(cell: string): readonly string[] {
  return [...cell.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, target = '']) => {
    const [file = '', anchor] = target.split('#');
    const at = join(root, dirname(path), file);
    if (!existsSync(at)) return [target];
    return anchor === undefined || anchorsOf(readFileSync(at, 'utf8')).includes(anchor) ? [] : [target];
  });
}

const document = JSON.stringify(openApiDocument(apiCalls));
const calls = apiCalls.map((call) => `${call.method.toUpperCase()} ${call.path}`);

/** What a code in the column of REST is, and whether it exists. */
function isInRest(code: string): boolean {
  if (code.includes('/v1/')) return calls.includes(code);
  const [, status, problem = ''] = /^(\d{3}) (.*)$/.exec(code) ?? [];
  if (status !== undefined)
    return Object.entries(problemCodes).some(([name, one]) => name === problem && String(one.status) === status);
  return isKnownReason(code) || document.includes(`"${code}"`) || code === 'addresses';
}

describe('what customers see', () => {
  it('has every promise in tables, with a place in the dashboard, in REST and in a page', () => {
    expect(rows.length).toBeGreaterThan(30);
    const incomplete = rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ''));
    expect(incomplete).toEqual([]);
  });

  it('names pages of the dashboard by addresses that are served', () => {
    const served = pages.filter(({ method }) => method === 'get').map((page) => `/dashboard${page.path}`);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.flatMap(([, address = '']) => codeIn(address)).filter((one) => !served.includes(one))).toEqual([]);
    const names = addresses.map(([name = '']) => name);
    const homeless = rows.filter(([, place = '']) => !names.some((name) => place.includes(name)));
    expect(homeless).toEqual([]);
  });

  it.each(rows.map((cells) => [cells[0] ?? '', cells] as const))(
    '%s',
    (_, [, dashboard = '', rest = '', page = '']) => {
      expect(quotedIn(dashboard).filter((words) => !said.includes(words))).toEqual([]);
      expect(codeIn(rest).filter((code) => !isInRest(code))).toEqual([]);
      expect(page).toMatch(/\]\(/);
      expect(deadLinks(page)).toEqual([]);
    },
  );

  it('has a row for each symptom that the help has a chapter for', () => {
    const told = tableRows(section(text, '## Symptoms') ?? '').map(([, , , page = '']) => page);
    for (const symptom of symptoms) expect(told.some((page) => page.includes(`#${symptom})`))).toBe(true);
  });

  it('has the limits that the chart’s plans have', () => {
    const [promise = ''] = rows.find(([first = '']) => first.startsWith('Free 60')) ?? [];
    for (const name of ['free', 'pro', 'business'] as const) {
      const { requestsPerMinute = 0, requestsPerDay = 0 } = defaultPlans[name]?.rateLimit ?? {};
      const [minute, day] = [requestsPerMinute, requestsPerDay].map((count) => count.toLocaleString('en-GB'));
      expect(promise).toMatch(new RegExp(`${planName(name)} ${minute}[a-z ]* and ${day}`));
    }
  });

  it.each([
    ['a file that is gone', '[a](none.md)', ['none.md']],
    ['a place that is gone', '[a](states.md#none)', ['states.md#none']],
    ['a place that is there', '[a](states.md#verify)', []],
  ])('finds %s', (_, cell, dead) => {
    expect(deadLinks(cell)).toEqual(dead);
  });
});
