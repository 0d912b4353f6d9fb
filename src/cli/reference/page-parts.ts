import { helpTextOf } from '../../help/reason-help.ts';

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

/** The sentence that says what a word means. */
export type Meanings = Readonly<Record<string, string>>;

/** From a table of codes that has more to say of each. */
export const meaningsOf = (codes: Readonly<Record<string, { readonly meaning: string }>>): Meanings =>
  Object.fromEntries(Object.entries(codes).map(([code, { meaning }]) => [code, meaning]));

/** A table of words with their meanings, and with what the dashboard tells the customer to do. */
export const withAdvice = (what: string, meanings: Meanings): string =>
  table(
    [what, 'meaning', 'what the customer is told'],
    Object.entries(meanings).map(([code, meaning]) => [code, meaning, helpTextOf('', code).todo]),
  );
