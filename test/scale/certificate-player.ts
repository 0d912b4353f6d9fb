import { connect } from '../../src/kubernetes/connection.ts';
import type { KubernetesObject } from '../../src/kubernetes/kubernetes-port.ts';
import { watch } from '../../src/kubernetes/kubernetes-port.ts';
import { collectionPath, indexKey, objectPath } from '../../src/kubernetes/object-keys.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import { createStores, startReflectors } from '../../src/kubernetes/watch-stores.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createTimeSlices } from '../../src/lib/time-slices.ts';
import type { Certificate, CertificateRequest } from '../../src/resources/cert-manager-types.ts';
import { certificateNameAnnotation } from '../../src/resources/cert-manager-types.ts';
import { CertificateKind, CertificateRequestKind, SecretKind } from '../../src/resources/kinds.ts';
import { ownerReference } from '../../src/resources/object-metadata.ts';
import { requestFor } from './made-objects.ts';
import type { ProbedEdge } from './probed-edge.ts';

/**
 * Plays cert-manager, which would be the limit: asks for each Certificate as it does, waits for the operator's approval, and then
 * has the certificate at once.
 */
export interface CertificatePlayer {
  /** writes so far that were answered */
  readonly writes: () => number;
  readonly faults: readonly unknown[];
  stop(): Promise<void>;
}

const played = {
  certificates: watch(CertificateKind),
  requests: watch(CertificateRequestKind),
};

const condition = (type: string, reason: string) => ({
  type,
  status: 'True' as const,
  reason,
  message: 'Certificate is up to date and has not expired',
  lastTransitionTime: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
});

const has = ({ status }: Certificate | CertificateRequest, type: string): boolean =>
  (status?.conditions ?? []).some((one) => one.type === type && one.status === 'True');

export async function startCertificatePlayer(kubeconfig: string, edge: ProbedEdge): Promise<CertificatePlayer> {
  const ending = new AbortController();
  const transport = createTransport(await connect(kubeconfig));
  const faults: unknown[] = [];
  let writes = 0;
  const stores = createStores(played, (error) => void faults.push(error));
  const post = async (path: string, body: object) => {
    await transport.call({ method: 'POST', path, body });
    writes += 1;
  };
  const patchStatus = async (path: string, status: object) => {
    const contentType = 'application/merge-patch+json';
    await transport.call({ method: 'PATCH', path: `${path}/status`, body: { status }, contentType });
    writes += 1;
  };

  const ask = async (certificate: Certificate) => {
    const { name, namespace = '' } = certificate.metadata;
    const { apiVersion, kind } = CertificateRequestKind;
    const [hostname = ''] = certificate.spec.dnsNames ?? [];
    const { issuerRef } = certificate.spec as { readonly issuerRef?: object };
    await post(collectionPath(CertificateRequestKind, namespace), {
      apiVersion,
      kind,
      metadata: {
        name: `${name}-1`,
        namespace,
        annotations: { [certificateNameAnnotation]: name, 'cert-manager.io/certificate-revision': '1' },
        ownerReferences: [{ ...ownerReference(certificate, true), blockOwnerDeletion: true }],
      },
      spec: { issuerRef, request: requestFor(hostname), usages: ['digital signature', 'key encipherment'] },
    });
  };

  const issue = async (request: CertificateRequest) => {
    const { name, namespace = '', annotations } = request.metadata;
    const certificateName = annotations?.[certificateNameAnnotation] ?? '';
    const certificate = stores.certificates.get({ namespace, name: certificateName });
    if (!certificate) return;
    const [hostname = ''] = certificate.spec.dnsNames ?? [];
    const { pair } = edge;
    const [tlsCrt, tlsKey] = [pair.certificate, pair.key].map((pem) => Buffer.from(pem).toString('base64'));
    const { apiVersion, kind } = SecretKind;
    await post(collectionPath(SecretKind, namespace), {
      apiVersion,
      kind,
      metadata: {
        name: certificate.spec.secretName,
        namespace,
        annotations: { [certificateNameAnnotation]: certificateName },
      },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': tlsCrt, 'tls.key': tlsKey },
    });
    const before = request.status?.conditions ?? [];
    await patchStatus(objectPath(CertificateRequestKind, { namespace, name }), {
      certificate: tlsCrt,
      conditions: [...before, condition('Ready', 'Issued')],
    });
    const { notBefore, notAfter } = edge.validity(hostname);
    await patchStatus(objectPath(CertificateKind, { namespace, name: certificateName }), {
      conditions: [condition('Ready', 'Ready')],
      notBefore,
      notAfter,
      revision: 1,
    });
  };

  const begun = new Set<string>();
  const once = (step: string, { metadata }: KubernetesObject, act: () => Promise<void>) => {
    const id = `${step} ${indexKey(metadata.namespace ?? '', metadata.name)} ${metadata.uid ?? ''}`;
    if (begun.has(id)) return;
    begun.add(id);
    act().catch((error: unknown) => void faults.push(error));
  };
  stores.certificates.subscribe(({ type, object }) => {
    if (type !== 'deleted' && !has(object, 'Ready')) once('ask', object, () => ask(object));
  });
  stores.requests.subscribe(({ type, object }) => {
    if (type !== 'deleted' && has(object, 'Approved') && !has(object, 'Ready'))
      once('issue', object, () => issue(object));
  });
  const options = {
    transport,
    log: silentLog,
    clock: systemClock,
    slices: createTimeSlices(systemClock.elapsed),
  };
  const reflectors = startReflectors(played, stores, { options, signal: ending.signal });
  await Promise.all([...reflectors.values()].map(({ synced }) => synced));
  const end = async () => {
    ending.abort();
    await Promise.all([...reflectors.values()].map(({ stopped }) => stopped));
    await transport.close();
  };
  let ended: Promise<void> | undefined;
  return { writes: () => writes, faults, stop: () => (ended ??= end()) };
}
