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
