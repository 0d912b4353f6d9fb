import type { CaaCode } from '../../rules/verdict-codes.ts';

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
