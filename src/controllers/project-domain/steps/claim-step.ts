import type { RoutedBy } from '../../../rules/routed-by.ts';
import type { HostnameClaim } from '../../../generated/hostname-claim.ts';
import { timestamp } from '../../../rules/conditions.ts';
import { ofFormerHolder } from '../../../issuing/revocations.ts';
import { formerHolders } from '../../../rules/hostname-claims.ts';
import { childName } from '../../../rules/dns-target.ts';
import { HostnameClaimKind, SecretKind } from '../../../resources/kinds.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import type { CheckStatus } from '../check-status.ts';
import { proofsToMove } from '../check-thresholds.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/**
 * Creates or moves the claim once proof is there and corroborated: two name servers must agree, wherever the zone has
 * two. Called only when the domain is accepted. The claim is created by POST and changed by PUT with the resource
 * version that was read, so that exactly one of many competitors wins; everything else waits until the cache shows the
 * claim.
 */
export function decideClaim(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): readonly WriteAction[] {
  const { verdict, claimRelation } = snapshot;
  if (verdict?.routing.verdict !== 'yes' || verdict.ownership.verdict !== 'yes' || !verdict.corroborated) return [];
  if (claimRelation.kind === 'Free') return [holdClaim(snapshot)];
  if (claimRelation.kind !== 'Foreign' || checkStatus.successes < proofsToMove || !holderIsGone(snapshot)) return [];
  return moveClaim(snapshot, claimRelation.phase);
}

function holdClaim(snapshot: ProjectDomainSnapshot): WriteAction {
  const { claim: existing } = snapshot;
  const spec = heldSpec(snapshot);
  if (!existing)
    return { verb: 'create', kind: HostnameClaimKind, object: claimObject(snapshot.domain.spec.hostname, spec) };
  return { verb: 'replace', kind: HostnameClaimKind, object: { ...existing, spec } };
}

function moveClaim(snapshot: ProjectDomainSnapshot, phase: HostnameClaim['spec']['phase']): readonly WriteAction[] {
  const { claim: existing } = snapshot;
  if (!existing || phase === 'Releasing') return [];
  if (phase === 'Held') {
    const spec = { ...existing.spec, phase: 'Releasing' as const };
    return [{ verb: 'replace', kind: HostnameClaimKind, object: { ...existing, spec } }];
  }
  const { namespace } = existing.spec.holder;
  return [
    { verb: 'remove', kind: SecretKind, key: { namespace, name: childName(existing.metadata.name) } },
    { verb: 'replace', kind: HostnameClaimKind, object: { ...existing, spec: heldSpec(snapshot) } },
  ];
}

/** The holder keeps the name while its own target or its own ownership record is still visible in DNS. */
function holderIsGone({ verdict, foreignHolder }: ProjectDomainSnapshot): boolean {
  if (!foreignHolder) return true;
  return !verdict?.discovered.some(
    (record) => record.value === foreignHolder.target || record.value === foreignHolder.ownership,
  );
}

function heldSpec({
  domain,
  account,
  claim: before,
  claimRelation,
  verdict,
  now,
}: ProjectDomainSnapshot): HostnameClaim['spec'] {
  const { namespace = '', name } = domain.metadata;
  const former = formerHolders(before?.spec, namespace);
  const accountId = account?.spec.id ?? '';
  return {
    account: accountId,
    holder: { namespace, name },
    ...(former && { formerHolders: former }),
    phase: 'Held',
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

const claimObject = (hostname: string, spec: HostnameClaim['spec']) => ({
  apiVersion: HostnameClaimKind.apiVersion,
  kind: HostnameClaimKind.kind,
  metadata: { name: hostname },
  spec,
});
