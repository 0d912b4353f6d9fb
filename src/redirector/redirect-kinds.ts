import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Project } from '../generated/project.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/kubernetes-port.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import { schemaBounds } from '../resources/object-limits.ts';
import { HostnameClaimKind, ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { leavesWithDependents } from '../rules/leaving.ts';
import type { ChallengedOrder } from './redirects/challenge-answer.ts';
import { isOpen } from './redirects/challenge-answer.ts';
import { isSuspended, suspendAnnotation } from '../rules/claim-suspension.ts';

/** Who holds a hostname, and by which proof: that says whether the name is the platform's own. */
interface ClaimHolder extends KubernetesObject {
  readonly spec: Pick<HostnameClaim['spec'], 'phase' | 'holder'> &
    Partial<Record<'proof', Pick<HostnameClaim['spec']['proof'], 'method'>>> & {
      readonly orders?: readonly ChallengedOrder[];
    };
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

/** State, token and end of the certificate of the status, and no labels or annotations. */
function keptOfDomain({ apiVersion, kind, metadata, spec, status }: ProjectDomain): ProjectDomain {
  const kept = { apiVersion, kind, metadata: identityOf(metadata), spec };
  if (status === undefined) return kept;
  const { state, check, servedAs, certificate } = status;
  const token = check?.token;
  const former = spec.role !== 'Redirect' && servedAs?.role === 'Redirect' && { servedAs };
  const said = { ...(state === undefined ? {} : { state }), ...(token === undefined ? {} : { check: { token } }) };
  const secured = certificate?.notAfter !== undefined && { certificate: { notAfter: certificate.notAfter } };
  return { ...kept, status: { ...said, ...secured, ...former } };
}

/**
 * Phase and holder of a hostname, whether it is suspended, with the order that is open. Of a platform hostname also the proof, and whether a certificate was ever
 * issued.
 */
function keptOfClaim({ apiVersion, kind, metadata, spec }: ClaimHolder): ClaimHolder {
  const { name, resourceVersion = '' } = metadata;
  const suspended = isSuspended({ metadata }) && { annotations: { [suspendAnnotation]: '' } };
  const { phase, holder, proof, orders = [] } = spec;
  const isPlatform = proof?.method === 'Platform';
  const said = [...(isPlatform ? bestOutcome(orders) : []), ...openOrder(orders)];
  return {
    apiVersion,
    kind,
    metadata: { name, resourceVersion, ...suspended, ...deletionOf(metadata) },
    spec: {
      phase,
      holder,
      ...(isPlatform ? { proof: { method: proof.method } } : {}),
      ...(said.length > 0 ? { orders: said } : {}),
    },
  };
}

function openOrder(orders: readonly ChallengedOrder[]): readonly ChallengedOrder[] {
  const open = orders.findLast(isOpen);
  return open?.acme ? [{ outcome: open.outcome, acme: { thumbprint: open.acme.thumbprint } }] : [];
}

/** That a certificate was issued, or else how the last order that is not open ended. */
function bestOutcome(orders: readonly ChallengedOrder[]): readonly ChallengedOrder[] {
  const best = orders.find(({ outcome }) => outcome === 'Issued') ?? orders.findLast((order) => !isOpen(order));
  return best ? [{ outcome: best.outcome }] : [];
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
