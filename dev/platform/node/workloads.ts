import { imageTag } from '../../images/images.ts';
import type { ImageName } from '../../images/images.ts';
import { registryInside } from './node.ts';

/** An image in the node's registry, as a Pod names it. */
export const imageOf = (name: ImageName): string => `${registryInside}/${name}:${imageTag}`;

export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly image: ImageName;
  readonly args: readonly string[];
  readonly ports: readonly {
    readonly name: string;
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly protocol?: 'UDP';
  }[];
  /** what its ServiceAccount may do in the whole cluster */
  readonly rules: readonly object[];
  readonly files?: Readonly<Record<string, string>>;
  /** HTTP path and port that answer 200 when it is ready */
  readonly ready?: { readonly path: string; readonly port: number };
}

/** Namespace, identity, rights and one Pod of a program. Its files are below /etc/<name>. */
export function manifestsOf(workload: Workload): readonly object[] {
  const { name, namespace, rules, files } = workload;
  const metadata = { name, namespace };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    ...(files ? [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: files }] : []),
    deployment(workload),
  ];
}

function deployment({ name, namespace, image, args, ports, files, ready }: Workload): object {
  const labels = { app: name };
  const container = {
    name,
    image: imageOf(image),
    args,
    ports,
    ...(files ? { volumeMounts: [{ name: 'files', mountPath: `/etc/${name}` }] } : {}),
    ...(ready ? { readinessProbe: { httpGet: ready, periodSeconds: 1, timeoutSeconds: 30 } } : {}),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          containers: [container],
          ...(files ? { volumes: [{ name: 'files', configMap: { name } }] } : {}),
        },
      },
    },
  };
}

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const read = ['get', 'list', 'watch'];

/** The cluster's own DNS; every other name is asked of our world's resolver. */
export const clusterDns = (resolver: string): Workload => ({
  name: 'coredns',
  namespace: 'kube-system',
  image: 'coredns',
  args: ['-conf', '/etc/coredns/Corefile', '-dns.port', '5353'],
  ports: [
    { name: 'dns', containerPort: 5353, protocol: 'UDP' },
    { name: 'dns-tcp', containerPort: 5353 },
  ],
  rules: [
    { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: read },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
  ],
  files: { Corefile: `.:5353 {\n  errors\n  ready :8181\n  kubernetes cluster.local\n  forward . ${resolver}\n}\n` },
  ready: { path: '/ready', port: 8181 },
});

export const clusterDnsService = (address: string): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kube-dns', namespace: 'kube-system' },
  spec: {
    clusterIP: address,
    selector: { app: 'coredns' },
    ports: [
      { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, targetPort: 5353 },
    ],
  },
});

/** cert-manager's rights as its own chart gives them, for what the controllers here do; it may approve nothing. */
export const certManager = (nameserver: string): Workload => ({
  name: 'cert-manager',
  namespace: 'cert-manager',
  image: 'cert-manager',
  args: [`-http01-nameservers=${nameserver}`, `-acme-http01-solver-image=${imageOf('acmesolver')}`],
  ports: [],
  rules: [
    { apiGroups: ['cert-manager.io', 'acme.cert-manager.io'], resources: ['*'], verbs: all },
    { apiGroups: [''], resources: ['secrets', 'pods', 'services'], verbs: all },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingresses/finalizers'], verbs: all },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: read },
  ],
});

export const traefik = (ingressClass: string): Workload => ({
  name: 'traefik',
  namespace: 'traefik',
  image: 'traefik',
  args: [
    '--global.checknewversion=false',
    '--global.sendanonymoususage=false',
    '--entrypoints.web.address=:8000',
    '--entrypoints.websecure.address=:8443',
    '--entrypoints.websecure.http.tls=true',
    '--entrypoints.ping.address=:8099',
    '--ping=true',
    '--ping.entrypoint=ping',
    '--providers.providersthrottleduration=100ms',
    '--providers.kubernetesingress=true',
    `--providers.kubernetesingress.ingressclass=${ingressClass}`,
    '--providers.kubernetesingress.throttleduration=100ms',
    // As Traefik's own chart: without it a route to a Service without endpoints is dropped, and a wildcard above it answers.
    '--providers.kubernetesingress.allowemptyservices=true',
    '--log.level=INFO',
  ],
  ports: [
    { name: 'web', containerPort: 8000, hostPort: 80 },
    { name: 'websecure', containerPort: 8443, hostPort: 443 },
  ],
  rules: [
    { apiGroups: [''], resources: ['services', 'secrets', 'nodes', 'endpoints'], verbs: read },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingressclasses'], verbs: read },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['update'] },
  ],
  ready: { path: '/ping', port: 8099 },
});
