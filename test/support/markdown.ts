/** Reads our own pages: headings, tables, and the paths that a text names. */

/** Cells of every row of the tables in a text, heads and lines below them left out. */
export function tableRows(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').map((line) => (line.startsWith('|') ? cellsOf(line) : null));
  return rows.flatMap((row, index) => {
    const isHead = rows[index + 1]?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
    const isLine = row?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
    return row === null || isHead || isLine ? [] : [row];
  });
}

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** What stands in a text as code. */
export const codeIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The text below a heading, up to the next of its level or above; undefined where there is no such heading. */
export function section(text: string, heading: string): string | undefined {
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) return undefined;
  const level = heading.indexOf(' ');
  const end = lines.findIndex((line, index) => index > start && /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n');
}

/** Headings of a level, without their marks. */
export const headings = (text: string, level: number): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${'#'.repeat(level)} `))
    .map((line) => line.slice(level + 1));

/** Targets of links to other files, without the place in them. */
export const linkedFiles = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
