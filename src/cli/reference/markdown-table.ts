/** A table of Markdown whose first column is code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const named = rows.map(([name = '', ...rest]) => line([`\`${name}\``, ...rest]));
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...named].join('\n');
}
