import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { ingressClass, issuerName } from '../../../dev/platform/services.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import { CertificateKind, CertificateRequestKind, IngressKind } from '../../../src/resources/kinds.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { Site } from './until-served.ts';
import { untilServed, untilTrue } from './until-served.ts';

interface Requests {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
  }[];
}

/** What the hostname is served by. */
interface Backend {
  readonly namespace: string;
  /** a Service there, at port 8080 */
  readonly service: string;
}

/**
 * The floor of whatever has cert-manager's ACME issuer order: Certificate and Ingress applied by hand at once, its request approved as
 * soon as it is seen. Milliseconds until the hostname is served with its certificate.
 */
export async function measureFloor(api: BulkApi, { namespace, service }: Backend, site: Site): Promise<number> {
  const name = site.hostname.replaceAll('.', '-');
  const begunAt = performance.now();
  await api.send('POST', collectionPath(CertificateKind, namespace), {
    apiVersion: CertificateKind.apiVersion,
    kind: CertificateKind.kind,
    metadata: { name, namespace },
    spec: {
      secretName: name,
      dnsNames: [site.hostname],
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: issuerName },
      privateKey: { algorithm: 'ECDSA', size: 256 },
    },
  });
  await api.send('POST', collectionPath(IngressKind, namespace), {
    apiVersion: IngressKind.apiVersion,
    kind: IngressKind.kind,
    metadata: { name, namespace },
    spec: {
      ingressClassName: ingressClass,
      tls: [{ hosts: [site.hostname], secretName: name }],
      rules: [
        {
          host: site.hostname,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 8080 } } } }],
          },
        },
      ],
    },
  });
  await untilTrue(`a request of ${name}`, () => approve(api, namespace));
  await untilServed(site);
  return performance.now() - begunAt;
}

/** False while there is nothing to approve. */
async function approve(api: BulkApi, namespace: string): Promise<boolean> {
  const { items } = (await api.send('GET', collectionPath(CertificateRequestKind, namespace))) as Requests;
  const open = items.filter(({ status }) => !status?.conditions?.some(({ type }) => type === 'Approved'));
  for (const { metadata } of open) {
    const path = objectPath(CertificateRequestKind, { namespace, name: metadata.name });
    const condition = {
      type: 'Approved',
      status: 'True',
      reason: 'ByHand',
      message: '',
      lastTransitionTime: timestamp(Date.now()),
    };
    await api.send('PATCH', `${path}/status`, { status: { conditions: [condition] } });
  }
  return open.length > 0;
}
