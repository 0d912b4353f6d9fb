/**
 * Text that others wrote, for people: what a terminal obeys, what turns the direction of text and what cannot be seen is shown as a
 * question mark. These are Unicode's categories C (controls and escapes, marks of direction, tags, private use, halves of a surrogate
 * pair), Zl and Zp, and what it calls default ignorable (of no width, fillers, variation selectors), but for what is seen by what it joins:
 * ZWNJ and ZWJ behind a virama (RFC 5892, appendix A.1 and A.2) or within a word of a script that is written with them, and the parts of an emoji.
 */
const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;
const scripts = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Knda', 'Mlym', 'Sinh', 'Telu', 'Khmr'];
/** Letters, and the marks on them. */
const letter = String.raw`[[[${scripts.map((script) => String.raw`\p{scx=${script}}`).join('')}]&&[\p{L}\p{M}]]--\p{DI}]`;
const emoji = String.raw`[\p{Extended_Pictographic}--\p{C}]`;
const seen = [
  String.raw`(?<=${virama})[\u200c\u200d]`,
  String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`,
  String.raw`(?<=${emoji})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=${emoji}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${emoji})`,
];
const hidden = new RegExp(String.raw`(?!${seen.join('|')})[\p{C}\p{DI}\p{Zl}\p{Zp}]`, 'v');
const everyHidden = new RegExp(hidden, 'gv');
const allHiddenBut = (kept: string): RegExp => new RegExp(`(?![${kept}])${hidden.source}`, 'gv');
const hiddenInLines = allHiddenBut('\n');
const hiddenInMarkup = allHiddenBut('\t\n\r');

/** Most text needs no more than this look at it. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** The text on one line, with all of its spaces. */
export const visible = (text: string): string => (isPlain(text) ? text : text.replaceAll(everyHidden, '?'));

/** The text in its lines. What is put into it has to be on one line before. */
export const visibleLines = (text: string): string => (isPlain(text) ? text : text.replaceAll(hiddenInLines, '?'));

/** The text as an element or a quoted attribute of HTML can have it, where white space is nothing but space. */
export const visibleMarkup = (text: string): string => (isPlain(text) ? text : text.replaceAll(hiddenInMarkup, '?'));

/** The text on one line, as a title or in a column: white space of any kind and length is one space, and `atMost` code points are left. */
export const printable = (text: string, atMost = Infinity): string => {
  const line = text.replaceAll(/[\p{Z}\t\n\v\f\r]+/gu, ' ');
  return visible(atMost === Infinity || line.length <= atMost ? line : [...line].slice(0, atMost).join(''));
};

/** The same JSON, with every such character as an escape (RFC 8259 section 7): a parser reads what it would have read. */
export const visibleJson = (json: string): string =>
  isPlain(json) ? json : json.replaceAll(hiddenInLines, (character) => character.replaceAll(/[^]/g, escapeOf));

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same data, each of its texts on one line. The names of fields are ours. */
export function visibleData<T>(value: T): T;
export function visibleData(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map((item: unknown) => visibleData(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visibleData(item)]));
}
