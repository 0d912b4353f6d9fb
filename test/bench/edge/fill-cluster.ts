import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { podAddressOf } from '../../../dev/platform/address.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import { traefikEdge } from '../../../dev/platform/services.ts';
import type { Kind, ObjectKey } from '../../../src/kubernetes/kubernetes-port.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import {
  CertificateKind,
  CertificateRequestKind,
  EndpointSliceKind,
  NamespaceKind,
  SecretKind,
  ServiceKind,
} from '../../../src/resources/kinds.ts';
import { accountLabel } from '../../../src/resources/object-metadata.ts';
import type { Owner } from '../../../src/resources/object-metadata.ts';
import { redirectService, redirectSlices } from '../../../src/routing/redirect-service.ts';
import type { IssueCertificate, IssuedFiles } from './edge-certificates.ts';
import { hostnameOf } from './edge-certificates.ts';
import type { EdgeCluster } from './edge-cluster.ts';
import type { EdgeHostname } from './edge-objects.ts';
import {
  backendName,
  backendPort,
  edgeCertificate,
  edgeOrder,
  edgeRequest,
  edgeSecret,
  orderStatus,
  readyStatus,
  requestStatus,
  secretManager,
} from './edge-objects.ts';
import { edgeRoutes } from './edge-routes.ts';
import type { IssuedUids } from './served-clones.ts';
import { cloneIssued } from './served-clones.ts';

type Filled = Pick<EdgeCluster, 'api' | 'etcd'>;

/** Numbers of hostnames: from the first, up to but without the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Hostnames in one namespace: a small customer's. */
const perNamespace = 5;
const atATime = 32;
const documentationAddress = '192.0.2.30';
const OrderKind: Kind = { apiVersion: 'acme.cert-manager.io/v1', kind: 'Order', plural: 'orders', namespaced: true };

/**
 * Makes the numbered hostnames served: each with Certificate, CertificateRequest, Order, Secret and Ingress. The first
 * is written as operator and cert-manager write it. Of the others the three custom resources are copies of its, put
 * into etcd past the kube-apiserver, which would take ten times as long.
 */
export async function fill(cluster: Filled, { from, to }: Span, issue: IssueCertificate): Promise<void> {
  const { api } = cluster;
  await createNamespaces(api, { from, to }, async (namespace) => void (await createBackend(api, namespace)));
  const routes = edgeRoutes(api, traefikEdge.routing);
  const wantedAt = wantedBy(api);
  const first = await wantedAt(from);
  const files = issue(first.hostname);
  const uids = await createIssued(api, first, files);
  const clone = await cloneIssued(cluster.etcd, { wanted: first, uids, files });
  await inLanes({ from, to }, async (index) => {
    const wanted = await wantedAt(index);
    if (index !== from) await clone(wanted, issue(wanted.hostname));
    await createSecret(api, wanted, issue);
    await routes.apply(wanted);
  });
}

/** Creates the namespaces of the numbered hostnames, and in each what `fillIn` does. */
export function createNamespaces(
  api: BulkApi,
  { from, to }: Span,
  fillIn: (namespace: string) => Promise<void>,
): Promise<void> {
  const namespaces: Span = { from: Math.ceil(from / perNamespace), to: Math.ceil(to / perNamespace) };
  return inLanes(namespaces, async (index) => {
    const namespace = namespaceOf(index * perNamespace);
    await createNamespace(api, namespace);
    await fillIn(namespace);
  });
}

/** Tells the numbered hostname, whose namespace is there. */
export function wantedBy(api: BulkApi): (index: number) => Promise<EdgeHostname> {
  const owners = new Map<string, Owner>();
  return async (index) => {
    const namespace = namespaceOf(index);
    const owner = owners.get(namespace) ?? (await readNamespace(api, namespace));
    owners.set(namespace, owner);
    return { hostname: hostnameOf('filler', index), namespace, owner };
  };
}

const namespaceOf = (index: number): string => `customer-${Math.floor(index / perNamespace)}`;

/** Several at a time, each number once. */
export async function inLanes({ from, to }: Span, work: (index: number) => Promise<void>): Promise<void> {
  let next = from;
  const lane = async () => {
    for (let index = next; index < to; index = next) {
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}

const readNamespace = async (api: BulkApi, name: string): Promise<Owner> =>
  (await api.send('GET', objectPath(NamespaceKind, { namespace: '', name }))) as Owner;

/** An account's namespace with the operator's Service for redirects, which has a ready endpoint. */
export async function createNamespace(api: BulkApi, name: string): Promise<Owner> {
  const metadata = { name, labels: { [accountLabel]: name } };
  await api.send('POST', collectionPath(NamespaceKind), { apiVersion: 'v1', kind: 'Namespace', metadata });
  const owner = await readNamespace(api, name);
  const create = (kind: Kind, object: object) => api.send('POST', collectionPath(kind, name), object);
  const redirector = sliceOf({ namespace: systemNamespace, name: 'redirector' }, documentationAddress);
  await create(ServiceKind, redirectService({ namespace: name, owner }));
  for (const redirects of redirectSlices({ namespace: name, owner }, [redirector], []))
    await create(EndpointSliceKind, redirects);
  return owner;
}

const ports = [{ name: 'http', port: backendPort }];

const sliceOf = ({ namespace, name }: ObjectKey, address: string) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
  addressType: 'IPv4' as const,
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports,
});

interface CreatedService {
  readonly spec: { readonly clusterIP: string };
}

/** A customer's Service with a ready endpoint; its cluster IP. Whether anybody listens there is not its business. */
export async function createBackend(api: BulkApi, namespace: string, name = backendName): Promise<string> {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports } };
  const created = (await api.send('POST', collectionPath(ServiceKind, namespace), service)) as CreatedService;
  const { clusterIP } = created.spec;
  const slice = sliceOf({ namespace, name }, podAddressOf(clusterIP));
  await api.send('POST', collectionPath(EndpointSliceKind, namespace), slice);
  return clusterIP;
}

/** What a hostname's certificate was issued by, as operator and cert-manager leave it; their uids. */
async function createIssued(api: BulkApi, wanted: EdgeHostname, files: IssuedFiles): Promise<IssuedUids> {
  const { namespace } = wanted;
  const create = async (kind: Kind, object: object, status: object) => {
    const created = (await api.send('POST', collectionPath(kind, namespace), object)) as Owner;
    const { name } = created.metadata;
    await api.send('PATCH', `${objectPath(kind, { namespace, name })}/status`, { status });
    return created;
  };
  const certificate = await create(CertificateKind, edgeCertificate(wanted), readyStatus(files));
  const request = edgeRequest(wanted, certificate, files);
  const requested = await create(CertificateRequestKind, request, requestStatus(files));
  const ordered = await create(OrderKind, edgeOrder(wanted, requested, files), orderStatus(wanted, files));
  const uidOf = ({ metadata: { uid = '' } }: Owner) => uid;
  return { certificate: uidOf(certificate), request: uidOf(requested), order: uidOf(ordered) };
}

/** The TLS Secret of a hostname, as if cert-manager had written it. */
export async function createSecret(api: BulkApi, wanted: EdgeHostname, issue: IssueCertificate): Promise<void> {
  const path = `${collectionPath(SecretKind, wanted.namespace)}?fieldManager=${secretManager}`;
  await api.send('POST', path, edgeSecret(wanted, issue(wanted.hostname)));
}
