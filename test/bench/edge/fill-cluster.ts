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
import type { IssueCertificate } from './edge-certificates.ts';
import { hostnameOf } from './edge-certificates.ts';
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

/** Makes the numbered hostnames served: each with Certificate, CertificateRequest, Order, Secret and Ingress. */
export async function fill(api: BulkApi, { from, to }: Span, issue: IssueCertificate): Promise<void> {
  const namespaces: Span = { from: Math.ceil(from / perNamespace), to: Math.ceil(to / perNamespace) };
  await inLanes(namespaces, async (index) => void (await createNamespace(api, namespaceOf(index * perNamespace))));
  const owners = new Map<string, Owner>();
  await inLanes({ from, to }, async (index) => {
    const namespace = namespaceOf(index);
    const owner = owners.get(namespace) ?? (await readNamespace(api, namespace));
    owners.set(namespace, owner);
    await createServed(api, { hostname: hostnameOf('filler', index), namespace, owner }, issue);
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

/** In the order in which operator and cert-manager write them. */
async function createServed(api: BulkApi, wanted: EdgeHostname, issue: IssueCertificate): Promise<void> {
  const { namespace } = wanted;
  const files = issue(wanted.hostname);
  const create = async (kind: Kind, object: object) =>
    (await api.send('POST', `${collectionPath(kind, namespace)}`, object)) as Owner;
  const createWith = async (kind: Kind, object: object, status: object) => {
    const created = await create(kind, object);
    const { name } = created.metadata;
    await api.send('PATCH', `${objectPath(kind, { namespace, name })}/status`, { status });
    return created;
  };
  const certificate = await createWith(CertificateKind, edgeCertificate(wanted), readyStatus(files));
  const request = edgeRequest(wanted, certificate, files);
  const requested = await createWith(CertificateRequestKind, request, requestStatus(files));
  await createWith(OrderKind, edgeOrder(wanted, requested, files), orderStatus(wanted, files));
  await createSecret(api, wanted, issue);
  await create(IngressKind, edgeIngress(wanted));
}

/** The TLS Secret of a hostname, as if cert-manager had written it. */
export async function createSecret(api: BulkApi, wanted: EdgeHostname, issue: IssueCertificate): Promise<void> {
  const path = `${collectionPath(SecretKind, wanted.namespace)}?fieldManager=${secretManager}`;
  await api.send('POST', path, edgeSecret(wanted, issue(wanted.hostname)));
}
