import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Actor } from '../../support/actors.ts';
import {
  administrator,
  api,
  bound,
  certManager,
  databases,
  endpointsController,
  operator,
  overtrusted,
  serviceAccount,
  tenant,
} from '../../support/actors.ts';
import type { OwnAttackCluster } from '../../support/attack-cluster.ts';
import { acme, create, neighbour, patch, plain, rehearse, startAttackCluster } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * What must go on under the chart's admission policies before a real API server. What they refuse is in
 * test/adversary/parts.
 */

const cert = 'cert-manager.io/v1';
const acmeGroup = 'acme.cert-manager.io/v1';
const gateway = 'gateway.networking.k8s.io/v1';
const traefik = 'traefik.io/v1alpha1';
const hostname = 'www.example.com';

const backup = serviceAccount('velero', 'velero');

let cluster: OwnAttackCluster;
beforeAll(async () => {
  const values = { admissionPolicy: { backupAccounts: [backup.user] } };
  cluster = await startAttackCluster(
    values,
    made.ingress(hostname, hostname, acme),
    made.foreign(cert, 'Certificate', hostname, acme),
    made.tlsSecret({}, 'pd-www', acme),
    made.tlsSecret({ labels: nextKey }, 'pd-www-next', acme),
    made.tlsSecret({}, 'pd-owned', acme),
    made.service({ selector: { app: 'shop' } }, 'shop', acme),
    made.projectDomain(hostname, hostname, acme),
    made.ingress('free.example.com', 'free', plain),
  );
}, controlPlaneDeadlineMs);

afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const label = { metadata: { labels: { mine: 'true' } } };
const outside = { type: 'ExternalName', externalName: 'evil.example.org' };
const external = { externalIPs: ['203.0.113.10'] };
const nextKey = { 'cert-manager.io/next-private-key': 'true' };
/** As the API server makes it. */
const sent = {
  ...made.tlsSecret(
    {
      labels: { 'app.kubernetes.io/managed-by': 'projectdomain' },
      ownerReferences: [{ apiVersion: 'projectdomain.io/v1alpha1', kind: 'ProjectDomain', name: hostname, uid: 'u-1' }],
    },
    `pd-own-${'a'.repeat(26)}`,
    acme,
  ),
  immutable: true,
};
/** As cert-manager makes it while it issues. */
const temporary = (namespace: string) => ({
  ...made.tlsSecret({}, '', namespace),
  metadata: { generateName: 'pd-www-', namespace, labels: nextKey },
});

