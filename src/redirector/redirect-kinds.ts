import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Project } from '../generated/project.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind, ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { customersClaim } from '../rules/hostname-claims.ts';

/** Every kind that the redirector caches, with its indexes: of each object what a redirect is decided by. */
export const redirectKinds = Object.freeze({
  domains: watch(ProjectDomainKind, {
    memory: 'packed',
    keep: keptOfDomain,
    indexes: { nonce: ({ status }) => (status?.check?.token ? [status.check.token.nonce] : []) },
  }),
  claims: watch(HostnameClaimKind, { memory: 'packed', keep: customersClaim }),
  projects: watch(ProjectKind, { memory: 'packed', keep: keptOfProject }),
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

/** The platform hostname of the status. */
function keptOfProject({ apiVersion, kind, metadata, spec, status }: Project): Project {
  const kept = { apiVersion, kind, metadata: identityOf(metadata), spec: { service: spec.service } };
  const platformHostname = status?.platformHostname;
  return platformHostname === undefined ? kept : { ...kept, status: { platformHostname } };
}

function identityOf({ name, namespace = '', uid = '', resourceVersion = '', ...rest }: ProjectDomain['metadata']) {
  const { deletionTimestamp } = rest;
  return { name, namespace, uid, resourceVersion, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
}
