import { acme } from './attack-cluster.ts';
import * as made from './tenant-objects.ts';

/**
 * Every field of the kinds that edges read, and a tenant's write of each. docs/contributing/edge-fields.md says who reads it, what it
 * does, and how it is held; a test compares the two.
 */

/** How a field is held: the policy on Services refuses it, the whole kind is refused to tenants, or it can do no harm. */
export type Held = 'policy' | 'kind' | 'harmless';

interface EdgeField {
  /** heading of its table */
  readonly section: 'Services' | 'EndpointSlices' | 'Ingresses' | 'HTTPRoutes';
  readonly field: string;
  readonly held: Held;
  /** of an object in the tenant's own namespace */
  readonly written: object;
}

type Row = readonly [field: string, held: Held, written: object];

const of = (section: EdgeField['section'], rows: readonly Row[]): readonly EdgeField[] =>
  rows.map(([field, held, written]) => ({ section, field, held, written }));

const named = { name: 'mine', namespace: acme };

const service = (spec: object) => made.service(spec, 'mine', acme);
const annotated = (key: string, value = 'x') => ({
  ...service({}),
  metadata: { ...named, annotations: { [key]: value } },
});
const port = (more: object) => service({ ports: [{ port: 80, ...more }] });

const services = of('Services', [
  [
    'traefik.ingress.kubernetes.io/service.serversscheme: h2c',
    'harmless',
    annotated('traefik.ingress.kubernetes.io/service.serversscheme', 'h2c'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.serversscheme',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.serversscheme', 'https'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.serverstransport',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.serverstransport', 'system-tls@kubernetescrd'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.passhostheader',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.passhostheader', 'false'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.sticky.*',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.sticky.cookie.domain'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.nativelb',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.nativelb', 'true'),
  ],
  [
    'traefik.ingress.kubernetes.io/service.nodeportlb',
    'policy',
    annotated('traefik.ingress.kubernetes.io/service.nodeportlb', 'true'),
  ],
  ['traefik.io/service.nativelb', 'policy', annotated('traefik.io/service.nativelb', 'true')],
  ['projectcontour.io/max-*', 'policy', annotated('projectcontour.io/max-connections', '1')],
  [
    'projectcontour.io/per-host-max-connections',
    'policy',
    annotated('projectcontour.io/per-host-max-connections', '1'),
  ],
  ['projectcontour.io/upstream-protocol.*', 'policy', annotated('projectcontour.io/upstream-protocol.tls', '80')],
  ['haproxy.org/*', 'policy', annotated('haproxy.org/server-ca', 'other/ca')],
  ['haproxy.com/*', 'policy', annotated('haproxy.com/backend-config-snippet')],
  ['ingress.kubernetes.io/*', 'policy', annotated('ingress.kubernetes.io/cr-backend', 'other/backend')],
  ['a key of HAProxy without a prefix', 'policy', annotated('backend-config-snippet')],
  ['haproxy-ingress.github.io/*', 'policy', annotated('haproxy-ingress.github.io/config-backend')],
  ['nginx.ingress.kubernetes.io/*', 'policy', annotated('nginx.ingress.kubernetes.io/service-upstream', 'true')],
  ['konghq.com/*', 'policy', annotated('konghq.com/plugins', 'x')],
  ['service.kubernetes.io/topology-mode', 'harmless', annotated('service.kubernetes.io/topology-mode', 'Auto')],
  [
    'spec.type: ExternalName, spec.externalName',
    'policy',
    service({ type: 'ExternalName', externalName: 'a.example.org' }),
  ],
  ['spec.externalName beside another type', 'policy', service({ externalName: 'a.example.org' })],
  ['spec.externalIPs', 'policy', service({ externalIPs: ['203.0.113.10'] })],
  ['spec.type: LoadBalancer', 'policy', service({ type: 'LoadBalancer' })],
  ['spec.loadBalancerClass', 'policy', service({ type: 'LoadBalancer', loadBalancerClass: 'example.net/other' })],
  ['spec.loadBalancerIP', 'policy', service({ type: 'LoadBalancer', loadBalancerIP: '203.0.113.10' })],
  ['spec.type: NodePort', 'harmless', service({ type: 'NodePort' })],
  ['spec.selector', 'harmless', service({ selector: { app: 'shop' } })],
  ['spec.clusterIP', 'harmless', service({ clusterIP: 'None' })],
  ['spec.publishNotReadyAddresses', 'harmless', service({ publishNotReadyAddresses: true })],
  ['spec.trafficDistribution', 'harmless', service({ trafficDistribution: 'PreferClose' })],
  ['spec.ports[].appProtocol', 'harmless', port({ appProtocol: 'kubernetes.io/h2c' })],
  ['spec.ports[].name', 'harmless', port({ name: 'https' })],
  ['spec.ports[].port', 'harmless', port({ port: 443 })],
  ['spec.ports[].targetPort', 'harmless', port({ targetPort: 'web' })],
]);

const slice = (more: object) => ({ ...made.endpointSlice('mine', acme), ...more });
const endpoint = (more: object) => slice({ endpoints: [{ addresses: ['10.0.0.9'], ...more }] });