describe('there is let through', () => {
  it.each<[what: string, actor: Actor, object: object]>([
    ["a tenant's ClusterIP Service", tenant, made.service({ selector: { app: 'shop' } }, 'second', acme)],
    ["a tenant's headless Service", tenant, made.service({ clusterIP: 'None' }, 'third', acme)],
    ["a tenant's NetworkPolicy", tenant, made.networkPolicy('closed', acme)],
    ["a tenant's Deployment", tenant, made.deployment('shop', acme)],
    ["a tenant's Project", tenant, made.project('second', acme)],
    ["a tenant's ProjectDomain", tenant, made.projectDomain('second.example.com', 'second', acme)],
    ["a tenant's Ingress outside of accounts", tenant, made.ingress('www.example.org', 'mine', plain)],
    ["a tenant's Certificate outside of accounts", tenant, made.foreign(cert, 'Certificate', 'mine', plain)],
    ["a tenant's HTTPRoute outside of accounts", tenant, made.foreign(gateway, 'HTTPRoute', 'mine', plain)],
    ["a tenant's IngressRoute outside of accounts", tenant, made.foreign(traefik, 'IngressRoute', 'mine', plain)],
    ["a tenant's ExternalName Service outside of accounts", tenant, made.service(outside, 'mine', plain)],
    ["the operator's Ingress", operator, made.ingress('second.example.com', 'second', acme)],
    ["the operator's Certificate", operator, made.foreign(cert, 'Certificate', 'second', acme)],
    ["the operator's EndpointSlice", operator, made.endpointSlice('second', acme)],
    ["cert-manager's Order", certManager, made.foreign(acmeGroup, 'Order', 'second', acme)],
    ["cert-manager's Challenge", certManager, made.foreign(acmeGroup, 'Challenge', 'second', acme)],
    ["cert-manager's solver Ingress", certManager, made.ingress('second.example.com', 'cm-acme-http-solver', acme)],
    ["a controller's Endpoints", endpointsController, made.endpoints('second', acme)],
    ["a tenant's Secret", tenant, made.tlsSecret({}, 'own', acme)],
    ["a tenant's TLS Secret by such a name outside of accounts", tenant, made.tlsSecret({}, 'pd-mine', plain)],
    ["cert-manager's Secret", certManager, made.tlsSecret({}, 'pd-second', acme)],
    ["cert-manager's temporary Secret with the next key", certManager, temporary(acme)],
    ["the API server's Secret with a certificate that was sent", api, sent],
    ['such a Secret that a named backup restores', backup, made.tlsSecret({}, sent.metadata.name, acme)],
    ['a Secret that a named backup restores', backup, made.tlsSecret({}, 'pd-second', acme)],
    ["an administrator's Secret", administrator, made.tlsSecret({}, 'pd-second', acme)],
    ["an administrator's Ingress", administrator, made.ingress('second.example.com', 'second', acme)],
    ["an administrator's ExternalName Service", administrator, made.service(outside, 'second', acme)],
    ["an administrator's Service with external addresses", administrator, made.service(external, 'second', acme)],
  ])('%s', async (_, actor, object) => {
    expect(await cluster.as(actor, rehearse, object)).toMatch(/created \(server dry run\)/);
  });

  it('a tenant who changes and deletes its own Service and Ingress where both are its own', async () => {
    expect(await cluster.as(tenant, patch('service', 'shop', label))).toMatch(/patched/);
    expect(await cluster.as(tenant, ['delete', 'ingress', 'free', '-n', plain])).toMatch(/deleted/);
  });

  it("cert-manager's note of a certificate, a renewed Secret, and the end of the temporary one", async () => {
    const noted = { ...made.foreign(cert, 'Certificate', hostname, acme), status: { revision: 1 } };
    expect(await cluster.as(certManager, ['replace', '--subresource=status', '-f', '-'], noted)).toMatch(/replaced/);
    const renewed = { stringData: { 'tls.crt': 'renewed' } };
    expect(await cluster.as(certManager, patch('secret', 'pd-www', renewed))).toMatch(/patched/);
    expect(await cluster.as(certManager, ['delete', 'secret', 'pd-www-next', '-n', acme])).toMatch(/deleted/);
  });

  it("an ingress controller's note of its addresses, and nothing else by the same call", async () => {
    const noting = (change: object) => [...patch('ingress', 'noted', change), '--subresource=status'];
    const addresses = { status: { loadBalancer: { ingress: [{ ip: '203.0.113.10' }] } } };
    await cluster.kubectl.apply(made.ingress('www.example.net', 'noted', acme));
    expect(await cluster.as(overtrusted, noting(addresses))).toMatch(/patched/);
    for (const metadata of [
      { annotations: { 'traefik.ingress.kubernetes.io/router.middlewares': 'system-auth@kubernetescrd' } },
      { labels: { mine: 'true' } },
      { finalizers: ['example.net/never'] },
    ])
      expect(await cluster.refusal(overtrusted, noting({ ...addresses, metadata }))).toMatch(
        /ingresses in an account namespace are written by the operator alone/,
      );
  });

  it('what an administrator arranged in a Service, when its tenant changes something else', async () => {
    const arranged = { externalIPs: ['203.0.113.10', '203.0.113.11'] };
    await cluster.kubectl.apply(
      made.service({ ...arranged, ports: [{ port: 80 }] }, 'arranged', acme),
      made.service({ ...outside, ports: [{ port: 80 }] }, 'outside', acme),
    );
    for (const name of ['arranged', 'outside'])
      expect(await cluster.as(tenant, patch('service', name, label))).toMatch(/patched/);
    const fewer = { spec: { externalIPs: ['203.0.113.11'] } };
    expect(await cluster.as(tenant, patch('service', 'arranged', fewer))).toMatch(/patched/);
    const other = { spec: { externalIPs: ['203.0.113.12'] } };
    expect(await cluster.refusal(tenant, patch('service', 'arranged', other))).toMatch(/spec\.externalIPs would take/);
    const elsewhere = { spec: { externalName: 'other.example.org' } };
    expect(await cluster.refusal(tenant, patch('service', 'outside', elsewhere))).toMatch(/ExternalName would lead/);
  });

  it('the operator, which deletes a Secret by its name', async () => {
    expect(await cluster.as(operator, ['delete', '--raw', `/api/v1/namespaces/${acme}/secrets/pd-www`])).toMatch(
      /"status":"Success"/,
    );
  });
});

