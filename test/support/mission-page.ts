import { tableRows } from './markdown.ts';

/** Reads docs/mission.md as its first paragraph tells people to read it. */

/** What the repository has. */
export interface Sources {
  /** the text of a file by its path from the root of the repository; undefined where there is none */
  readonly textOf: (path: string) => string | undefined;
}

export interface PromiseRow {
  readonly number: string;
  readonly promise: string;
  /** yes, ours, or differs or short with a reason */
  readonly how: string;
  readonly shownBy: readonly ShownBy[];
}

interface ShownBy {
  readonly path: string;
  readonly name: string;
}

/** The promises of the page, in its order; the table of its own words left out. */
export const promisesOf = (page: string): readonly PromiseRow[] =>
  tableRows(page)
    .filter((cells) => cells.length !== 2)
    .map(([number = '', promise = '', how = '', shown = '']) => ({
      ...{ number, promise, how },
      shownBy: shown === '' ? [] : shown.split('<br>').map(shownBy),
    }));

const reference = /^\[([^\]]+)\]\(\.\.\/(test\/\S+\.test\.ts)\): (.+)$/;

function shownBy(text: string): ShownBy {
  const [, label = '', path = '', name = ''] = reference.exec(text) ?? [];
  return path.endsWith(`/${label}.test.ts`) ? { path, name } : { path: text, name: '' };
}

/** What is wrong with the page, a sentence each; nothing where every promise has a test that is there. */
export function faultsOf(page: string, sources: Sources): readonly string[] {
  return promisesOf(page).flatMap((row, index) =>
    faultsOfRow(row, index, sources).map((fault) => `${row.number} '${row.promise}': ${fault}`),
  );
}

function faultsOfRow(row: PromiseRow, index: number, sources: Sources): readonly string[] {
  return [
    ...(row.number === String(index + 1) ? [] : [`is row ${index + 1}`]),
    ...(row.promise === '' ? ['promises nothing'] : []),
    ...(/^(?:yes|ours|(?:differs|short): .{20,})$/.test(row.how) ? [] : [`is neither yes, ours, differs nor short`]),
    ...(row.shownBy.length === 0 ? ['names no test'] : []),
    ...row.shownBy.flatMap((shown) => faultsOfTest(shown, sources)),
  ];
}

function faultsOfTest({ path, name }: ShownBy, { textOf }: Sources): readonly string[] {
  if (name === '') return [`names a test in another form than [a](../test/a.test.ts): name, '${path}'`];
  const text = textOf(path);
  if (text === undefined) return [`there is no ${path}`];
  return isNamedIn(text, name) ? [] : [`${path} has no test or row '${name}'`];
}

/** more white space than stands between a bracket and a name in the next line */
const longestIndent = 40;

/** True where the name stands there whole, as what a call or a row begins with. */
const isNamedIn = (source: string, name: string): boolean =>
  ["'", '"', '`'].some((quote) => {
    const text = `${quote}${name.replaceAll(quote, `\\${quote}`)}${quote}`;
    const before = source.split(text).slice(0, -1);
    return before.some((part) => /[([]\s*$/.test(part.slice(-longestIndent)));
  });
