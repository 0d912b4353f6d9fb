import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { boundEverywhere, databases, owner, serviceAccount, tenant, tenantsPod } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, plain, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Charts of other projects add their kinds to the role `edit`, and one of them may be a route that no list knows. The
 * admission policy projectdomain-kinds leaves to tenants Kubernetes' kinds and ours.
 */

const database = (namespace: string) => made.foreign('databases.example.net/v1', 'Database', 'mine', namespace);
const saying =
  /tenants write no databases\.databases\.example\.net in an account namespace, .* admissionPolicy\.tenantGroups/s;

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(database(acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

describe('refused is', () => {
  it.each([
    ['the edit role', tenant],
    ['the admin role', owner],
    ["the edit role, from a Pod of the tenant's", tenantsPod(acme)],
  ])('a kind of a project that nobody listed, to whoever has %s', async (_, attacker) => {
    const other = { ...database(acme), metadata: { name: 'other', namespace: acme } };
    expect(await cluster.refusal(attacker, create, other)).toMatch(saying);
    expect(await cluster.refusal(attacker, ['label', 'database', 'mine', '-n', acme, 'mine=true'])).toMatch(saying);
  });
});

describe('let through is', () => {
  it('the same outside of accounts', async () => {
    expect(await cluster.as(tenant, rehearse, database(plain))).toMatch(/created/);
  });

  it("a tenant's deletion of what is there", async () => {
    const said = await cluster.as(tenant, ['delete', 'database', 'mine', '-n', acme, '--dry-run=server']);
    expect(said).toMatch(/deleted/);
  });

  it('the controller of that project, which writes it in all namespaces', async () => {
    const other = { ...database(acme), metadata: { name: 'other', namespace: acme } };
    expect(await cluster.as(databases, rehearse, other)).toMatch(/created/);
  });

  it('a kind of routes that is in no namespace, and so in no account', async () => {
    const gateways = serviceAccount('gateways', 'operator');
    await cluster.kubectl.apply(
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'gateway-classes' },
        rules: [{ apiGroups: ['gateway.networking.k8s.io'], resources: ['gatewayclasses'], verbs: ['create'] }],
      },
      boundEverywhere('gateway-classes', { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: gateways.user }),
    );
    const gatewayClass = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'theirs' },
    };
    expect(await cluster.as(gateways, rehearse, gatewayClass)).toMatch(/created/);
  });
});
