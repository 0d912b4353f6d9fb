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
