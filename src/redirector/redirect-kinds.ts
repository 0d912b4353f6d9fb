import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Project } from '../generated/project.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/kubernetes-port.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import { schemaBounds } from '../resources/object-limits.ts';
import { HostnameClaimKind, ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { leavesWithDependents } from '../rules/leaving.ts';
import type { ChallengedOrder } from '../redirect/challenge-answer.ts';
import { isOpen } from '../redirect/challenge-answer.ts';

/** Who holds a hostname. The proof is read and not kept: it says whether the name is the platform's own. */
interface ClaimHolder extends KubernetesObject {
  readonly spec: Pick<HostnameClaim['spec'], 'phase' | 'holder'> &
    Partial<Pick<HostnameClaim['spec'], 'proof'>> & { readonly orders?: readonly ChallengedOrder[] };
}

type ProjectStatus = NonNullable<Project['status']>;

/** Where a project is served. Its domains are read and not kept: they say whether any of them redirects. */
interface PlatformHostname extends KubernetesObject {
  readonly status?: Pick<ProjectStatus, 'platformHostname'> & Partial<Pick<ProjectStatus, 'domains'>>;
}

/** Every kind that the redirector caches, with its indexes: of each object what a redirect is decided by. */
export const redirectKinds = Object.freeze({
  domains: watch(ProjectDomainKind, {
    memory: 'packed',
    keep: keptOfDomain,
    indexes: { nonce: ({ status }) => (status?.check?.token ? [status.check.token.nonce] : []) },
  }),
  claims: watch<ClaimHolder>(HostnameClaimKind, { memory: 'packed', keep: keptOfClaim }),
  projects: watch<PlatformHostname>(ProjectKind, { memory: 'packed', keep: keptOfProject }),
});

/** State and token of the status, and no labels or annotations. */
function keptOfDomain({ apiVersion, kind, metadata, spec, status }: ProjectDomain): ProjectDomain {
  const kept = { apiVersion, kind, metadata: identityOf(metadata), spec };
  if (status === undefined) return kept;
  const { state, check } = status;
  const token = check?.token;
  return {
    ...kept,
    status: { ...(state === undefined ? {} : { state }), ...(token === undefined ? {} : { check: { token } }) },
  };
}

/**
 * Phase and holder of a customer's hostname, with the order that is open; nothing of a platform hostname without one, which the
 * ingress serves.
 */
function keptOfClaim({ apiVersion, kind, metadata, spec }: ClaimHolder): ClaimHolder | undefined {
  const open = spec.orders?.findLast(isOpen);
  if (spec.proof?.method === 'Platform' && open === undefined) return undefined;
  const { name, resourceVersion = '' } = metadata;
  const { phase, holder } = spec;
  const orders = open?.acme && { orders: [{ outcome: open.outcome, acme: { thumbprint: open.acme.thumbprint } }] };
  return {
    apiVersion,
    kind,
    metadata: { name, resourceVersion, ...deletionOf(metadata) },
    spec: { phase, holder, ...orders },
  };
}

/** The platform hostname, to which a redirect may lead; nothing of a project without redirects, as most are. */
function keptOfProject({ apiVersion, kind, metadata, status }: PlatformHostname): PlatformHostname | undefined {
  const { platformHostname, domains = [] } = status ?? {};
  if (platformHostname === undefined || !mayRedirect(domains)) return undefined;
  const { name, namespace = '', resourceVersion = '' } = metadata;
  const leaving = leavesWithDependents({ metadata }) ? deletionOf(metadata) : {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, resourceVersion, ...leaving },
    status: { platformHostname },
  };
}

/** A list that is as long as it may be need not have them all. */
const mayRedirect = (domains: NonNullable<ProjectStatus['domains']>): boolean =>
  domains.length >= schemaBounds.projectDomains || domains.some(({ role }) => role === 'Redirect');

const identityOf = ({ name, namespace = '', uid = '', resourceVersion = '', ...rest }: ProjectDomain['metadata']) => ({
  name,
  namespace,
  uid,
  resourceVersion,
  ...deletionOf(rest),
});

/** That it is being deleted: it is there for as long as anybody's finalizer keeps it. */
const deletionOf = ({ deletionTimestamp }: Pick<ObjectMeta, 'deletionTimestamp'>) =>
  deletionTimestamp === undefined ? {} : { deletionTimestamp };
