import { describe, expect, it } from '@jest/globals';
import { createCursors } from '../../../src/use-cases/cursors.ts';
import { pageOf } from '../../../src/use-cases/pagination.ts';
import { drawn, fc } from '../../support/property.ts';

const keyOf = (name: string) => name;
const shuffled = Array.from({ length: 1_000 }, (_, index) => `n${String((index * 577) % 1_000).padStart(4, '0')}`);
const cursors = createCursors(Buffer.alloc(32, 1));
const names = cursors(['names']);
const page = (all: readonly string[], request: { readonly limit: number; readonly cursor?: string | undefined }) =>
  pageOf(all, keyOf, request, names);

describe('pages of a list that has no order', () => {
  it.each([1, 7, 100])('of %d show every item once, in order', (limit) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const shown = page(shuffled, { limit, cursor });
      expect(shown.items.length).toBeLessThanOrEqual(limit);
      seen.push(...shown.items);
      cursor = shown.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(shuffled.toSorted());
  });

  it('end without a cursor when the last page is full', () => {
    expect(page(['b', 'a'], { limit: 2 })).toEqual({ items: ['a', 'b'], nextCursor: null });
  });

  it('go on after an item that was removed meanwhile', () => {
    const { nextCursor } = page(['a', 'b', 'c'], { limit: 2 });
    expect(page(['a', 'c'], { limit: 2, cursor: nextCursor ?? '' }).items).toEqual(['c']);
  });
});

describe('pages of a list that changes between them', () => {
  const name = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', '-', '.', 'ü') });
  const change = fc.record({ add: fc.array(name, { maxLength: 4 }), remove: fc.array(name, { maxLength: 4 }) });

  it('leave out nothing that was there throughout, and show nothing twice', () => {
    const cases = fc.tuple(fc.uniqueArray(name), fc.infiniteStream(change), fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(cases, ([first, changes, limit]) => {
        let all = new Set(first);
        const throughout = new Set(first);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const shown = page([...all], { limit, cursor });
          seen.push(...shown.items);
          cursor = shown.nextCursor ?? undefined;
          for (const { add, remove } of changes.take(1)) {
            for (const gone of remove) throughout.delete(gone);
            all = new Set([...all, ...add].filter((one) => !remove.includes(one)));
          }
        } while (cursor !== undefined);
        expect(seen).toEqual([...new Set(seen)].toSorted());
        expect([...throughout].filter((one) => !seen.includes(one))).toEqual([]);
      }),
      { numRuns: drawn(900) },
    );
  });
});

describe('a cursor', () => {
  const cursor = names.seal('b');
  const bytes = Buffer.from(cursor, 'base64url');
  const flipped = (at: number) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

  it('is taken by every server of the installation, and after a restart', () => {
    expect(createCursors(Buffer.alloc(32, 1))(['names']).open(cursor)).toBe('b');
  });

  it('whose last character has a bit of no byte is there to be tried', () => {
    expect(bytes.length % 3).toBe(2);
    const other = `${cursor.slice(0, -1)}${String.fromCharCode(cursor.charCodeAt(cursor.length - 1) + 1)}`;
    expect(Buffer.from(other, 'base64url')).toEqual(bytes);
  });

  it.each<[string, string]>([
    ['of another installation', createCursors(Buffer.alloc(32, 2))(['names']).seal('b')],
    ['of another list', cursors(['others']).seal('b')],
    ['of the same list with a filter', cursors(['names', { q: 'b' }]).seal('b')],
    ['of a list whose name and position look the same joined', cursors(['names"]["x']).seal('b')],
    ['that is empty', ''],
    ['that is nothing but a MAC', bytes.subarray(0, 16).toString('base64url')],
    ['without its last byte', bytes.subarray(0, -1).toString('base64url')],
    ['without its last character', cursor.slice(0, -1)],
    ['with a character more', `${cursor}A`],
    ['with padding', `${cursor}=`],
    ['with white space', ` ${cursor}`],
    ['with another position', flipped(16).toString('base64url')],
    ['with another MAC', flipped(0).toString('base64url')],
    [
      'with bits in its last character that are of no byte',
      `${cursor.slice(0, -1)}${String.fromCharCode(cursor.charCodeAt(cursor.length - 1) + 1)}`,
    ],
    ['as it was before it had a MAC', Buffer.from('1:b').toString('base64url')],
    ['that is no text', '\ud800\0'],
  ])('is refused %s', (_, given) => {
    expect(() => names.open(given)).toThrow(expect.objectContaining({ code: 'malformed-request' }));
  });

  it('opens for one position alone, whatever is drawn', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (drawnBytes) => {
        expect(() => names.open(Buffer.from(drawnBytes).toString('base64url'))).toThrow('cursor: ');
      }),
      { numRuns: drawn(300) },
    );
  });

  it('has room for the longest name', () => {
    const long = 'a'.repeat(253);
    const position = `2026-12-01T00:00:00Z ${long} ${long}`;
    expect(names.seal(position).length).toBeLessThanOrEqual(1_024);
    expect(names.open(names.seal(position))).toBe(position);
  });
});
