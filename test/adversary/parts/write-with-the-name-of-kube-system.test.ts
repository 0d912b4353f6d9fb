import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { bound, serviceAccount } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, neighbour, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Much that works on a tenant's word lives in kube-system, Sealed Secrets by its own instructions: a tenant who is refused
 * writes the order for such a controller. The policies let through Kubernetes' own controllers, each by its name.
 */

const inKubeSystem = (name: string): Actor => serviceAccount('kube-system', name);

/** What charts and instructions of others put into kube-system, controllers of Kubernetes that need none of this, and a name of nobody's. */
const neighbours = [
  'kubernetes-replicator',
  'external-dns',
  'traefik',
  'aws-load-balancer-controller',
  'replicaset-controller',
  'service-controller',
  'default',
  'generic-garbage-collector-2',
].map(inKubeSystem);
/** Of another namespace, and a user who only has such a name. */
const namesakes: readonly Actor[] = [
  serviceAccount('monitoring', 'generic-garbage-collector'),
  { user: 'system:kube-controller-manager:x' },
  { user: 'generic-garbage-collector', groups: ['system:serviceaccounts:kube-system'] },
];

const nextKey = { labels: { 'cert-manager.io/next-private-key': 'true' } };

const controllers = [
  'generic-garbage-collector',
  'namespace-controller',
  'endpoint-controller',
  'endpointslice-controller',
  'endpointslicemirroring-controller',
  'storage-version-migrator-controller',
].map(inKubeSystem);
const unsplit: Actor = { user: 'system:kube-controller-manager' };

let cluster: AttackCluster;
beforeAll(async () => {
  const writers = [sealedSecrets, ...neighbours, ...namesakes, ...controllers, unsplit];
  cluster = await attackCluster(
    ...writers.map((actor) => bound('every-route', actor, acme)),
    made.ingress('www.example.com', 'www', acme),
    made.tlsSecret({}, 'pd-www', acme),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const steering = {
  ...made.service({}, 'mine', acme),
  metadata: { name: 'mine', namespace: acme, annotations: { 'haproxy.com/backend-config-snippet': 'x' } },
};

const refusedBy = (policy: string) =>
  new RegExp(`ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request`);
const sealedSecrets = inKubeSystem('sealed-secrets-controller');
const secret = made.tlsSecret({}, 'pd-mine', acme);
const slice = made.endpointSlice('mine', acme);

describe('Sealed Secrets, where its instructions put it, is refused', () => {
  it.each<[what: string, policy: string, args: readonly string[], object?: object]>([
    ['a Secret that is served', 'projectdomain-secrets', create, secret],
    ["a certificate's next key", 'projectdomain-secrets', create, made.tlsSecret(nextKey, 'mine', acme)],
    ['an Ingress', 'projectdomain-routes', create, made.ingress('www.example.org', 'mine', acme)],
    ['the end of one', 'projectdomain-routes', ['delete', 'ingress', 'www', '-n', acme, '--dry-run=server']],
    ['a Certificate', 'projectdomain-routes', create, made.foreign('cert-manager.io/v1', 'Certificate', 'mine', acme)],
    ['endpoints', 'projectdomain-routes', create, slice],
    ['endpoints of the old kind', 'projectdomain-routes', create, made.endpoints('mine', acme)],
    ['a Service that steers', 'projectdomain-services', create, steering],
  ])('%s', async (...[, policy, args, object]) => {
    expect(await cluster.refusal(sealedSecrets, args, object)).toMatch(refusedBy(policy));
  });
});

describe('and so is', () => {
  it.each([...neighbours, ...namesakes].map((actor) => [actor.user, actor] as const))('%s', async (_, actor) => {
    expect(await cluster.refusal(actor, create, secret)).toMatch(refusedBy('projectdomain-secrets'));
    expect(await cluster.refusal(actor, create, slice)).toMatch(refusedBy('projectdomain-routes'));
    expect(await cluster.refusal(actor, create, steering)).toMatch(refusedBy('projectdomain-services'));
  });
});

describe.each([...controllers, unsplit].map((actor) => [actor.user, actor] as const))('%s goes on', (_, actor) => {
  it('with what it makes and deletes', async () => {
    const rehearsed = (kind: string, name: string) => ['delete', kind, name, '-n', acme, '--dry-run=server'];
    expect(await cluster.as(actor, rehearse, made.endpointSlice('second', acme))).toMatch(/created/);
    expect(await cluster.as(actor, rehearse, made.endpoints('second', acme))).toMatch(/created/);
    expect(await cluster.as(actor, rehearsed('ingress', 'www'))).toMatch(/deleted/);
    expect(await cluster.as(actor, rehearsed('secret', 'pd-www'))).toMatch(/deleted/);
  });
});

describe('the deletion of an Account that nobody confirmed', () => {
  const deleting = ['delete', 'account', neighbour, '--dry-run=server'];
  const mayDelete = (actor: Actor) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `cluster-admin-${actor.user.replaceAll(':', '-')}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: actor.user }],
  });
  const cleaner = inKubeSystem('kube-janitor');
  const [collector = unsplit] = controllers;

  it('is refused to what cleans up from kube-system, and not to the garbage collector', async () => {
    await cluster.kubectl.apply(mayDelete(cleaner));
    expect(await cluster.refusal(cleaner, deleting)).toMatch(/confirm it first: kubectl annotate accounts/);
    expect(await cluster.as(collector, deleting)).toMatch(/deleted/);
  });
});
