import type { Finding } from '../../../rules/conditions.ts';
import { findCondition, isTrue, no, unknown, yes } from '../../../rules/conditions.ts';
import type { RoutedReason } from '../../../rules/reasons.ts';
import type { Ingress } from '../../../resources/kubernetes-types.ts';
import type { RouteBackend } from '../../../routing/ingress/ingress-manifest.ts';
import { ingressManifest as build } from '../../../routing/ingress/ingress-manifest.ts';
import { redirectBackend } from '../../../routing/redirect-service.ts';
import { CertificateKind, IngressKind } from '../../../resources/kinds.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import type { Permission } from './certificate-step.ts';

export interface RouteStep {
  readonly finding: Finding<RoutedReason>;
  readonly writes: readonly WriteAction[];
}

/** The Ingress: made once the certificate is there, kept while the name is held, true once it answered. */
export function decideRoute(snapshot: ProjectDomainSnapshot, issued: Finding, { mayCreate }: Permission): RouteStep {
  const { ingress, claimRelation } = snapshot;
  if (claimRelation.kind !== 'Held')
    return { finding: waiting(), writes: claimRelation.kind === 'Free' ? [] : prune(snapshot) };
  if (!mayCreate && !ingress) return { finding: waiting(), writes: [] };
  if (!ingress && !isTrue(issued)) return { finding: waiting(), writes: [] };
  const backend = backendOf(snapshot);
  const writes = backend && mayCreate ? [applyIngress(snapshot, backend)] : [];
  return { finding: answered(snapshot), writes };
}

const waiting = (): Finding<RoutedReason> => unknown('Waiting', 'waits for the certificate');

/** Takes route and certificate away; the TLS Secret stays for the name's return (docs/concepts/states.md). */
export function withdrawRoute(snapshot: ProjectDomainSnapshot, why: string): RouteStep {
  return { finding: no('Withdrawn', why), writes: prune(snapshot) };
}

/** Only children this very object owns: a name's next holder may have its own under the same name elsewhere. */
function prune({ ingress, certificate, domain }: ProjectDomainSnapshot): readonly WriteAction[] {
  const owned = [
    { kind: IngressKind, child: ingress },
    { kind: CertificateKind, child: certificate },
  ];
  return owned.flatMap(({ kind, child }) => {
    const mine = child?.metadata.ownerReferences?.some((owner) => owner.uid === domain.metadata.uid);
    if (!child || !mine) return [];
    const { namespace = '', name, uid } = child.metadata;
    return [{ verb: 'remove', kind, key: { namespace, name }, preconditions: uid ? { uid } : {} } as const];
  });
}

/**
 * A hostname that becomes a redirect goes on serving until its destination's route leads to the project: of two
 * hostnames that change places neither is ever without an answer, and none redirects in a circle.
 */
function backendOf({ domain, project, ingress, destination }: ProjectDomainSnapshot): RouteBackend | null {
  const service = project ? project.spec.service : null;
  if (domain.spec.role !== 'Redirect') return service;
  const serves = ingress !== undefined && backendName(ingress) !== redirectBackend.name;
  const waits =
    serves && domain.spec.redirect?.to !== project?.status?.platformHostname && !leadsToProject(destination);
  return waits ? service : redirectBackend;
}

const leadsToProject = (destination: Ingress | undefined): boolean =>
  destination !== undefined && backendName(destination) !== redirectBackend.name;

const backendName = ({ spec }: Ingress): string | undefined => spec?.rules?.[0]?.http?.paths[0]?.backend.service?.name;

function applyIngress({ domain, settings }: ProjectDomainSnapshot, backend: RouteBackend): WriteAction {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return {
    verb: 'apply',
    kind: IngressKind,
    object: build(input, { className: settings.ingressClass, backend, tls: true }),
  };
}

/** Once it answered it counts as routed while the Ingress stands: one lost probe takes nothing away. */
function answered({ ingress, probe, domain }: ProjectDomainSnapshot): Finding<RoutedReason> {
  const before = findCondition(domain.status?.conditions, 'Routed');
  if (probe?.ok || (ingress && isTrue(before))) {
    return yes('Routed', 'the hostname answers with its certificate');
  }
  const detail = probe && !probe.ok ? `: ${probe.detail}` : '';
  return unknown('NotAnswering', `the hostname does not answer with its certificate yet${detail}`);
}