describe('Kubernetes itself goes on', () => {
  it("lists the endpoints of a tenant's Service", async () => {
    await cluster.as(tenant, create, made.service({ selector: { app: 'listed' } }, 'listed', acme));
    await eventually('its endpoints are listed', 20_000, async () => {
      const find = ['get', 'endpointslices', '-n', acme, '-l', 'kubernetes.io/service-name=listed', '-o', 'name'];
      expectThat((await cluster.kubectl.run(find)).trim() !== '', 'no EndpointSlice');
    });
  });

  it('collects the Ingress and the Secret of a ProjectDomain that its tenant deleted', async () => {
    const { kubectl } = cluster;
    const domain = await kubectl.get<{ metadata: { uid: string } }>('projectdomain', hostname, acme);
    const { apiVersion, kind } = made.projectDomain(hostname, hostname, acme);
    const owner = { apiVersion, kind, name: hostname, uid: domain?.metadata.uid };
    const owned = { metadata: { ownerReferences: [owner] } };
    await kubectl.run(patch('ingress', hostname, owned));
    await kubectl.run(patch('secret', 'pd-owned', owned));
    await cluster.as(tenant, ['delete', 'projectdomain', hostname, '-n', acme]);
    await eventually('both are collected', 40_000, async () => {
      expectThat((await kubectl.get('ingress', hostname, acme)) === null, 'the Ingress is there');
      expectThat((await kubectl.get('secret', 'pd-owned', acme)) === null, 'the Secret is there');
    });
  });

  it('deletes an account namespace with all that is in it, once that was confirmed', async () => {
    const { kubectl } = cluster;
    await kubectl.apply(made.tlsSecret({}, 'pd-left', neighbour), made.ingress('www.example.net', 'left', neighbour));
    await kubectl.run(['annotate', 'namespace', neighbour, `projectdomain.io/confirm-deletion=${neighbour}`]);
    await kubectl.run(['delete', 'namespace', neighbour, '--timeout=150s']);
    expect(await kubectl.get('namespace', neighbour)).toBeNull();
  });
});

describe('where values say more', () => {
  const replicator = serviceAccount('kube-system', 'kubernetes-replicator');
  const annotated = (annotations: object) => {
    const service = made.service({}, 'mine', acme);
    return { ...service, metadata: { ...service.metadata, annotations } };
  };
  const loadBalancer = (spec: object) => made.service({ type: 'LoadBalancer', ...spec }, 'mine', acme);
  const listedTwice = made.foreign('databases.example.net/v1', 'Database', 'mine', acme);

  beforeAll(async () => {
    await cluster.kubectl.apply(bound('every-route', replicator, acme), bound('every-route', namesake, acme));
    await cluster.installRights({
      admissionPolicy: {
        exempt: { users: [replicator.user] },
        serviceAnnotations: ['example.net/owner', 'example.net/team-*', 'example.net/tier=a"b=\'c*'],
        loadBalancers: { enabled: true, classes: ['example.net/internal'] },
        tenantGroups: ['databases.example.net'],
      },
    });
    await eventually('the policies have changed', 30_000, async () => {
      await cluster.as(tenant, rehearse, loadBalancer({}));
      await cluster.as(tenant, rehearse, listedTwice);
      await cluster.as(replicator, rehearse, made.tlsSecret({}, 'pd-mine', acme));
    });
  });
  const namesake = serviceAccount('replicators', 'kubernetes-replicator');

  it.each<[what: string, object: object]>([
    ['an annotation that is listed', annotated({ 'example.net/owner': 'x' })],
    ['one that begins as is listed', annotated({ 'example.net/team-a': 'x' })],
    ['one with the value that is listed', annotated({ 'example.net/tier': 'a"b=\'c*' })],
    ['a load balancer', loadBalancer({})],
    ['a load balancer of a class that is listed', loadBalancer({ loadBalancerClass: 'example.net/internal' })],
    ['a kind of a group that is listed', listedTwice],
  ])('a tenant writes %s', async (_, object) => {
    expect(await cluster.as(tenant, rehearse, object)).toMatch(/created/);
  });

  it.each<[what: string, saying: RegExp, object: object]>([
    ['another value', /the annotation example\.net\/tier is not one/, annotated({ 'example.net/tier': 'a' })],
    ['another annotation', /the annotation example\.net\/o is not one/, annotated({ 'example.net/o': 'x' })],
    [
      'the prefix of another domain',
      /the annotation a\.example\.net\/team-a/,
      annotated({ 'a.example.net/team-a': '' }),
    ],
    ['another class', /spec\.loadBalancerClass tailscale/, loadBalancer({ loadBalancerClass: 'tailscale' })],
    ['an address of its choice', /spec\.loadBalancerIP could/, loadBalancer({ loadBalancerIP: '203.0.113.10' })],
  ])('and is refused %s', async (_, saying, object) => {
    expect(await cluster.refusal(tenant, rehearse, object)).toMatch(saying);
  });

  it('who is exempt by its exact name writes what is served, and its namesake does not', async () => {
    const forged = made.tlsSecret({}, 'pd-mine', acme);
    expect(await cluster.as(replicator, rehearse, forged)).toMatch(/created/);
    expect(await cluster.refusal(namesake, rehearse, forged)).toMatch(/written by cert-manager alone/);
  });
});

