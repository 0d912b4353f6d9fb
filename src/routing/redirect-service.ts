import type { EndpointSlice, RedirectorRecord } from '../resources/kubernetes-types.ts';
import type { RouteBackend } from './route-port.ts';
import type { Owner } from '../resources/object-metadata.ts';
import { childLabels, ownerReference } from '../resources/object-metadata.ts';
import { ConfigMapKind } from '../resources/kinds.ts';

/** The Service in every account namespace that represents the redirector. */
export const redirectBackend: RouteBackend = Object.freeze({ name: 'projectdomain-redirect', port: 8080 });

type Family = 'IPv4' | 'IPv6';
const families: readonly Family[] = ['IPv4', 'IPv6'];
/** The maximum of one EndpointSlice (discovery.k8s.io/v1). */
const endpointsAtMost = 1_000;

export interface RedirectServiceInput {
  readonly namespace: string;
  /** the Account; the Service is deleted with it */
  readonly owner: Owner;
}

const metadata = (name: string, { namespace, owner }: RedirectServiceInput) => ({
  name,
  namespace,
  labels: childLabels,
  ownerReferences: [ownerReference(owner, true)],
});

/** A Service without selector: an Ingress needs a Service in its own namespace, and the redirector runs elsewhere. */
export function redirectService(input: RedirectServiceInput) {
  const { name, port } = redirectBackend;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(name, input),
    spec: { ports: [{ name: 'http', port, protocol: 'TCP', targetPort: port }] },
  };
}

const sliceName = (family: string): string => `${redirectBackend.name}-${family.toLowerCase()}`;

/** True for the name of one of that Service's slices. */
export const isRedirectSlice = (name: string): boolean => families.some((family) => sliceName(family) === name);

/**
 * The redirector's ready Pods as endpoints of that Service, one slice for each address family in use. `existing` are
 * the Service's current slices: one of a family that is no longer in use is emptied.
 */
export function redirectSlices(
  input: RedirectServiceInput,
  redirector: readonly EndpointSlice[],
  existing: readonly EndpointSlice[],
) {
  return families.flatMap((addressType) => {
    const slices = redirector.filter((slice) => slice.addressType === addressType);
    const inUse = slices.length > 0 || existing.some((slice) => slice.addressType === addressType);
    if (!inUse && addressType !== 'IPv4') return [];
    const { name, port } = redirectBackend;
    const own = metadata(sliceName(addressType), input);
    return [
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...own, labels: { ...own.labels, 'kubernetes.io/service-name': name } },
        addressType,
        endpoints: readyAddresses(slices).map((address) => ({ addresses: [address], conditions: { ready: true } })),
        ports: [{ name: 'http', port, protocol: 'TCP' }],
      },
    ];
  });
}

/** The redirector's addresses for account namespaces: IPv4 then IPv6, each sorted. */
export const redirectorAddresses = (redirector: readonly EndpointSlice[]): readonly string[] =>
  families.flatMap((family) => readyAddresses(redirector.filter(({ addressType }) => addressType === family)));

/** Sorted, so that the same Pods always result in the same slice. `ready` unset counts as ready. */
function readyAddresses(slices: readonly EndpointSlice[]): readonly string[] {
  const ready = slices.flatMap(({ endpoints = [] }) =>
    endpoints.filter(({ conditions }) => conditions?.ready !== false).flatMap(({ addresses }) => addresses),
  );
  return [...new Set(ready)].toSorted().slice(0, endpointsAtMost);
}

/** Name of the ConfigMap in the namespace of the redirector's own Service. */
export const redirectorRecordName = 'projectdomain-redirector-endpoints';

/** The record with these addresses; `before` is the existing one, whose resourceVersion must still be current. */
export const redirectorRecord = (
  namespace: string,
  addresses: readonly string[],
  before?: RedirectorRecord,
): RedirectorRecord & { readonly data: { readonly addresses: string } } => ({
  apiVersion: ConfigMapKind.apiVersion,
  kind: ConfigMapKind.kind,
  metadata: { ...before?.metadata, namespace, name: redirectorRecordName },
  data: { addresses: addresses.join(' ') },
});

export const recordedAddresses = (record: RedirectorRecord | undefined): readonly string[] =>
  record?.data?.addresses?.split(' ').filter((address) => address !== '') ?? [];
