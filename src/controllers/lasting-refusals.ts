import type { ProjectDomain } from '../generated/project-domain.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { EndpointSliceKind, GatewayKind, ServiceKind, HostnameClaimKind } from '../resources/kinds.ts';
import { redirectBackend } from '../routing/redirect-service.ts';
import { partsOf, suspensionParts } from '../routing/route-port.ts';
import type { Kind, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { ControllerSettings } from './controller-settings.ts';
import type { RefusedWrite } from './refused-write.ts';
import type { RefusedWrites } from './refused-writes.ts';
import { usesRedirector } from './redirector-endpoints/decide-redirector-endpoints.ts';
import type { ReconcileResult, WriteAction } from '../controller-runtime/actions.ts';
import { refusalOf } from '../rules/write-refusal.ts';
import type { CommonNeeds } from './needs.ts';
import { refusalEvent } from './refused-write.ts';

interface Sources {
  readonly settings: Pick<ControllerSettings, 'writtenGateways' | 'routes'>;
  readonly refusedWrites?: RefusedWrites;
}

interface Used {
  readonly domain: ProjectDomain;
  /** while the domain holds it */
  readonly claim: HostnameClaim | undefined;
  /** the routing classes that are to serve it */
  readonly classes: readonly string[];
  /** of a wildcard, the hostnames that it includes and that are suspended */
  readonly suspendedBelow: readonly string[];
}

const inNamespace = [
  { kind: ServiceKind, name: redirectBackend.name },
  ...['ipv4', 'ipv6'].map((family) => ({ kind: EndpointSliceKind, name: `${redirectBackend.name}-${family}` })),
];

/**
 * What the cluster refused of objects that a domain depends on and others write: its claim, on which orders are recorded, what leads its
 * namespace to the redirector, and the Gateway that has its listener. Of the Gateway it says no more, as those words may name hostnames of others.
 * Of a wildcard also what it writes itself for suspended hostnames, as it must not be served without that.
 */
export function lastingRefusals(
  { settings, refusedWrites }: Sources,
  { domain, claim, classes, suspendedBelow }: Used,
): readonly RefusedWrite[] {
  if (!refusedWrites) return [];
  const { namespace = '' } = domain.metadata;
  const applied = (kind: Kind, place: ObjectKey) => lastingApply(refusedWrites, kind, place) ?? [];
  const ofClaim = claim ? (refusedWrites.lasting(recording(claim)) ?? []) : [];
  const isSuspending = suspendedBelow.length > 0;
  const ofRedirector = usesRedirector(domain) || isSuspending ? inNamespace : [];
  const ofSuspended = isSuspending ? suspensionParts(settings.routes, namespace, domain.spec.hostname) : [];
  const ofClasses = settings.writtenGateways.filter((gateway) => classes.includes(gateway.class));
  return [
    ...[ofClaim].flat(),
    ...ofSuspended.flatMap(({ kind, key }) => applied(kind, key)),
    ...ofRedirector.flatMap(({ kind, name }) => applied(kind, { namespace, name })),
    ...ofClasses
      .flatMap(({ namespace: place, name }) => applied(GatewayKind, { namespace: place, name }))
      .map((refused) => ({ ...refused, by: '', said: 'see the Event about the Gateway' })),
  ];
}

/** Whether the cluster refused the last apply of an object of the hostname's route, and none was done since. */
export function isRouteRefused(
  { settings, refusedWrites }: Sources,
  { metadata: { namespace = '' }, spec: { hostname } }: ProjectDomain,
): boolean {
  if (!refusedWrites) return false;
  const parts = partsOf(settings.routes, namespace, hostname);
  return parts.some(({ kind, key }) => lastingApply(refusedWrites, kind, key) !== null);
}

const lastingApply = (refusedWrites: RefusedWrites, kind: Kind, place: ObjectKey): RefusedWrite | null =>
  refusedWrites.lasting({ verb: 'apply', kind, object: { ...kind, metadata: place } });

type Telling = Pick<CommonNeeds, 'refusedWrites' | 'recordEvent'> & {
  readonly caches: { readonly claims: Pick<CommonNeeds['caches']['claims'], 'get'> };
};

/**
 * A reconcile of what is recorded on the claim of this name, write by write: a refusal is told in an Event about the claim, and stands until the
 * reconcile succeeds, so that the hostname's domain can say it. The error is thrown as ever.
 */
export async function tellingRefusals(
  { refusedWrites, recordEvent, caches }: Telling,
  name: string,
  reconcile: () => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim || !refusedWrites) return reconcile();
  try {
    const result = await reconcile();
    refusedWrites.done(recording(claim));
    return result;
  } catch (error) {
    const refusal = refusedWrites.hasTold(error) ? null : refusalOf(error);
    if (refusal) recordEvent(refusalEvent(claim, [refusedWrites.refused(recording(claim), refusal, error)]));
    throw error;
  }
}

/** The write that stands for all of them. */
export const recording = (claim: HostnameClaim): WriteAction => ({
  verb: 'replace',
  kind: HostnameClaimKind,
  object: claim,
});
