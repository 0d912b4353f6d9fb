/** What people typed or pasted into a form, from what is in DNS. */

/** A name or text of DNS as it was typed: `\058` as `:` (RFC 1035 section 5.1). Bytes that no terminal may see stay escaped. */
export const typedText = (value: string): string =>
  value.replaceAll(/\\(?:(\d{3})|(.))/g, (escape, code: string | undefined, character: string | undefined) => {
    if (character !== undefined) return character;
    const byte = Number(code);
    return byte >= 0x20 && byte < 0x7f ? String.fromCodePoint(byte) : escape;
  });

/** Quotation marks and blanks, typographic ones (UTF-8) and tabs as escapes; and brackets that were copied with an address. */
const marks = /["'`<>\s]|\\194\\160|\\226\\128\\(?:15[2-9])|\\0(?:09|10|13)/g;

/** The text without quotation marks and blanks, wherever they are. */
export const withoutMarks = (text: string): string => text.replaceAll(marks, '');

/**
 * Was a random text meant, with as many letters wrong as a person mistypes? `random` is the part of it that is random; a short one, as in tests,
 * allows for less.
 */
export const isMistyped = (text: string, meant: string, random: string): boolean =>
  isWithinEdits(text, meant, random.length >= 16 ? 2 : random.length >= 6 ? 1 : 0);

/**
 * Do the texts differ by no more than so many letters: missing, added, changed, or two that changed places? The cost grows with the length times
 * `most`, so it is bounded by what a record can hold.
 */
function isWithinEdits(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last] = [[] as readonly number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = edits({ a, b, row, most }, before, last);
    if (next.every((count) => count > most)) return false;
    [before, last] = [last, next];
  }
  return (last[b.length] ?? Number.POSITIVE_INFINITY) <= most;
}

interface Row {
  readonly a: string;
  readonly b: string;
  readonly row: number;
  readonly most: number;
}

/** The row of the table of edits; cells further from its middle than `most` are never needed. */
function edits({ a, b, row, most }: Row, before: readonly number[], last: readonly number[]): number[] {
  const next = Array.from({ length: b.length + 1 }, () => Number.POSITIVE_INFINITY);
  next[0] = row;
  const at = (cells: readonly number[], column: number) => cells[column] ?? Number.POSITIVE_INFINITY;
  for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column += 1) {
    const isSame = a[row - 1] === b[column - 1];
    const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    next[column] = Math.min(
      at(last, column) + 1,
      at(next, column - 1) + 1,
      at(last, column - 1) + (isSame ? 0 : 1),
      isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
    );
  }
  return next;
}
