/** Columns as kubectl prints them: headings in capitals, three spaces between, no spaces at the end of a line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
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
