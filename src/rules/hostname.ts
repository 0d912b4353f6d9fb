import { domainToUnicode } from 'node:url';
import { getDomain, getPublicSuffix, parse } from 'tldts';
import type { HostnameCode } from './codes/accepted-reasons.ts';

/** Whether a text is a hostname that a customer may use; where it is not, the message says what to write instead. */
export type ParsedHostname =
  | { readonly ok: true; readonly hostname: string }
  | { readonly ok: false; readonly code: HostnameCode; readonly message: string };

const maxLength = 253;
/** A hostname in a pasted address, which has a path besides. */
const maxPasted = 2_048;
/** Let's Encrypt and others issue for no more (maxLabels of Boulder's policy). */
const maxLabels = 10;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** R-LDH labels that are not A-labels (RFC 5890 section 2.3.1): authorities refuse them. */
const reservedLabel = /^(?!xn--)..--/;

/** Private suffixes such as github.io are included: Let's Encrypt applies its rate limits by them too. */
const suffixRules = { allowPrivateDomains: true, validateHostname: false, extractHostname: false } as const;

export const unusable = (code: HostnameCode, message: string): ParsedHostname => ({ ok: false, code, message });

const invalid = (message: string): ParsedHostname => unusable('InvalidHostname', message);

/**
 * Accepts exactly one spelling of a hostname: lower case IDNA A-labels (RFC 5890), at least two labels, no trailing
 * dot, at most 253 characters. Public suffixes, wildcards and IP literals have codes of their own.
 */
export function parseHostname(input: string): ParsedHostname {
  const shape = shapeProblem(input);
  if (shape) return shape;
  if (isPublicSuffix(input)) return unusable('PublicSuffix', `${input} is a public suffix; use a domain below it`);
  return { ok: true, hostname: input };
}

function shapeProblem(input: string): ParsedHostname | null {
  if (input.length > maxLength) return invalid(`the hostname has ${input.length} characters; 253 are allowed`);
  if (input.startsWith('*.'))
    return unusable('WildcardHostname', 'wildcards are not supported; add each hostname separately');
  if (isIpLiteral(input)) return unusable('IPLiteral', 'an IP address is not a hostname');
  if (input.endsWith('.')) return invalid(`write it without the trailing dot: ${input.replace(/\.+$/, '')}`);
  const ascii = toAscii(input);
  if (ascii === null) return invalid(notOne(input));
  if (ascii !== input) return invalid(`write it in lower case A-labels: ${ascii}`);
  return labelProblem(input.split('.'));
}

function labelProblem(labels: readonly string[]): ParsedHostname | null {
  if (labels.length < 2) return invalid('write the full hostname, such as www.example.com');
  if (labels.length > maxLabels) {
    return invalid(`the hostname has ${labels.length} labels; no certificate is issued for more than ${maxLabels}`);
  }
  const [problem] = labels.flatMap((part) => labelObjection(part) ?? []);
  if (problem !== undefined) return invalid(problem);
  const last = labels.at(-1) ?? '';
  if (!specialUse.has(last)) return null;
  return invalid(`names under .${last} are never in public DNS; use a domain that is registered`);
}

/** Why a text is not one label of a hostname, as a sentence; null where it is. An A-label is one if it decodes to a name. */
export function labelObjection(part: string): string | null {
  if (!label.test(part)) return `'${part}' is not a valid label: letters, digits and hyphens, 1 to 63`;
  if (reservedLabel.test(part))
    return `'${part}' has hyphens in third and fourth place, which only A-labels (xn--) may have`;
  return isSoundLabel(part) ? null : `'${part}' is not a valid A-label: it does not decode to a name`;
}

/** True for a label that says it is one of IDNA (RFC 5890 section 2.3.1), sound or not. */
export const isALabel = (part: string): boolean => part.startsWith('xn--');

/**
 * False for an A-label that is none: its Punycode (RFC 3492) does not stand for a text that encodes to the same label again (RFC 5891 section
 * 5.4). Certificate authorities reject these.
 */
function isSoundLabel(part: string): boolean {
  if (!isALabel(part)) return true;
  const text = domainToUnicode(part);
  return text !== part && toAscii(text) === part;
}

/**
 * Top-level names that public DNS never delegates to customers (IANA's special-use domain names): nothing can be proved
 * there. Those for documentation and tests (RFC 2606) are allowed, for installations that serve them themselves.
 */
const specialUse: ReadonlySet<string> = new Set(['alt', 'arpa', 'invalid', 'local', 'localhost', 'onion']);

