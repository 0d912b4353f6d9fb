import type { RoutedBy } from '../../../rules/next-dns-check.ts';
import type { HostnameClaim } from '../../../generated/hostname-claim.ts';
import { timestamp } from '../../../rules/conditions.ts';
import { ofFormerHolder } from '../../../issuing/revocations.ts';
import { formerHolders, decideOverlap, overlapElsewhere } from '../../../rules/hostname-claims.ts';
import { childName } from '../../../rules/dns-target.ts';
import { HostnameClaimKind, SecretKind } from '../../../resources/kinds.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { canServeWildcards } from '../../controller-settings.ts';
import { overlapLabels } from '../../overlapping-claims.ts';
import { isWildcard } from '../../../rules/wildcard.ts';
import { proofsToMove } from '../check-status.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import { claimName, claimedHostname } from '../../../rules/claim-name.ts';
import { isSuspended } from '../../../rules/claim-suspension.ts';

/**
 * Creates or moves the claim once proof is there and corroborated: two name servers must agree, wherever the zone has
 * two, and no other account has what overlaps. Called when the domain is accepted, or its claim is Pending. The claim is created by POST and changed by PUT with the resource
 * version that was read, so that exactly one of many competitors wins; everything else waits until the cache shows the
 * claim.
 */
export function decideClaim(snapshot: EvaluatedProjectDomain): readonly WriteAction[] {
  const { verdict, claimRelation, checks } = snapshot;
  if (claimRelation.kind === 'Pending') return decidePending(snapshot);
  if (overlapElsewhere(snapshot.account?.spec.id, snapshot.overlaps) !== null) return [];
  if (verdict?.routing.verdict !== 'yes' || verdict.ownership.verdict !== 'yes' || !verdict.corroborated) return [];
  if (claimRelation.kind === 'Free') return [holdClaim(snapshot)];
  if (claimRelation.kind !== 'Foreign' || checks.successes < proofsToMove || !holderIsGone(snapshot)) return [];
  return moveClaim(snapshot, claimRelation.phase);
}

function holdClaim(snapshot: ProjectDomainSnapshot): WriteAction {
  const { claim: existing } = snapshot;
  const spec = provenSpec(snapshot);
  if (existing) return replaceClaim(labelled(snapshot, existing), spec);
  const object = claimObject(snapshot.domain.spec.hostname, spec);
  return { verb: 'create', kind: HostnameClaimKind, object: { ...labelled(snapshot, object) } };
}

/** With the labels by which a wildcard's claim finds it before that is held. */
function labelled({ domain, account, settings }: ProjectDomainSnapshot, claim: HostnameClaim): HostnameClaim {
  const labels = canServeWildcards(settings) ? overlapLabels(domain.spec.hostname, account?.spec.id ?? '') : {};
  if (Object.keys(labels).length === 0) return claim;
  return { ...claim, metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, ...labels } } };
}

/**
 * Decides on a claim that the cache shows as Pending, by what was read from the kube-apiserver since. What is given up without anything to
 * remember is deleted.
 */
function decidePending({ claim, domain, overlaps, settings, now }: ProjectDomainSnapshot): readonly WriteAction[] {
  if (!claim) return [];
  const { hostname } = domain.spec;
  const isServable = !isWildcard(hostname) || canServeWildcards(settings);
  const decision = isServable ? decideOverlap(hostname, claim.spec.account, overlaps) : 'GiveWay';
  if (decision === 'Wait') return [];
  if (decision === 'Hold') return [replaceClaim(claim, { ...claim.spec, phase: 'Held' })];
  const { epoch, orders = [], formerHolders = [] } = claim.spec;
  const isForgettable = epoch === 1 && orders.length === 0 && formerHolders.length === 0 && !isSuspended(claim);
  if (isForgettable) return [removePending(claim)];
  return [replaceClaim(claim, { ...claim.spec, phase: 'Tombstone', releasedAt: timestamp(now) })];
}

/** With the version that was read, as it may be Held by now: a cache shows that later. */
function removePending({ metadata: { name, uid, resourceVersion } }: HostnameClaim): WriteAction {
  const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return { verb: 'remove', kind: HostnameClaimKind, key: { namespace: '', name }, preconditions };
}

const replaceClaim = (claim: HostnameClaim, spec: HostnameClaim['spec']): WriteAction => ({
  verb: 'replace',
  kind: HostnameClaimKind,
  object: { ...claim, spec },
});

function moveClaim(snapshot: ProjectDomainSnapshot, phase: HostnameClaim['spec']['phase']): readonly WriteAction[] {
  const { claim: existing } = snapshot;
  if (!existing || phase === 'Releasing' || phase === 'Pending') return [];
  if (phase === 'Held') {
    return [replaceClaim(existing, { ...existing.spec, phase: 'Releasing' })];
  }
  const { namespace } = existing.spec.holder;
  const key = { namespace, name: childName(claimedHostname(existing.metadata.name)) };
  const secret: WriteAction = { verb: 'remove', kind: SecretKind, key };
  return [
    ...(snapshot.areSecretsGone ? [] : [secret]),
    replaceClaim(labelled(snapshot, existing), provenSpec(snapshot)),
  ];
}

/** The holder keeps the name while its own target or its own ownership record is still visible in DNS. */
function holderIsGone({ verdict, foreignHolder }: ProjectDomainSnapshot): boolean {
  if (!foreignHolder) return true;
  return !verdict?.discovered.some(
    (record) => record.value === foreignHolder.target || record.value === foreignHolder.ownership,
  );
}

function provenSpec({
  domain,
  account,
  claim: before,
  claimRelation,
  verdict,
  settings,
  now,
}: ProjectDomainSnapshot): HostnameClaim['spec'] {
  const { namespace = '', name } = domain.metadata;
  const former = formerHolders(before?.spec, namespace);
  const accountId = account?.spec.id ?? '';
  return {
    account: accountId,
    holder: { namespace, name },
    ...(former && { formerHolders: former }),
    phase: canServeWildcards(settings) ? 'Pending' : 'Held',
    ...(isWildcard(domain.spec.hostname) ? { wildcard: true } : {}),
    epoch: claimRelation.epoch,
    proof: { method: proofMethod(verdict?.routing.by, claimRelation.kind), at: timestamp(now) },
    ...ordersKept(before?.spec, accountId, now),
  };
}

/**
 * The authority counts the orders of a hostname whoever holds it, so they stay on the claim. Where another account takes it over, their
 * certificates are to be revoked: written down by the very write that gives the hostname away.
 */
function ordersKept(
  before: HostnameClaim['spec'] | undefined,
  accountId: string,
  now: number,
): Pick<HostnameClaim['spec'], 'orders' | 'revocation'> {
  const { orders = [], revocation } = before ?? {};
  if (before !== undefined && before.account !== accountId) return { orders: [...ofFormerHolder(orders, now)] };
  return { orders: [...orders], ...(revocation && { revocation }) };
}

/** A name that another account has, or had, moves by a TXT record alone. */
function proofMethod(
  by: RoutedBy | null | undefined,
  relation: ProjectDomainSnapshot['claimRelation']['kind'],
): HostnameClaim['spec']['proof']['method'] {
  if (relation !== 'Free') return 'TXT';
  return by === 'target' ? 'CNAME' : by === 'delegation' ? 'Delegation' : 'TXT';
}

const claimObject = (hostname: string, spec: HostnameClaim['spec']): HostnameClaim => ({
  apiVersion: HostnameClaimKind.apiVersion,
  kind: HostnameClaimKind.kind,
  metadata: { name: claimName(hostname) },
  spec,
});
