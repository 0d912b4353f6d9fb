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
 * Do the texts differ by no more than so many letters: missing, added, changed, or two that changed places? What they begin with alike is
 * passed over, so the cost grows with their length for each way to mistype `most` letters.
 */
function isWithinEdits(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [left, right] = [a.slice(same), b.slice(same)];
  if (left === right) return true;
  if (most === 0) return false;
  const isSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  return (
    isWithinEdits(left.slice(1), right.slice(1), most - 1) ||
    isWithinEdits(left.slice(1), right, most - 1) ||
    isWithinEdits(left, right.slice(1), most - 1) ||
    (isSwapped && isWithinEdits(left.slice(2), right.slice(2), most - 1))
  );
}
