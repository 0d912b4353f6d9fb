import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { processes, rooms, shared } from '../../../dev/lint/rooms.mjs';
import { codeIn, headings, section, tableRows } from '../../support/markdown.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** What a page says that a room may import, as the lint has it. */
interface Row {
  readonly room: string;
  readonly everything: boolean;
  readonly named: readonly string[];
}

const rowsOf = (text: string): readonly Row[] =>
  tableRows(section(text, '## Rooms') ?? '').map(([room = '', , imports = '']) => ({
    room: codeIn(room)[0] ?? room,
    everything: imports.startsWith('every room'),
    named: codeIn(imports).toSorted(),
  }));

const row = (room: string, named: readonly string[], everything: boolean): Row => ({
  room,
  everything,
  named: named.toSorted(),
});

const inTheLint: readonly Row[] = [
  ...Object.entries(rooms).map(([room, imports]) => row(room, imports, false)),
  ...shared.map((room) => row(room, [], false)),
  ...Object.entries(processes).map(([room, imports]) => row(room, imports, true)),
];

const byRoom = (rows: readonly Row[]): readonly Row[] => rows.toSorted((a, b) => (a.room < b.room ? -1 : 1));

/** Fails when a room or an arrow is on the page and not in the lint, or in the lint and not on the page. */
describe('the table of rooms', () => {
  it('says what the lint holds', () => {
    expect(byRoom(rowsOf(page))).toEqual(byRoom(inTheLint));
  });

  it('names folders that there are', () => {
    expect(rowsOf(page).filter(({ room }) => !existsSync(join(root, 'src', room)))).toEqual([]);
  });

  it.each<[string, (text: string) => string]>([
    ['that lacks a room', (text) => text.replace(/^\| `quota` .*\n/m, '')],
    ['with an arrow too many', (text) => text.replace(/^(\| `quota` .*)`lib` \|$/m, '$1`lib`, `redis` |')],
    ['with a room that is none', (text) => text.replace(/^(\| )`quota`/m, '$1`quotas`')],
  ])('%s is told of', (_, change) => {
    expect(change(page)).not.toBe(page);
    expect(byRoom(rowsOf(change(page)))).not.toEqual(byRoom(inTheLint));
  });
});

const filesAtMost = 8;
const walks = headings(section(page, '## Three walks') ?? '', 3);
const filesOf = (walk: string): readonly string[] =>
  (section(page, `### ${walk}`) ?? '')
    .split('\n')
    .filter((line) => /^\d+\. /.test(line))
    .map((line) => /^\d+\. `([^`]+)`/.exec(line)?.[1] ?? line);

/** Fails when a file of a walk was renamed, or a walk became so long that nobody follows it. */
describe('a walk through the code', () => {
  it('is there for an event, a call and a redirect', () => {
    expect(walks).toHaveLength(3);
  });

  it.each(walks)('%s: files that there are, each once, eight at most', (walk) => {
    const files = filesOf(walk);
    expect(files.length).toBeGreaterThan(2);
    expect(files.length).toBeLessThanOrEqual(filesAtMost);
    expect(new Set(files).size).toBe(files.length);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
