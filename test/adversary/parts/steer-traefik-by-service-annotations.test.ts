import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { overtrusted, owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Controllers take orders from annotations of a Service, some of which reach into other namespaces, write configuration, or
 * take an address or a DNS name (Traefik: CVE-2026-112778, CVE-2026-85594). Which ones nobody can list; the admission policy
 * projectdomain-services lets tenants write those alone that it knows to be harmless.
 */

const annotated = (annotations: object, name: string) => ({
  ...made.service({}, name, acme),
  metadata: { name, namespace: acme, annotations },
});

const steered = { 'traefik.ingress.kubernetes.io/service.sticky.cookie': 'true' };

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.service({}, 'shop', acme), annotated(steered, 'arranged'));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const annotations = [
  ["another namespace's ServersTransport", 'traefik.ingress.kubernetes.io/service.serverstransport'],
  ["another namespace's Middleware", 'traefik.ingress.kubernetes.io/router.middlewares'],
  ['a protocol of its own choice', 'traefik.ingress.kubernetes.io/service.serversscheme'],
  ['the same in other letters', 'Traefik.Ingress.Kubernetes.IO/service.serverstransport'],
  ['a snippet of configuration', 'nginx.ingress.kubernetes.io/configuration-snippet'],
  ['an Ingress of any controller', 'ingress.kubernetes.io/rewrite-target'],
  ['a load balancer in AWS by its Ingress controller', 'alb.ingress.kubernetes.io/target-type'],
  ['HAProxy', 'haproxy.org/backend-config-snippet'],
  ['HAProxy Ingress', 'haproxy-ingress.github.io/config-backend'],
  ['Contour', 'projectcontour.io/upstream-protocol.tls'],
  ['Kong', 'konghq.com/plugins'],
  ['F5 NGINX', 'nginx.org/server-snippets'],
  ['a route of Emissary', 'getambassador.io/config'],
  ["the platform's DNS", 'external-dns.alpha.kubernetes.io/hostname'],
  ['a listener of a load balancer', 'service.beta.kubernetes.io/aws-load-balancer-ssl-cert'],
  ['a backend in Google Cloud', 'cloud.google.com/backend-config'],
  ["the address that others' traffic comes to", 'metallb.io/allow-shared-ip'],
  ['an address of Cilium', 'lbipam.cilium.io/ips'],
  ['endpoints in other clusters', 'service.cilium.io/global'],
  ['HAProxy by its other prefix', 'haproxy.com/backend-config-snippet'],
  ["another namespace's Secret in HAProxy", 'haproxy.com/server-crt'],
  ["another namespace's backend in HAProxy", 'haproxy.com/cr-backend'],
  ['HAProxy without any prefix', 'backend-config-snippet'],
  ['HAProxy, which takes any prefix for its own', 'helm.sh/backend-config-snippet'],
  ['the same by the prefix of another tool', 'argocd.argoproj.io/server-crt'],
  ["Traefik's Gateways", 'traefik.io/service.nativelb'],
  ["an administrator's load balancer in Tencent Cloud", 'service.kubernetes.io/tke-existed-lbid'],
  ['a load balancer by its number', 'service.kubernetes.io/load-balancer-id'],
  ["an administrator's load balancer in Huawei Cloud", 'kubernetes.io/elb.id'],
  ['an address of Calico', 'projectcalico.org/loadBalancerIPs'],
  ['an address of LoxiLB', 'loxilb.io/staticIP'],
  ['a beta of Google Cloud', 'beta.cloud.google.com/backend-config'],
  ["other Pods than the Service's own in Google Cloud", 'cloud.google.com/neg'],
  ['NetScaler', 'ingress.citrix.com/frontend-ip'],
  ['APISIX', 'k8s.apisix.apache.org/upstream-scheme'],
  ['Skipper', 'zalando.org/skipper-filter'],
  ["Gardener's DNS", 'dns.gardener.cloud/dnsnames'],
  ["a name in the platform's own network", 'tailscale.com/expose'],
  ['what nobody has listed', 'example.com/owner'],
  ['what begins like what is listed', 'helm.sh.example.net/x'],
  ['what is listed, in other letters', 'HELM.SH/resource-policy'],
  ['what only looks listed', 'kubectl.kubernetes.io/last-applied-configuration.x'],
] as const;