const endpointSlices = of('EndpointSlices', [
  ['endpoints[].addresses', 'kind', slice({})],
  ['endpoints[].conditions', 'kind', endpoint({ conditions: { ready: true, serving: true, terminating: true } })],
  ['endpoints[].zone, hints', 'kind', endpoint({ zone: 'a', hints: { forZones: [{ name: 'a' }] } })],
  ['ports[]', 'kind', slice({ ports: [{ port: 10_250, name: 'http' }] })],
  ['addressType', 'kind', slice({ addressType: 'FQDN', endpoints: [{ addresses: ['a.example.org'] }] })],
  [
    'label kubernetes.io/service-name',
    'kind',
    slice({ metadata: { ...named, labels: { 'kubernetes.io/service-name': 'projectdomain-redirect' } } }),
  ],
  ['Endpoints (v1), which Kubernetes mirrors', 'kind', made.endpoints('mine', acme)],
]);

const ingress = (spec: object) => {
  const plain = made.ingress('www.example.org', 'mine', acme);
  return { ...plain, spec: { ...plain.spec, ...spec } };
};
const ordering = (key: string, value: string) => ({
  ...ingress({}),
  metadata: { ...named, annotations: { [key]: value } },
});
const backend = { service: { name: 'shop', port: { number: 80 } } };
const path = (more: object) =>
  ingress({
    rules: [{ host: 'www.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...more }] } }],
  });

const ingresses = of('Ingresses', [
  ['spec.rules[].host', 'kind', ingress({})],
  [
    'spec.rules[].http.paths[].path, pathType',
    'kind',
    path({ path: '/.well-known/', pathType: 'ImplementationSpecific' }),
  ],
  [
    'spec.rules[].http.paths[].backend.service',
    'kind',
    path({ backend: { service: { name: 'other', port: { number: 1 } } } }),
  ],
  [
    'spec.rules[].http.paths[].backend.resource',
    'kind',
    path({ backend: { resource: { apiGroup: 'traefik.io', kind: 'TraefikService', name: 'x' } } }),
  ],
  ['spec.defaultBackend', 'kind', ingress({ defaultBackend: backend, rules: [] })],
  ['spec.tls[].hosts', 'kind', ingress({ tls: [{ hosts: ['www.example.org'] }] })],
  ['spec.tls[].secretName', 'kind', ingress({ tls: [{ hosts: ['www.example.org'], secretName: 'own' }] })],
  ['spec.ingressClassName', 'kind', ingress({ ingressClassName: 'traefik' })],
  ['kubernetes.io/ingress.class', 'kind', ordering('kubernetes.io/ingress.class', 'traefik')],
  [
    'traefik.ingress.kubernetes.io/router.*',
    'kind',
    ordering('traefik.ingress.kubernetes.io/router.middlewares', 'system-auth@kubernetescrd'),
  ],
  ['projectcontour.io/*', 'kind', ordering('projectcontour.io/tls-cert-namespace', 'system')],
  ['nginx.ingress.kubernetes.io/*', 'kind', ordering('nginx.ingress.kubernetes.io/configuration-snippet', 'x')],
  ['haproxy.org/*, haproxy.com/*, ingress.kubernetes.io/*', 'kind', ordering('haproxy.com/set-host', 'x')],
  ['konghq.com/*', 'kind', ordering('konghq.com/override', 'x')],
  ['kubernetes.io/ingress.allow-http', 'kind', ordering('kubernetes.io/ingress.allow-http', 'false')],
]);

const route = (spec: object) => ({ ...made.foreign('gateway.networking.k8s.io/v1', 'HTTPRoute', 'mine', acme), spec });
const rules = (more: object) => route({ rules: [more] });

const httpRoutes = of('HTTPRoutes', [
  ['spec.hostnames', 'kind', route({ hostnames: ['www.example.org'] })],
  ['spec.parentRefs', 'kind', route({ parentRefs: [{ name: 'customers', namespace: 'edge' }] })],
  ['spec.rules[].matches', 'kind', rules({ matches: [{ path: { type: 'PathPrefix', value: '/' } }] })],
  ['spec.rules[].backendRefs', 'kind', rules({ backendRefs: [{ name: 'other', namespace: 'other', port: 80 }] })],
  ['spec.rules[].filters', 'kind', rules({ filters: [{ type: 'RequestMirror' }] })],
  ['spec.rules[].timeouts, retry, sessionPersistence', 'kind', rules({ timeouts: { request: '0s' } })],
  [
    'gateway.envoyproxy.io/*',
    'kind',
    { ...route({}), metadata: { ...named, annotations: { 'gateway.envoyproxy.io/x': 'x' } } },
  ],
  ['ReferenceGrant', 'kind', made.foreign('gateway.networking.k8s.io/v1beta1', 'ReferenceGrant', 'mine', acme)],
]);

export const edgeFields: readonly EdgeField[] = [...services, ...endpointSlices, ...ingresses, ...httpRoutes];
