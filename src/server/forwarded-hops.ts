import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from './canonical-address.ts';

/** The header in which proxies say whom they forward for; RFC 7239 defines `Forwarded`, custom the other. */
export const forwardedHeaders = ['X-Forwarded-For', 'Forwarded'] as const;
export type ForwardedHeader = (typeof forwardedHeaders)[number];

/** A request comes over one or two proxies, and may over a few more. */
const maxHops = 20;
/** Room for that many elements of `Forwarded` with four parameters each; what is before it is not read. */
const maxLength = 4_096;

/**
 * The hops of a forwarding header, the nearest one first: addresses without port, brackets and zone; null for a hop that cannot be
 * read, after which there is nothing, as nobody vouches for what is before it. Several lines of the header are joined by commas.
 */
export function* hopsFrom(headers: IncomingHttpHeaders, header: ForwardedHeader): Generator<string | null> {
  const whole = forwardingOf(headers, header);
  if (whole === undefined) return;
  let rest: string | null = whole.slice(-maxLength);
  for (let count = 0; rest !== null && count < maxHops; count += 1) {
    const comma = lastSeparator(rest, ',');
    // What begins before the part that is read is not read as if it began there.
    const isCut = comma < 0 && whole.length > maxLength;
    const element = rest.slice(comma + 1).trim();
    const hop = isCut ? null : nodeOf(header === 'Forwarded' ? parameterOf(element, 'for') : element);
    yield hop;
    if (hop === null) return;
    rest = comma < 0 ? null : rest.slice(0, comma);
  }
}

/** The value of a forwarding header, all of its lines; undefined without one. */
export function forwardingOf(headers: IncomingHttpHeaders, header: ForwardedHeader): string | undefined {
  const given = headers[header === 'Forwarded' ? 'forwarded' : 'x-forwarded-for'];
  return Array.isArray(given) ? given.join(',') : given;
}

/** The scheme by which the nearest proxy was asked, in lower case, by X-Forwarded-Proto or by `Forwarded`; '' if it does not say. */
export function nearestScheme(headers: IncomingHttpHeaders, header: ForwardedHeader): string {
  const given = header === 'Forwarded' ? headers.forwarded : headers['x-forwarded-proto'];
  const whole = (typeof given === 'string' ? given : '').slice(-maxLength);
  const last = whole.slice(lastSeparator(whole, ',') + 1).trim();
  return unquoted(header === 'Forwarded' ? parameterOf(last, 'proto') : last).toLowerCase();
}

/**
 * Where the last separator outside of quotes is; -1 without one. Read from the end, so that a quote which a client leaves open does
 * not swallow what a proxy appended.
 */
function lastSeparator(text: string, separator: string): number {
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === '"' && !(isQuoted && isEscaped(text, at))) isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) return at;
  }
  return -1;
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

/** A parameter of one element of `Forwarded` (RFC 7239 section 4); '' unless there is exactly one of that name, among nothing but parameters. */
function parameterOf(element: string, wanted: 'for' | 'proto'): string {
  const values: string[] = [];
  let rest = element;
  for (let at = 0; at >= 0;) {
    at = lastSeparator(rest, ';');
    const [name = '', ...value] = rest.slice(at + 1).split('=');
    if (value.length === 0) return '';
    if (name.trim().toLowerCase() === wanted) values.push(value.join('=').trim());
    rest = rest.slice(0, Math.max(at, 0));
  }
  return values.length === 1 ? (values[0] ?? '') : '';
}

const quoted = /^"((?:[^"\\]|\\.)*)"$/s;
const unquoted = (text: string): string => quoted.exec(text)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? text;

/** A port may be hidden behind a name (RFC 7239 section 6.3). */
const withPort = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** The address of a node (RFC 7239 section 6), also as X-Forwarded-For has it: IPv6 without brackets. Null for any other text. */
function nodeOf(text: string): string | null {
  const inside = unquoted(text);
  const { v4, v6 } = withPort.exec(inside)?.groups ?? {};
  if (v6 !== undefined) return v6.includes(':') ? canonicalAddress(v6) : null;
  return canonicalAddress(v4 ?? inside);
}
