import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Controllers take orders from annotations of a Service, some of which reach into other namespaces or take an address or
 * a DNS name (Traefik: CVE-2026-112778, CVE-2026-85594). The admission policy projectdomain-services keeps tenants from
 * all of them, in any case of letters.
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
] as const;

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused a Service that steers', (_, attacker) => {
  it.each(annotations)('%s: %s', async (...[, name]) => {
    const said = await cluster.refusal(attacker, create, annotated({ [name]: 'system-tls@kubernetescrd' }, 'mine'));
    expect(said).toContain(`the annotation ${name} could lead`);
  });

  it.each<[what: string, args: readonly string[]]>([
    ['by a change of its own Service', patch('service', 'shop', { metadata: { annotations: steered } })],
    [
      'by a change of what an administrator arranged',
      patch('service', 'arranged', {
        metadata: { annotations: { ...steered, [Object.keys(steered)[0] ?? '']: 'no' } },
      }),
    ],
  ])('%s', async (...[, args]) => {
    expect(await cluster.refusal(attacker, args)).toMatch(
      /could lead an ingress controller, a load balancer or DNS out/,
    );
  });
});

describe('a tenant may', () => {
  it.each([
    ['note what it likes', 'example.com/owner', 'true'],
    ['note without a prefix', 'traefik', 'true'],
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
});
