import { dnsChallengeName } from './challenge-delegation.ts';
import type { ParsedHostname } from './hostname.ts';
import { isPublicSuffix, parseHostname, unusable } from './hostname.ts';
import { baseOf, isWildcard } from './wildcard.ts';

/**
 * A hostname, or a wildcard of one label: `*.` and a hostname. Its base is no public suffix, as a registry's or a hosting platform's, and
 * what is one label below it is none either, as in `*.kawasaki.jp`.
 */
export function parseHostnameOrWildcard(input: string): ParsedHostname {
  if (!isWildcard(input)) return parseHostname(input);
  const base = baseOf(input);
  if (base.startsWith('*')) return unusable('WildcardHostname', 'a wildcard stands for one label: *.example.com');
  const parsed = parseHostname(base);
  if (!parsed.ok) return parsed;
  if (isPublicSuffix(`any.${base}`))
    return unusable(
      'PublicSuffix',
      `the names below ${base} are public suffixes, which nobody owns; use a domain below one of them`,
    );
  if (dnsChallengeName(input) === null)
    return unusable(
      'InvalidHostname',
      `no challenge name fits below ${base}, so no certificate can be ordered; use a shorter name`,
    );
  return { ok: true, hostname: input };
}
