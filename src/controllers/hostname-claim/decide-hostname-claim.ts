import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { hasRevocations } from '../../issuing/revocations.ts';
import { timestamp } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import type { RouteImplementation } from '../../routing/route-port.ts';
import { removeRouteOf, disarmKept } from '../../routing/route-writes.ts';
import { CertificateKind, HostnameClaimKind, SecretKind } from '../../resources/kinds.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { isSuspended } from '../../rules/claim-suspension.ts';

/** Read live, not from a cache: absence must be certain before anything is deleted. */
export interface HostnameClaimSnapshot {
  readonly now: number;
  readonly claim: HostnameClaim;
  /** the holder exists, is not being deleted and still has this hostname */
  readonly held: boolean;
  /** the holder exists and is being deleted; absent: it is not */
  readonly isHolderLeaving?: boolean;
  /** the holder's namespace is gone, and its Secrets and the right to delete them with it; absent: it is not */
  readonly areSecretsGone?: boolean;
  /** route and certificate of the holder's namespace still exist */
  readonly children: {
    readonly route: boolean;
    readonly certificate: boolean;
    /** the route's objects that are deleted already, and that somebody's finalizer keeps; absent: none */
    readonly kept?: readonly KubernetesObject[];
  };
  readonly routes: RouteImplementation;
}

const tombstoneFor = 7 * 24 * 3_600_000;
const confirmAgain = 1_000;
const confirmAtLeastEvery = 60_000;
/** Longer than the time between a proof and the creation of its claim can be, including clock skew. */
const proofToClaim = 60_000;
/** How long after a claim was restored its holder may still be missing. */
const restoring = 3_600_000;
/** Nothing but the claim knows what has to be revoked, so that a tombstone stays until it is, or those certificates have ended. */
const revokedWithin = 3_600_000;

/**
 * Ends a claim whose holder is gone or has lost the name; who is given it, domains decide (project-domain/steps/claim-step.ts). Deletes the route, then the certificate, by name; once both
 * are confirmed gone, the claim becomes a tombstone. The TLS Secret is kept after a removal (the same account may come
 * back within seven days) and deleted with a transfer. An expired tombstone is deleted together with the Secret, unless its
 * hostname is suspended: then only the Secret, as nothing else remembers that. Where the namespace is gone there is no Secret to wait for. A claim that was restored from a backup waits for its holder to be restored. A
 * holder that is being deleted is gone, whatever keeps the object.
 */
export function decideHostnameClaim(snapshot: HostnameClaimSnapshot): Actions {
  const { claim, held, isHolderLeaving = false } = snapshot;
  if (claim.spec.phase === 'Tombstone') return expire(snapshot);
  if (isLiving(claim) && held) return noActions;
  const restoredBy = restoredUntil(claim);
  if (claim.spec.phase === 'Held' && !isHolderLeaving && snapshot.now < restoredBy)
    return { ...noActions, requeueAt: restoredBy };
  return release(snapshot);
}

/** Pending is decided by the reconcile of its holder. */
export const isLiving = ({ spec }: HostnameClaim): boolean => spec.phase === 'Held' || spec.phase === 'Pending';

/**
 * Until when a claim may lack its holder because it was restored from a backup before it, milliseconds since the Unix
 * epoch; 0 when it was not restored. A claim is created the moment its name is proven, so one that is younger than its
 * proof was restored.
 */
function restoredUntil({ metadata, spec }: HostnameClaim): number {
  const madeAt = Date.parse(metadata.creationTimestamp ?? '');
  return madeAt - Date.parse(spec.proof.at) > proofToClaim ? madeAt + restoring : 0;
}

function release({ claim, children, routes, now, areSecretsGone = false }: HostnameClaimSnapshot): Actions {
  const { namespace } = claim.spec.holder;
  const key = { namespace, name: childName(claimedHostname(claim.metadata.name)) };
  if (children.route || children.certificate) {
    const hostname = claimedHostname(claim.metadata.name);
    const { kept = [] } = children;
    const writes: readonly WriteAction[] = [
      ...removeRouteOf(routes, namespace, hostname),
      { verb: 'remove', kind: CertificateKind, key },
      ...disarmKept(routes, { namespace, hostname, objects: kept }),
    ];
    return { writes, events: [], requeueAt: now + untilConfirmed(kept, now) };
  }
  const spec = { ...claim.spec, phase: 'Tombstone' as const, releasedAt: timestamp(now) };
  const entomb: WriteAction = { verb: 'replace', kind: HostnameClaimKind, object: { ...claim, spec } };
  const lost = claim.spec.phase === 'Releasing' && !areSecretsGone;
  const writes: readonly WriteAction[] = lost ? [{ verb: 'remove', kind: SecretKind, key }, entomb] : [entomb];
  return { writes, events: [], requeueAt: null };
}

/** Whoever keeps an object may do so for ever: it is looked at again after a part of the time that it has been kept. */
function untilConfirmed(kept: readonly KubernetesObject[], now: number): number {
  const keptFor = kept.map(({ metadata }) => now - Date.parse(metadata.deletionTimestamp ?? ''));
  return Math.min(Math.max(confirmAgain, ...keptFor.map((ms) => ms / 4)), confirmAtLeastEvery);
}

function expire({ claim, now, areSecretsGone = false }: HostnameClaimSnapshot): Actions {
  const releasedAt = claim.spec.releasedAt ? Date.parse(claim.spec.releasedAt) : now;
  const expiresAt = releasedAt + tombstoneFor;
  if (now < expiresAt) return { ...noActions, requeueAt: expiresAt };
  if (hasRevocations(claim)) return { ...noActions, requeueAt: now + revokedWithin };
  const { name, uid, resourceVersion } = claim.metadata;
  const secretKey = { namespace: claim.spec.holder.namespace, name: childName(claimedHostname(name)) };
  const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  const secret: WriteAction = { verb: 'remove', kind: SecretKind, key: secretKey };
  const secrets = areSecretsGone ? [] : [secret];
  const ended: WriteAction = { verb: 'remove', kind: HostnameClaimKind, key: { namespace: '', name }, preconditions };
  return { writes: isSuspended(claim) ? secrets : [...secrets, ended], events: [], requeueAt: null };
}
