import { baseOf, isWildcard } from '../../rules/wildcard.ts';

interface HttpMatch {
  readonly path: { readonly type: string; readonly value: string };
  readonly headers?: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

/** A rule of an HTTPRoute. */
export interface HttpRule {
  readonly matches: readonly HttpMatch[];
  readonly [field: string]: unknown;
}

/**
 * A rule of this hostname's route: of a wildcard's it answers one label below the base alone, as its certificate does, where Gateway API has
 * a wildcard match several (HTTPRouteSpec, hostnames).
 */
export const onlyAtHost =
  (hostname: string) =>
  (rule: HttpRule): HttpRule =>
    isWildcard(hostname) ? { ...rule, matches: rule.matches.map((match) => oneLabelBelow(hostname, match)) } : rule;

const oneLabelBelow = (wildcard: string, { headers = [], ...match }: HttpMatch): HttpMatch => ({
  ...match,
  headers: [...headers, { type: 'RegularExpression', name: 'Host', value: expressionOf(wildcard) }],
});

/** RE2, matched as a whole. A Host may be in capitals, and have a port (RFC 9110, section 7.2). */
const expressionOf = (wildcard: string): string => `(?i)[^.:]+\\.${baseOf(wildcard).replaceAll('.', '\\.')}(:[0-9]+)?`;
