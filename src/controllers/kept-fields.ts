import type { Account } from '../generated/account.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/kubernetes-port.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { certificateNameAnnotation } from '../resources/cert-manager-types.ts';
import { isRedirectSlice } from '../routing/redirect-service.ts';
import { isChildName } from '../rules/dns-target.ts';
import { isEnded } from '../issuing/request-status.ts';
import type { EndpointSlice, Namespace } from '../resources/kubernetes-types.ts';

/**
 * What the operator's caches keep of an object: every field that is read, and every field that the operator writes, as an
 * apply is compared with the cached object, and a PUT sends the cached one back. Fields that are absent stay absent.
 */

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The whole object but for the copy of itself that `kubectl apply` leaves. Not for kinds that are replaced by PUT. */
export function withoutLastApplied<T extends KubernetesObject>(object: T): T {
  const { annotations } = object.metadata;
  if (annotations?.[lastApplied] === undefined) return object;
  const { [lastApplied]: _, ...others } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: others } };
}

/**
 * The same of an object that is named after a hostname, and nothing of any other. They are watched without a selector: a label is anybody's to set, and
 * an object that left a selection would count as gone.
 */
export const keptOfChild =
  <T extends KubernetesObject>(keep: (object: T) => T) =>
  (object: T): T | undefined =>
    isChildName(object.metadata.name) ? keep(object) : undefined;

/** The fields that are there, under the same names. */
function picked<T extends object, Name extends keyof T>(object: T, names: readonly Name[]): Pick<T, Name> {
  const found = names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]] as const);
  return Object.fromEntries(found) as unknown as Pick<T, Name>;
}

const identity = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
] as const;

/** Metadata without labels, and without annotations but the named ones. */
function keptMetadata(metadata: ObjectMeta, annotations: readonly string[] = []): ObjectMeta {
  const named = picked(metadata.annotations ?? {}, annotations);
  const kept = picked(metadata, [...identity, 'ownerReferences']);
  return Object.keys(named).length === 0 ? kept : { ...kept, annotations: named };
}

/** What everybody but its own controller asks of an account. */
export interface AccountHead extends Pick<Account, 'apiVersion' | 'kind' | 'spec'> {
  readonly metadata: Pick<Account['metadata'], 'name' | 'uid' | 'deletionTimestamp' | 'finalizers'>;
}

export const headOfAccount = (account: Account): AccountHead => ({
  ...picked(account, ['apiVersion', 'kind', 'spec']),
  metadata: picked(account.metadata, ['name', 'uid', 'deletionTimestamp', ...finalizersOf(account)]),
});

/** Many have finalizers; they matter only of one that is being deleted. */
const finalizersOf = ({ metadata }: Account): readonly 'finalizers'[] =>
  metadata.deletionTimestamp === undefined ? [] : ['finalizers'];

/** Labels and annotations too: triggers and metrics ask for more than a name. */
export const keptOfNamespace = (namespace: Namespace): Namespace =>
  withoutLastApplied(picked(namespace, ['apiVersion', 'kind', 'metadata']));

/** Without certificates. The signing request is read while a certificate may follow, so that of an ended one is not kept. */
export function keptOfRequest(request: CertificateRequest): CertificateRequest {
  const { apiVersion, kind, metadata, spec, status } = request;
  const common = {
    apiVersion,
    kind,
    metadata: keptMetadata(metadata, [certificateNameAnnotation]),
    spec: picked(spec, isEnded(request) ? ['issuerRef', 'isCA'] : ['issuerRef', 'isCA', 'request']),
  };
  return status === undefined ? common : { ...common, status: picked(status, ['conditions', 'failureTime']) };
}

const serviceName = 'kubernetes.io/service-name';

/** Our own slices as they are. Of all others in the cluster: which addresses of which Service are ready. */
export function keptOfSlice(slice: EndpointSlice): EndpointSlice {
  const { labels = {} } = slice.metadata;
  if (isRedirectSlice(slice.metadata.name)) return withoutLastApplied(slice);
  const { apiVersion, kind, metadata, endpoints } = slice;
  const named = picked(labels, [serviceName]);
  return {
    apiVersion,
    kind,
    metadata: { ...keptMetadata(metadata), ...(Object.keys(named).length === 0 ? {} : { labels: named }) },
    ...picked(slice, ['addressType']),
    ...(endpoints ? { endpoints: endpoints.map(keptOfEndpoint) } : {}),
  };
}

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];

const keptOfEndpoint = ({ addresses, conditions }: Endpoint): Endpoint =>
  conditions?.ready === undefined ? { addresses } : { addresses, conditions: { ready: conditions.ready } };