function notOne(input: string): string {
  const meant = hostnameMeant(input);
  return `'${input}' is not a hostname${meant === input.trim() ? '' : `; write only ${meant}`}`;
}

/** True for IPv4 and IPv6 literals, and for names that a URL parser would read as IPv4 (all-numeric last label). */
function isIpLiteral(input: string): boolean {
  return /^[0-9a-f.:]*:[0-9a-f.:]*$/i.test(input) || /(^|\.)(\d+|0x[0-9a-f]*)$/i.test(input);
}

/**
 * Converts a name as people write it to A-labels (UTS #46 as in the URL standard): `Bücher.example.` becomes
 * `xn--bcher-kva.example`. Null when that is impossible, and for more than 253 characters: the time that Punycode takes grows with the square
 * of its text.
 */
export function toAscii(input: string): string | null {
  if (input.length > maxLength) return null;
  const name = input.replace(/\.$/, '');
  if (name === '' || !/^[^\s/?#@:%\\[\]<>^|]+$/.test(name)) return null;
  return URL.parse(`http://${name}/`)?.hostname ?? null;
}

/**
 * The hostname that is meant by a pasted URL or one in upper case: `https://WWW.Example.com:443/shop` means
 * www.example.com. Any other text is returned as typed, so that `parseHostname` can say what is wrong with it; so is whatever is too long to be an
 * address that people paste.
 */
export function hostnameMeant(input: string): string {
  if (input.length > maxPasted) return input;
  const text = input.trim();
  const bare = text
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d{1,5}$/, '');
  return toAscii(bare) ?? text;
}

/**
 * The one spelling of a hostname that is written in capitals, with a final dot, or in Unicode: `München.example.` becomes
 * `xn--mnchen-3ya.example`. Any other text is returned as it is, also where a browser would make a hostname of it by leaving characters out or
 * taking them for others.
 */
export function canonicalHostname(typed: string): string {
  const ascii = toAscii(typed);
  if (ascii === null) return typed;
  const plain = typed.toLowerCase().normalize('NFC').replace(/\.$/, '');
  return ascii === plain || domainToUnicode(ascii) === plain ? ascii : typed;
}

/** A name relative to its zone, as a registrar's form expects it: `www` for www.example.com, `@` for the apex. */
export function relativeName(fqdn: string, zone: string): string {
  if (fqdn === zone) return '@';
  return fqdn.endsWith(`.${zone}`) ? fqdn.slice(0, -zone.length - 1) : fqdn;
}

/** The registrable domain: example.co.uk for www.example.co.uk; the name itself when the suffix list has none. */
export function registrableDomain(hostname: string): string {
  return getDomain(hostname, suffixRules) ?? hostname;
}

/**
 * The other of the two hostnames that visitors try for one site: www.example.com for example.com, and the other way
 * round. Null for any other hostname, such as shop.example.com, and where it would not be one that a customer may use.
 */
export function wwwCounterpart(hostname: string): string | null {
  const apex = registrableDomain(hostname);
  const other = hostname === apex ? `www.${apex}` : hostname === `www.${apex}` ? apex : null;
  return other !== null && parseHostname(hostname).ok && parseHostname(other).ok ? other : null;
}

/**
 * Whether a text that is being typed can be a whole hostname already: one that a customer may use, below a suffix that
 * the Public Suffix List knows. `www.example.c` is not.
 */
export const isWholeHostname = (text: string): boolean => parseHostname(text).ok && hasListedSuffix(text);

/** False where only the list's rule for suffixes that it does not know matches. */
function hasListedSuffix(name: string): boolean {
  const { isIcann, isPrivate } = parse(name, suffixRules);
  return isIcann === true || isPrivate === true;
}

/** True for suffixes of registries and of hosting platforms alike: `co.uk`, `github.io`. */
export const isPublicSuffix = (name: string): boolean => getPublicSuffix(name, suffixRules) === name;

/** True for registry suffixes (`com`, `co.uk`, every single label), but not for private suffixes such as github.io. */
export function isRegistrySuffix(name: string): boolean {
  return !name.includes('.') || getPublicSuffix(name, { ...suffixRules, allowPrivateDomains: false }) === name;
}

/** True for the domain itself and for every name below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** characters of a name without the trailing dot */
const maxNameLength = 253;

/** The name with a label before it, without the trailing dot; null where DNS has no room for it (RFC 1035, section 2.3.4). */
export function nameBelow(name: string, label: string): string | null {
  const below = `${label}.${name}`;
  return below.length <= maxNameLength ? below : null;
}