describe('where a value makes a group one of routes', () => {
  it('nobody but administrators writes its kinds, whatever rights somebody has', async () => {
    const database = made.foreign('databases.example.net/v1', 'Database', 'mine', acme);
    expect(await cluster.as(databases, rehearse, database)).toMatch(/created/);
    await cluster.installRights({ admissionPolicy: { routeGroups: ['databases.example.net'] } });
    await eventually('the policies have changed', 30_000, async () => {
      const said = await cluster.refusal(databases, rehearse, database);
      expectThat(/databases in an account namespace are written by the operator alone/.test(said), said);
    });
    expect(await cluster.refusal(tenant, rehearse, database)).toMatch(/databases in an account namespace are written/);
    expect(await cluster.as(administrator, rehearse, database)).toMatch(/created/);
  });
});

describe('where administrators are exempt by name alone', () => {
  const named: Actor = { user: 'bea', groups: administrator.groups ?? [] };
  const grouped: Actor = { user: 'cy', groups: ['platform-operations', ...(administrator.groups ?? [])] };
  const forged = made.tlsSecret({}, 'pd-mine', acme);

  beforeAll(async () => {
    const exempt = { byRight: false, users: [named.user], groups: ['platform-operations'] };
    await cluster.installRights({ admissionPolicy: { exempt } });
    await eventually('the policies have changed', 30_000, async () => {
      for (const actor of [named, grouped]) await cluster.as(actor, rehearse, forged);
      for (const object of [made.ingress('www.example.org', 'mine', acme), forged, made.service(outside, 'mine', acme)])
        expectThat(!/was let through/.test(await cluster.refusal(administrator, rehearse, object)), 'let through');
    });
  });

  const refusedRoute = () => cluster.refusal(administrator, rehearse, made.ingress('www.example.org', 'mine', acme));

  it('who has every right, as what applies from Git may have, is bound', async () => {
    expect(await refusedRoute()).toMatch(/ingresses in an account namespace are written by the operator alone/);
    expect(await cluster.refusal(administrator, rehearse, forged)).toMatch(/written by cert-manager alone/);
    const service = made.service(outside, 'mine', acme);
    expect(await cluster.refusal(administrator, rehearse, service)).toMatch(/would lead a hostname out of the account/);
  });

  it('and who is named is not', async () => {
    for (const actor of [named, grouped])
      expect(await cluster.as(actor, rehearse, made.ingress('www.example.org', 'mine', acme))).toMatch(/created/);
  });

  it('what belongs to no account is as free as before', async () => {
    expect(await cluster.as(administrator, rehearse, made.tlsSecret({}, 'pd-mine', systemNamespace))).toMatch(
      /created/,
    );
  });
});