describe('a tenant is refused a Service that steers', () => {
  it.each(annotations)('%s: %s', async (...[, name]) => {
    const said = await cluster.refusal(tenant, create, annotated({ [name]: 'system-tls@kubernetescrd' }, 'mine'));
    expect(said).toContain(
      `the annotation ${name} is not one, or has not the value, that tenants may write on a Service`,
    );
  });
});

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused a Service that steers', (_, attacker) => {
  it.each<[what: string, args: readonly string[]]>([
    ['by a change of its own Service', patch('service', 'shop', { metadata: { annotations: steered } })],
    [
      'by a change of what an administrator arranged',
      patch('service', 'arranged', {
        metadata: { annotations: { ...steered, [Object.keys(steered)[0] ?? '']: 'no' } },
      }),
    ],
  ])('%s', async (...[, args]) => {
    expect(await cluster.refusal(attacker, args)).toMatch(/service\.sticky\.cookie is not one, or has not the value/);
  });
});

it('so many annotations that looking at each would cost too much are refused as well', async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`prometheus.io/param_${at}`, 'true']));
  expect(await cluster.as(tenant, rehearse, annotated(many(64), 'second'))).toMatch(/created/);
  for (const count of [65, 9_000])
    expect(await cluster.refusal(tenant, create, annotated(many(count), 'second'))).toMatch(
      /more than 64 annotations were changed at once/,
    );
});

it('who may write the status of Services writes no annotation by it', async () => {
  const arranged = { ...annotated({ 'haproxy.com/server-crt': 'other/tls' }, 'shop'), status: { loadBalancer: {} } };
  const said = await cluster.refusal(overtrusted, ['replace', '--subresource=status', '-f', '-'], arranged);
  expect(said).toContain('the annotation haproxy.com/server-crt is not one');
});

describe('a tenant may', () => {
  it.each([
    ['apply by kubectl', 'kubectl.kubernetes.io/last-applied-configuration', '{"haproxy.com/server-crt":""}'],
    ['install by Helm', 'meta.helm.sh/release-name', 'shop'],
    ['have Helm keep it', 'helm.sh/resource-policy', 'keep'],
    ['sync by Argo CD', 'argocd.argoproj.io/tracking-id', 'shop:/Service:acme/shop'],
    ['apply by Flux', 'kustomize.toolkit.fluxcd.io/prune', 'disabled'],
    ['run on Google Cloud, which adds this', 'cloud.google.com/neg', '{"ingress":true}'],
    ['keep traffic in its zone', 'service.kubernetes.io/topology-mode', 'true'],
    ['have its metrics read', 'prometheus.io/scrape', 'true'],
    ['be served gRPC by Traefik', 'traefik.ingress.kubernetes.io/service.serversscheme', 'h2c'],
  ])('%s', async (...[, name, value]) => {
    expect(await cluster.as(tenant, rehearse, annotated({ [name]: value }, 'second'))).toMatch(/created/);
  });

  it('change the ports of what an administrator arranged', async () => {
    const change = { spec: { ports: [{ port: 81 }] } };
    expect(await cluster.as(tenant, patch('service', 'arranged', change))).toMatch(/patched/);
  });

  it('and take away an annotation that an administrator set', async () => {
    const change = { metadata: { annotations: { 'traefik.ingress.kubernetes.io/service.sticky.cookie': null } } };
    expect(await cluster.as(tenant, [...patch('service', 'arranged', change), '--dry-run=server'])).toMatch(/patched/);
  });
});
