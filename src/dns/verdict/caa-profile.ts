import type { CaaCode } from '../../rules/verdict-codes.ts';
import type { CaaProperty } from '../dns-facts.ts';

/** How an authority interprets a CAA record set: as Boulder does, or by the strictest reading of the RFCs. */
export type CaaProfile = 'boulder' | 'strict';

/** What is known about the software of authorities, by CAA issuer domain. */
const knownProfiles: ReadonlyMap<string, CaaProfile> = new Map([['letsencrypt.org', 'boulder']]);

/** The profile of the authority with these CAA issuer domains: strict unless all of them are known to run Boulder. */
export function caaProfileOf(domains: readonly string[]): CaaProfile {
  const profiles = domains.map((domain) => knownProfiles.get(domain.toLowerCase()) ?? 'strict');
  return profiles.length > 0 && profiles.every((profile) => profile === 'boulder') ? 'boulder' : 'strict';
}

const closestFirst: readonly CaaCode[] = [
  'CaaForbidsMethod',
  'CaaForbidsAccount',
  'CaaForbidsAuthority',
  'CaaMalformed',
];

/**
 * The result for a record set, of the results for its `issue` properties: null (permitted) when there are none or one of
 * them permits (RFC 8659 section 4.2); otherwise the refusal that is closest to permission, as the easiest to fix.
 */
export function closestRefusal(results: readonly (CaaCode | null)[]): CaaCode | null {
  if (results.length === 0 || results.includes(null)) return null;
  return closestFirst.find((code) => results.includes(code)) ?? 'CaaForbidsAuthority';
}

/**
 * The tag of the properties that decide: `issue`; for a wildcard `issuewild` where the set has any, and then those alone (RFC 8659
 * section 4.3).
 */
export const decisiveTag = (
  properties: readonly Pick<CaaProperty, 'tag'>[],
  { isForWildcard = false }: { readonly isForWildcard?: boolean },
): 'issue' | 'issuewild' =>
  isForWildcard && properties.some(({ tag }) => tag === 'issuewild') ? 'issuewild' : 'issue';

/** The value of an `issue` property, in its parts. The issuer domain is as written, and is empty where there is none. */
export interface IssueValue {
  readonly domain: string;
  readonly parameters: readonly Parameter[];
}

interface Parameter {
  readonly tag: string;
  readonly value: string;
}

const parameterTag = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;
const parameterValue = /^[\x21-\x3a\x3c-\x7e]*$/;

/**
 * Parses the value of an `issue` property by the grammar of RFC 8659 section 4.2; null when a parameter violates it. A
 * semicolon without a parameter after it is allowed only where there are no parameters at all. The issuer domain is not
 * checked here: the profiles differ in that.
 */
export function parseIssueValue(text: string): IssueValue | null {
  const [domain = '', ...parts] = text.split(';').map(withoutBlanks);
  if (parts.length === 1 && parts[0] === '') return { domain, parameters: [] };
  const parameters = parts.map(parseParameter);
  return parameters.includes(null) ? null : { domain, parameters: parameters.filter((found) => found !== null) };
}

function parseParameter(part: string): Parameter | null {
  const at = part.indexOf('=');
  if (at < 0) return null;
  const [tag, value] = [withoutBlanks(part.slice(0, at)), withoutBlanks(part.slice(at + 1))];
  return parameterTag.test(tag) && parameterValue.test(value) ? { tag, value } : null;
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** Without spaces and tabs (WSP of RFC 5234) at both ends, and nothing else. A regular expression is quadratic here. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

/** One label of `validationmethods`, a comma-separated list of labels (RFC 8657 section 4). */
export const methodLabel = /^[a-z0-9-]+$/i;
