const prefix = 'xn--';

/** True for a label that says it is one of IDNA (RFC 5890 section 2.3.1), sound or not. */
export const isALabel = (label: string): boolean => label.startsWith(prefix);

/**
 * True for every label without the prefix `xn--`, and for a valid A-label: Punycode (RFC 3492) of a text that encodes
 * to the same label again (RFC 5891 section 5.4). Certificate authorities reject others. `encode` returns the A-label
 * of a text, or null when it has none.
 */
export function isSoundLabel(label: string, encode: (text: string) => string | null): boolean {
  if (!isALabel(label)) return true;
  const text = decoded(label.slice(prefix.length));
  return text !== null && /[^\0-\x7f]/.test(text) && encode(text) === label;
}

/** parameters of Punycode (RFC 3492 section 5) */
const [base, tMin, tMax, skew, damp, initialBias, initialCode] = [36, 1, 26, 38, 700, 72, 128];
const maxCode = 0x10ffff;

/** Decodes Punycode (RFC 3492 section 6.2); null when it is invalid. */
function decoded(input: string): string | null {
  const split = input.lastIndexOf('-');
  const text = split > 0 ? [...input.slice(0, split)] : [];
  let [at, code, bias, index, first] = [split > 0 ? split + 1 : 0, initialCode, initialBias, 0, true];
  while (at < input.length) {
    const delta = readNumber(input, at, bias);
    if (delta === null) return null;
    index += delta.value;
    bias = adapted(delta.value, text.length + 1, first);
    code += Math.floor(index / (text.length + 1));
    index %= text.length + 1;
    if (code > maxCode || (code >= 0xd800 && code <= 0xdfff)) return null;
    text.splice(index, 0, String.fromCodePoint(code));
    [at, index, first] = [delta.next, index + 1, false];
  }
  return text.join('');
}

/** Reads one variable-length integer. */
function readNumber(
  input: string,
  start: number,
  bias: number,
): { readonly value: number; readonly next: number } | null {
  let [value, weight] = [0, 1];
  for (let [at, k] = [start, base]; at < input.length; at += 1, k += base) {
    const digit = digitOf(input.charCodeAt(at));
    if (digit === null) return null;
    value += digit * weight;
    if (value > maxCode * 64) return null;
    const threshold = Math.min(tMax, Math.max(tMin, k - bias));
    if (digit < threshold) return { value, next: at + 1 };
    weight *= base - threshold;
  }
  return null;
}

function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : null;
}

function adapted(delta: number, points: number, first: boolean): number {
  let left = Math.floor(delta / (first ? damp : 2));
  left += Math.floor(left / points);
  let k = 0;
  for (; left > ((base - tMin) * tMax) / 2; k += base) left = Math.floor(left / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * left) / (left + skew));
}
