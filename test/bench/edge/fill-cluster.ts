import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import type { Kind } from '../../../src/kubernetes/kubernetes-port.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import {
  CertificateKind,
  CertificateRequestKind,
  EndpointSliceKind,
  IngressKind,
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
  edgeIngress,
  edgeOrder,
  edgeRequest,
  edgeSecret,
  orderStatus,
  readyStatus,
  requestStatus,
  secretManager,
} from './edge-objects.ts';
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
  const namespaces: Span = { from: Math.ceil(from / perNamespace), to: Math.ceil(to / perNamespace) };
  await inLanes(namespaces, async (index) => void (await createNamespace(api, namespaceOf(index * perNamespace))));
  const owners = new Map<string, Owner>();
  const wantedAt = async (index: number): Promise<EdgeHostname> => {
    const namespace = namespaceOf(index);
    const owner = owners.get(namespace) ?? (await readNamespace(api, namespace));
    owners.set(namespace, owner);
    return { hostname: hostnameOf('filler', index), namespace, owner };
  };
  const first = await wantedAt(from);
  const files = issue(first.hostname);
  const uids = await createIssued(api, first, files);
  const clone = await cloneIssued(cluster.etcd, { wanted: first, uids, files });
  await inLanes({ from, to }, async (index) => {
    const wanted = await wantedAt(index);
    if (index !== from) await clone(wanted, issue(wanted.hostname));
    await createSecret(api, wanted, issue);
    await api.send('POST', collectionPath(IngressKind, wanted.namespace), edgeIngress(wanted));
  });
}

const namespaceOf = (index: number): string => `customer-${Math.floor(index / perNamespace)}`;

/** Several at a time, each number once. */
async function inLanes({ from, to }: Span, work: (index: number) => Promise<void>): Promise<void> {
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

/** An account's namespace with its customer's Service and the operator's for redirects, each with a ready endpoint. */
export async function createNamespace(api: BulkApi, name: string): Promise<Owner> {
  const metadata = { name, labels: { [accountLabel]: name } };
  await api.send('POST', collectionPath(NamespaceKind), { apiVersion: 'v1', kind: 'Namespace', metadata });
  const owner = await readNamespace(api, name);
  const create = (kind: Kind, object: object) => api.send('POST', collectionPath(kind, name), object);
  const ports = [{ name: 'http', port: backendPort }];
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: backendName, namespace: name, labels: { 'kubernetes.io/service-name': backendName } },
    addressType: 'IPv4' as const,
    endpoints: [{ addresses: [documentationAddress], conditions: { ready: true } }],
    ports,
  };
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: backendName }, spec: { ports } };
  await create(ServiceKind, service);
  await create(EndpointSliceKind, slice);
  await create(ServiceKind, redirectService({ namespace: name, owner }));
  for (const redirects of redirectSlices({ namespace: name, owner }, [slice], []))
    await create(EndpointSliceKind, redirects);
  return owner;
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
