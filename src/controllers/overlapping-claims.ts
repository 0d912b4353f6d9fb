import { hash } from 'node:crypto';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { queueKey } from '../kubernetes/object-keys.ts';
import type { OverlappingClaim } from '../rules/hostname-claims.ts';
import { claimKey, claimedHostname } from '../rules/claim-name.ts';
import { base32 } from '../rules/dns-target.ts';
import { baseOf, isWildcard, wildcardAbove } from '../rules/wildcard.ts';
import { belowAndOfAccount } from './claim-indexes.ts';
import type { Caches } from './needs.ts';

/** Labels by which the kube-apiserver finds claims: hashes, as neither a base nor an account's id has to fit a label. */
const belowLabel = 'projectdomain.io/below';
const accountLabel = 'projectdomain.io/claimed-by';

const hashed = (text: string): string => base32(hash('sha256', text, 'buffer'), 24);

/** The labels of a hostname's claim, by which the wildcard above it finds it. */
export function overlapLabels(hostname: string, account: string): Readonly<Record<string, string>> {
  const above = wildcardAbove(hostname);
  return above === null ? {} : { [belowLabel]: hashed(baseOf(above)), [accountLabel]: hashed(account) };
}

/** Selects the claims of other accounts one label below a wildcard's base. */
export const foreignBelow = (wildcard: string, account: string): string =>
  `${belowLabel}=${hashed(baseOf(wildcard))},${accountLabel}!=${hashed(account)}`;

/** The claims that overlap with a hostname: of a wildcard one of another account below its base, if there is any. Unpacks one at most. */
export function overlappingClaims(
  { claims }: Pick<Caches, 'claims'>,
  hostname: string,
  account: string | undefined,
): readonly OverlappingClaim[] {
  const base = baseOf(hostname);
  const above = wildcardAbove(hostname);
  if (!isWildcard(hostname)) return above === null ? [] : overlapOf(claims.get(claimKey(above)));
  const own = belowAndOfAccount(base, account ?? '');
  if (claims.countByIndex('below', base) === claims.countByIndex('below', own)) return [];
  const ours = new Set(claims.keysByIndex('below', own).map(queueKey));
  const foreign = claims.keysByIndex('below', base).find((key) => !ours.has(queueKey(key)));
  return foreign === undefined ? [] : overlapOf(claims.get(foreign));
}

export function overlapOf(claim: HostnameClaim | undefined): readonly OverlappingClaim[] {
  if (!claim || claim.spec.phase === 'Tombstone') return [];
  const { account, phase } = claim.spec;
  return [Object.freeze({ hostname: claimedHostname(claim.metadata.name), account, phase })];
}
