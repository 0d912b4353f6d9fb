import { printable, visibleData, visibleJson, visibleLines } from '../lib/printable.ts';
import { UsageError } from './usage-errors.ts';

/** Columns as kubectl prints them: headings in capitals, three spaces between columns, no trailing spaces, each cell on one line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    headings.map((heading) => heading.toUpperCase()),
    ...rows.map((row) => row.map((cell) => printable(cell))),
  ];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };
const shape = /^(?=\d)(\d{1,5}h)?(\d{1,5}m)?(\d{1,5}s)?$/;
/** Every wait has a limit. */
const longest = 24 * 3_600_000;

/** Whether a text is written as a duration, however long. */
export const isDuration = (text: string): boolean => shape.test(text);

/** Milliseconds of `90s`, `5m`, `1h30m`, as kubectl writes durations. Throws UsageError naming the option. */
export function durationOf(option: string, text: string): number {
  const parts = shape.exec(text)?.slice(1).filter(Boolean);
  if (!parts) throw new UsageError(`${option}: '${text}' is not a duration; write for example 60s, 5m or 1h30m`);
  const ms = parts.reduce((sum, part) => sum + Number.parseInt(part, 10) * (units[part.slice(-1)] ?? 0), 0);
  if (ms > longest) throw new UsageError(`${option}: at most 24h`);
  return ms;
}

/** The reverse: 90,000 is `1m30s`. */
export function printDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = { h: Math.floor(seconds / 3_600), m: Math.floor((seconds % 3_600) / 60), s: seconds % 60 };
  const shown = Object.entries(parts).filter(([, count]) => count > 0);
  return shown.map(([unit, count]) => `${count}${unit}`).join('') || '0s';
}

/** The one place where the command line writes: whatever a tenant, a server or a zone put into a text, no terminal obeys it. */

/** A result on stdout: as it is in JSON, or as `print` has it, whose texts are each on one line. */
export function writeResult<T>(result: T, isJson: boolean | undefined, print: (shown: T) => string): void {
  if (isJson) writeJson(result);
  else writeText(print(visibleData(result)));
}

/** A document on stdout. */
export const writeJson = (document: unknown): void => console.log(visibleJson(JSON.stringify(document, null, 2)));

/** Lines on stdout. What others wrote has to be on one line before it is put into them. */
export const writeText = (text: string): void => console.log(visibleLines(text));

/** Lines on stderr, as on stdout. */
export const tell = (text: string): void => console.error(visibleLines(text));
