import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Actor } from '../../support/actors.ts';
import { api, operator, overtrusted, owner, redirector, tenant, tenantsPod } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, neighbour } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A private key of another's, or the key that all targets are drawn from. Tenants have rights in their own namespace
 * alone and cannot give themselves more; the operator creates and deletes Secrets there and can read none.
 */

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.tlsSecret({}, 'pd-www', neighbour), made.tlsSecret({}, 'pd-own', acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const get = (name: string, namespace: string) => ['get', 'secret', name, '-n', namespace];
const binding = (role: string, attacker: Actor, namespace: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'mine', namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: attacker.user }],
});

describe.each<[string, Actor]>([
  ['a tenant with the edit role', tenant],
  ['a tenant with the admin role', owner],
  ["a tenant's Pod", tenantsPod(acme)],
  ['whoever was given every right in its namespace', overtrusted],
  ['whoever took the API server over', api],
  ['whoever took the redirector over', redirector],
])('%s is refused', (_, attacker) => {
  it.each<[what: string, args: readonly string[], object?: object]>([
    ["a neighbour's private key", get('pd-www', neighbour)],
    ["all of a neighbour's Secrets", ['get', 'secrets', '-n', neighbour]],
    ['the Secrets of all namespaces', ['get', 'secrets', '-A']],
    // It is not there: whoever may read it is told so, and that is no refusal.
    ['the key that all targets are drawn from', get('projectdomain-hmac', systemNamespace)],
    ["the right to read a neighbour's", create, binding('admin', attacker, neighbour)],
    ["a token of the operator's", ['create', 'token', 'projectdomain-operator', '-n', systemNamespace]],
  ])('%s', async (...[, args, object]) => {
    const said = await cluster.refusal(attacker, args, object);
    expect(said).toMatch(/is forbidden: User ".*" cannot (get|list|create) resource/);
  });
});

describe("the operator's identity is refused", () => {
  it.each<[what: string, args: readonly string[]]>([
    ["a customer's private key", get('pd-own', acme)],
    ["a list of a customer's Secrets", ['get', 'secrets', '-n', acme]],
    ['the Secrets of all namespaces', ['get', 'secrets', '-A']],
    ['another Secret beside its own', get('projectdomain-redis', systemNamespace)],
  ])('%s', async (_, args) => {
    expect(await cluster.refusal(operator, args)).toMatch(
      /is forbidden: User ".*projectdomain-operator" cannot (get|list)/,
    );
  });

  it('a role that reads more than it does itself', async () => {
    expect(await cluster.refusal(operator, create, binding('admin', operator, acme))).toMatch(
      /cannot create resource "rolebindings"/,
    );
  });
});
