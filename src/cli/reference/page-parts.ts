import type { CodeRow } from '../../rules/codes/code-rows.ts';

const origin = 'Made of the tables in the source by `npm run generate`; not edited by hand.';

/** A page of docs/reference, as Markdown. */
export const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, origin, ...parts].join('\n\n')}\n`;

/** A table of Markdown whose first column is code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const named = rows.map(([name = '', ...rest]) => line([`\`${name}\``, ...rest]));
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...named].join('\n');
}

/** A table of codes with their definitions, and with what the dashboard tells the customer to do. */
export const withAdvice = (what: string, codes: Readonly<Record<string, CodeRow>>): string =>
  table(
    [what, 'meaning', 'what the customer is told'],
    Object.entries(codes).map(([code, { definition, todo }]) => [code, definition, todo]),
  );
