import type { ReconcileResult, WriteAction } from '../../controller-runtime/actions.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Project } from '../../generated/project.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { CertificateKind, ProjectDomainKind, ProjectKind, SecretKind } from '../../resources/kinds.ts';
import { partsOf } from '../../routing/route-port.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { childName } from '../../rules/dns-target.ts';
import { isLeaving } from '../../rules/leaving.ts';
import { addressOfProject } from '../address-of-project.ts';
import type { ApplyDependencies } from '../apply-actions.ts';
import { applyActions, applyWrites } from '../apply-actions.ts';
import type { CommonNeeds } from '../needs.ts';
import { areSecretsGone } from '../tls-secrets.ts';
import type { HostnameClaimSnapshot } from './decide-hostname-claim.ts';
import { decideHostnameClaim, isLiving } from './decide-hostname-claim.ts';
import type { Controller } from '../controller.ts';
import { byHolder } from '../controller.ts';

export const hostnameClaimController: Controller = {
  workers: ({ hostnameClaim }) => hostnameClaim,
  shareOf: byHolder,
  reconcile: reconcileHostnameClaim,
};

/**
 * Reconciles one HostnameClaim. One that is being deleted itself is no exception, as its holder may be, too: whoever is still there withdraws its own route. Where the cache shows that the holder exists, nothing is
 * read live.
 */
export async function reconcileHostnameClaim(dependencies: CommonNeeds, key: string): Promise<ReconcileResult> {
  const { caches } = dependencies;
  const claim = caches.claims.get(parseKey(key));
  if (!claim) return {};
  const recheckResult = await deleteFormerHolderSecrets(dependencies, claim);
  if (isLiving(claim) && holds(dependencies, cachedHolder(caches, claim), claim)) return recheckResult;
  return soonerResult(
    recheckResult,
    await applyActions(dependencies, decideHostnameClaim(await observe(dependencies, claim))),
  );
}

const isPlatform = (claim: HostnameClaim): boolean => claim.spec.proof.method === 'Platform';

/** The object that the claim names as its holder. */
type Holder = Project | ProjectDomain | undefined;

/** A project gives up what it does not want any more. */
function holds(sources: Pick<CommonNeeds, 'caches' | 'settings'>, holder: Holder, claim: HostnameClaim) {
  if (!holder || isLeaving(holder)) return false;
  const hostname =
    'hostname' in holder.spec ? holder.spec.hostname : addressOfProject(sources, holder as Project, claim.spec.account);
  return hostname === claimedHostname(claim.metadata.name);
}

function cachedHolder({ projects, domains }: CommonNeeds['caches'], claim: HostnameClaim): Holder {
  return isPlatform(claim) ? projects.get(claim.spec.holder) : domains.get(claim.spec.holder);
}

async function observe(dependencies: CommonNeeds, claim: HostnameClaim): Promise<HostnameClaimSnapshot> {
  const { cluster, settings, now } = dependencies;
  const { holder: reference } = claim.spec;
  const hostname = claimedHostname(claim.metadata.name);
  const key = { namespace: reference.namespace, name: childName(hostname) };
  const [isGone, holder, certificate, ...route] = await Promise.all([
    areSecretsGone(dependencies, reference.namespace),
    isPlatform(claim) ? cluster.get(ProjectKind, reference) : cluster.get(ProjectDomainKind, reference),
    cluster.get(CertificateKind, key),
    ...partsOf(settings.routes, reference.namespace, hostname).map((part) => cluster.get(part.kind, part.key)),
  ]);
  const objects = route.filter((object) => object !== undefined);
  const children = {
    route: objects.length > 0,
    certificate: certificate !== undefined,
    kept: objects.filter(isLeaving),
  };
  return Object.freeze({
    now: now(),
    claim,
    held: holds(dependencies, holder, claim),
    isHolderLeaving: holder !== undefined && isLeaving(holder),
    areSecretsGone: isGone,
    children,
    routes: settings.routes,
  });
}

/** How often to look for a Secret that came back; the operator cannot watch them, as it may not read Secrets. */
const hour = 3_600_000;

/**
 * Deletes, by name, the TLS Secret that a restored backup may have brought back into a former holder's namespace. Where
 * the operator no longer has rights on Secrets, there is no account either, and nothing to do.
 */
export async function deleteFormerHolderSecrets(
  dependencies: ApplyDependencies,
  { metadata, spec }: HostnameClaim,
): Promise<ReconcileResult> {
  const former = (spec.formerHolders ?? []).filter((namespace) => namespace !== spec.holder.namespace);
  if (former.length === 0) return {};
  const name = childName(claimedHostname(metadata.name));
  const writes: WriteAction[] = [];
  for (const namespace of former)
    if (await isAllowed(dependencies.cluster, { namespace, verb: 'delete', resource: 'secrets' }))
      writes.push({ verb: 'remove', kind: SecretKind, key: { namespace, name } });
  await applyWrites(dependencies, writes);
  return { requeueAfterMs: hour };
}

/** The result with the earlier requeue. */
export function soonerResult(one: ReconcileResult, other: ReconcileResult): ReconcileResult {
  if (one.requeueAfterMs === undefined || other.refused !== undefined) return other;
  if (other.requeueAfterMs === undefined) return one;
  return { requeueAfterMs: Math.min(one.requeueAfterMs, other.requeueAfterMs) };
}
