import type { ProjectDomain } from '../generated/project-domain.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { EndpointSliceKind, GatewayKind, ServiceKind } from '../resources/kinds.ts';
import { redirectBackend } from '../routing/redirect-service.ts';
import type { Kind } from '../kubernetes/kubernetes-port.ts';
import type { ControllerSettings } from './controller-settings.ts';
import type { RefusedWrite } from './refused-write.ts';
import type { RefusedWrites } from './refused-writes.ts';
import { recording } from './tell-refusals.ts';
import { usesRedirector } from './redirector-endpoints/decide-redirector-endpoints.ts';

interface Sources {
  readonly settings: Pick<ControllerSettings, 'writtenGateways'>;
  readonly refusedWrites?: RefusedWrites;
}

interface Used {
  readonly domain: ProjectDomain;
  /** while the domain holds it */
  readonly claim: HostnameClaim | undefined;
  /** the routing classes that are to serve it */
  readonly classes: readonly string[];
}

const inNamespace = [
  { kind: ServiceKind, name: redirectBackend.name },
  ...['ipv4', 'ipv6'].map((family) => ({ kind: EndpointSliceKind, name: `${redirectBackend.name}-${family}` })),
];

/**
 * What the cluster refused of objects that a domain depends on and others write: its claim, on which orders are recorded, what leads its
 * namespace to the redirector, and the Gateway that has its listener. Of the Gateway it says no more, as those words may name hostnames of others.
 */
export function lastingRefusals(
  { settings, refusedWrites }: Sources,
  { domain, claim, classes }: Used,
): readonly RefusedWrite[] {
  if (!refusedWrites) return [];
  const { namespace = '' } = domain.metadata;
  const applied = (kind: Kind, place: { readonly namespace: string; readonly name: string }) =>
    refusedWrites.lasting({ verb: 'apply', kind, object: { ...kind, metadata: place } }) ?? [];
  const ofClaim = claim ? (refusedWrites.lasting(recording(claim)) ?? []) : [];
  const ofRedirector = usesRedirector(domain) ? inNamespace : [];
  const ofClasses = settings.writtenGateways.filter((gateway) => classes.includes(gateway.class));
  return [
    ...[ofClaim].flat(),
    ...ofRedirector.flatMap(({ kind, name }) => applied(kind, { namespace, name })),
    ...ofClasses
      .flatMap(({ namespace: place, name }) => applied(GatewayKind, { namespace: place, name }))
      .map((refused) => ({ ...refused, by: '', said: 'see the Event about the Gateway' })),
  ];
}
