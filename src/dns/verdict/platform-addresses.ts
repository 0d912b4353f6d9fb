import type { DnsFacts } from '../dns-facts.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { chainNames, targetAddresses } from '../observed-records.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { addressesIn } from './proofs/routing-proof.ts';

/**
 * Addresses that are the platform's: the configured ones, and those at the end of the target. Of a wildcard none count, as many customers
 * share them: it leads here by the target alone.
 */
export const ourAddresses = (facts: DnsFacts, wanted: DesiredDns): ReadonlySet<string> =>
  isWildcard(wanted.hostname)
    ? new Set()
    : new Set([...wanted.platformAddresses, ...targetAddresses(facts, wanted.target)]);

/** How many addresses of a hostname are asked for its token in one check. */
const askedAtMost = 3;

/**
 * The addresses at the end of a hostname's aliases that are not the platform's, as far as they are asked for the token:
 * first one that each server gave, then others; IPv4 before IPv6. None of a wildcard, which a token does not prove.
 */
export function tokenAddresses(facts: DnsFacts, wanted: DesiredDns): readonly string[] {
  if (isWildcard(wanted.hostname)) return [];
  const ours = ourAddresses(facts, wanted);
  const views = chainNames(facts, wanted.hostname, ['A', 'AAAA'])
    .filter((name) => name !== wanted.target)
    .flatMap((name) => [...(facts.names[name]?.authorities ?? []), ...(facts.names[name]?.resolvers ?? [])])
    .map((view) => inOrder(addressesIn(view).filter((address) => !ours.has(address))));
  const chosen = new Set<string>();
  for (const addresses of views) {
    const [first] = addresses;
    if (first !== undefined && !addresses.some((address) => chosen.has(address))) chosen.add(first);
  }
  return [...new Set([...chosen, ...inOrder(views.flat())])].slice(0, askedAtMost);
}

const inOrder = (addresses: readonly string[]): readonly string[] =>
  addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')) || (a < b ? -1 : a > b ? 1 : 0));
