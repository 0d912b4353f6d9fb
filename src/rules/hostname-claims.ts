import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { isHolder } from './precedence.ts';
import { isWildcard } from './wildcard.ts';

/** How the claim on a hostname relates to a ProjectDomain of an account. */
export type ClaimRelation =
  /** no claim, or a tombstone of this account: proof creates or revives the claim */
  | { readonly kind: 'Free'; readonly epoch: number }
  | { readonly kind: 'Held'; readonly epoch: number }
  /** this domain's, not compared yet with what overlaps with it (decideOverlap) */
  | { readonly kind: 'Pending'; readonly epoch: number }
  /** this domain lost the name to a better proof; its route is being withdrawn */
  | { readonly kind: 'Releasing'; readonly epoch: number }
  /** another object of the same account holds it */
  | { readonly kind: 'Sibling'; readonly epoch: number }
  /** another account's claim in any phase; `epoch` is the one that a transfer would start */
  | { readonly kind: 'Foreign'; readonly phase: HostnameClaim['spec']['phase']; readonly epoch: number };

export function claimRelationOf(
  domain: Pick<ProjectDomain, 'metadata'>,
  accountId: string | undefined,
  claim: HostnameClaim | undefined,
): ClaimRelation {
  if (!claim) return { kind: 'Free', epoch: 1 };
  const { phase, epoch, account: holder } = claim.spec;
  if (holder !== accountId) return { kind: 'Foreign', phase, epoch: epoch + 1 };
  if (phase === 'Tombstone') return { kind: 'Free', epoch };
  if (!isHolder(claim, domain, accountId)) return { kind: 'Sibling', epoch };
  return { kind: phase, epoch };
}

/** How many are remembered; crds/hostname-claim.yaml has the same limit. */
const atMost = 8;

/**
 * Namespaces that held a name before `namespace` takes it, each once and the latest last: a TLS Secret of the name that
 * is restored there from a backup must not be served again. Undefined when there are none, so that the claim omits it.
 */
export function formerHolders(
  before: HostnameClaim['spec'] | undefined,
  namespace: string,
): readonly string[] | undefined {
  if (before === undefined) return undefined;
  const latestFirst = [before.holder.namespace, ...(before.formerHolders ?? []).toReversed()];
  const others = [...new Set(latestFirst)].filter((former) => former !== namespace).slice(0, atMost);
  return others.length === 0 ? undefined : others.toReversed();
}

/** Who holds a hostname by which proof: enough for everybody but the operator, whose orders the claim records. */
export function claimWithoutOrders({ apiVersion, kind, metadata, spec }: HostnameClaim): HostnameClaim {
  const { orders: _, revocation: _request, ...said } = spec;
  const { name, uid = '', resourceVersion = '' } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion }, spec: said };
}

/**
 * A claim that overlaps with a hostname's: that of the wildcard above it, or, of a wildcard, that of a hostname one label below its base.
 * One that was given up overlaps with nothing.
 */
export interface OverlappingClaim {
  readonly hostname: string;
  readonly account: string;
  readonly phase: Exclude<HostnameClaim['spec']['phase'], 'Tombstone'>;
}

/**
 * What becomes of a claim that is not Held yet. Hold: nothing of another account overlaps. GiveWay: it is given up. Wait: the other one
 * is decided first.
 */
type OverlapDecision = 'Hold' | 'GiveWay' | 'Wait';

/**
 * A wildcard and a hostname that it includes are never held by two accounts: whoever holds one keeps it, and of two that are Pending the
 * hostname goes first. `others` have to be read from the kube-apiserver after this claim was Pending there: then of two that overlap at
 * least one sees the other. So a wildcard gives way to whatever it sees, while a hostname waits for a wildcard that is Pending
 * too, as that may have looked before the hostname was there. Pure.
 */
export function decideOverlap(hostname: string, account: string, others: readonly OverlappingClaim[]): OverlapDecision {
  const foreign = others.filter((other) => other.account !== account);
  if (foreign.length === 0) return 'Hold';
  return isWildcard(hostname) || foreign.some(({ phase }) => phase !== 'Pending') ? 'GiveWay' : 'Wait';
}

/** The first of another account, which keeps this one from being Held; null where there is none. */
export const overlapElsewhere = (
  account: string | undefined,
  others: readonly OverlappingClaim[],
): OverlappingClaim | null => others.find((other) => other.account !== account) ?? null;
