import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { isHolder } from './precedence.ts';

/** How the claim on a hostname relates to a ProjectDomain of an account. */
export type ClaimRelation =
  /** no claim, or a tombstone of this account: proof creates or revives the claim */
  | { readonly kind: 'Free'; readonly epoch: number }
  | { readonly kind: 'Held'; readonly epoch: number }
  /** this domain's, not compared yet with what overlaps with it (overlapping-claims.ts) */
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
