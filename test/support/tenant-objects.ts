import { secretsRight } from '../../dev/platform/demo-account.ts';

/** What tenants and controllers write in tests, as small as the API server takes it. */

type Named = readonly [name: string, namespace: string];

const metadata = ([name, namespace]: Named) => ({ name, namespace });

export const namespace = (name: string, account?: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(account !== undefined && { labels: { 'projectdomain.io/account': account } }) },
});

export const account = (name: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Account',
  metadata: { name },
  spec: { plan: 'pro' },
});

/** What an administrator gives operator and API server in each account namespace. */
export const ourRights = (namespaceName: string): readonly object[] =>
  ['projectdomain-operator', 'projectdomain-api'].map((identity) => secretsRight(identity, namespaceName));

export const service = (spec: object, ...named: Named) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadata(named),
  spec: { ports: [{ port: 80 }], ...spec },
});

/** A TLS Secret, or what is to look like one; `metadata` adds to its name and namespace. */
export const tlsSecret = (metadataOf: object, ...named: Named) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/tls',
  metadata: { ...metadata(named), ...metadataOf },
  stringData: { 'tls.crt': 'certificate', 'tls.key': 'key' },
});

export const ingress = (host: string, ...named: Named) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: metadata(named),
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'shop', port: { number: 80 } } } }],
        },
      },
    ],
  },
});

export const serviceAccount = (...named: Named) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: metadata(named),
});

export const pod = (...named: Named) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata(named), labels: { app: 'shop' } },
  spec: { containers: [{ name: 'web', image: 'registry.example.net/shop:1' }] },
});

export const deployment = (...named: Named) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata(named),
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'shop' } },
    template: {
      metadata: { labels: { app: 'shop' } },
      spec: { containers: [{ name: 'web', image: 'registry.example.net/shop:1' }] },
    },
  },
});

export const networkPolicy = (...named: Named) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: metadata(named),
  spec: { podSelector: {}, policyTypes: ['Ingress'] },
});

export const endpointSlice = (...named: Named) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...metadata(named), labels: { 'kubernetes.io/service-name': 'shop' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.9'] }],
  ports: [{ port: 80 }],
});

export const endpoints = (...named: Named) => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: metadata(named),
  subsets: [{ addresses: [{ ip: '10.0.0.9' }], ports: [{ port: 80 }] }],
});

/** Of the kinds below, whose contents nobody looks at here. */
export const foreign = (apiVersion: string, kind: string, ...named: Named) => ({
  apiVersion,
  kind,
  metadata: metadata(named),
  spec: {},
});

export const project = (...named: Named) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Project',
  metadata: metadata(named),
  spec: { service: { name: 'shop', port: 80 } },
});

export const projectDomain = (hostname: string, ...named: Named) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: metadata(named),
  spec: { project: 'shop', hostname },
});

interface ForeignKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope?: 'Cluster';
}

const foreignKinds: readonly ForeignKind[] = [
  { group: 'cert-manager.io', version: 'v1', kind: 'Certificate' },
  { group: 'cert-manager.io', version: 'v1', kind: 'CertificateRequest' },
  { group: 'acme.cert-manager.io', version: 'v1', kind: 'Order' },
  { group: 'acme.cert-manager.io', version: 'v1', kind: 'Challenge' },
  { group: 'gateway.networking.k8s.io', version: 'v1', kind: 'HTTPRoute' },
  { group: 'gateway.networking.k8s.io', version: 'v1beta1', kind: 'ReferenceGrant' },
  { group: 'traefik.io', version: 'v1alpha1', kind: 'IngressRoute' },
  { group: 'projectcontour.io', version: 'v1', kind: 'HTTPProxy' },
  { group: 'gateway.networking.k8s.io', version: 'v1', kind: 'GatewayClass', scope: 'Cluster' },
  // Of a project that nobody has heard of.
  { group: 'databases.example.net', version: 'v1', kind: 'Database' },
];

const pluralOf = (singular: string): string =>
  singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}${singular.endsWith('s') ? 'es' : 's'}`;

/** Definitions of other projects' kinds, without their schemas. */
export const foreignDefinitions = foreignKinds.map(({ group, version, kind, scope = 'Namespaced' }) => {
  const singular = kind.toLowerCase();
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${pluralOf(singular)}.${group}`,
      // The group belongs to Kubernetes and is defined only with a sign of approval.
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/1' },
    },
    spec: {
      group,
      scope,
      names: { kind, plural: pluralOf(singular), singular, listKind: `${kind}List` },
      versions: [
        { name: version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: open } },
      ],
    },
  };
});
