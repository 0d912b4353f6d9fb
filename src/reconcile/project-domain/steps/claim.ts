import type { HostnameClaim } from '../../../generated/hostname-claim.ts';
import { timestamp } from '../../../model/condition.ts';
import { formerHolders } from '../../../model/former-holders.ts';
import { childName } from '../../../model/target.ts';
import { HostnameClaimKind, SecretKind } from '../../../model/kinds.ts';
import type { Action } from '../../plan.ts';
import type { CheckMemory } from '../memory.ts';
import type { DomainSnapshot } from '../snapshot.ts';

/** A contested name moves only after this many checks in a row proved the contender. */
const proofsToMove = 2;

/**
 * What proof does to the claim: two name servers must have said it, wherever the zone has two. Called only when the domain
 * is accepted. The claim is created by POST and changed by
 * PUT with the version that was read, so that of many rivals exactly one wins; everything else waits for the cache to
 * show the claim.
 */
export function claim(snapshot: DomainSnapshot, memory: CheckMemory): readonly Action[] {
  const { judgement, standing } = snapshot;
  if (judgement?.routing.verdict !== 'yes' || judgement.ownership.verdict !== 'yes' || !judgement.corroborated)
    return [];
  if (standing.kind === 'Free') return [take(snapshot)];
  if (standing.kind !== 'Foreign' || memory.successes < proofsToMove || !holderIsGone(snapshot)) return [];
  return move(snapshot, standing.phase);
}

function take(snapshot: DomainSnapshot): Action {
  const { claim: existing } = snapshot;
  const spec = heldSpec(snapshot);
  if (!existing)
    return { verb: 'create', kind: HostnameClaimKind, object: claimObject(snapshot.domain.spec.hostname, spec) };
  return { verb: 'replace', kind: HostnameClaimKind, object: { ...existing, spec } };
}

function move(snapshot: DomainSnapshot, phase: HostnameClaim['spec']['phase']): readonly Action[] {
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

/** The holder keeps the name while its own target or its own ownership record is still to be seen. */
function holderIsGone({ judgement, holder }: DomainSnapshot): boolean {
  if (!holder) return true;
  return !judgement?.discovered.some((record) => record.value === holder.target || record.value === holder.ownership);
}

/** What was ordered of a hostname counts at the authority whoever holds it, so its orders stay with it. */
function heldSpec({ domain, account, claim: before, standing, judgement, now }: DomainSnapshot): HostnameClaim['spec'] {
  const { namespace = '', name } = domain.metadata;
  const byTarget = judgement?.routing.by === 'target' && standing.kind === 'Free';
  const former = formerHolders(before?.spec, namespace);
  return {
    account: account?.spec.id ?? '',
    holder: { namespace, name },
    ...(former && { formerHolders: former }),
    phase: 'Held',
    epoch: standing.epoch,
    proof: { method: byTarget ? 'CNAME' : 'TXT', at: timestamp(now) },
    orders: [...(before?.spec.orders ?? [])],
  };
}

const claimObject = (hostname: string, spec: HostnameClaim['spec']) => ({
  apiVersion: HostnameClaimKind.apiVersion,
  kind: HostnameClaimKind.kind,
  metadata: { name: hostname },
  spec,
});
