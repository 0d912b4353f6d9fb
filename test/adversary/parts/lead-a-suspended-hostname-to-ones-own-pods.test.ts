import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointsController, operator, overtrusted, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, apply, attackCluster, create, patch, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import { redirectBackend } from '../../../src/routing/redirect-service.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A suspended hostname leads to Service projectdomain-redirect of its account's namespace. With a selector the Service would lead to the tenant's
 * Pods; without its port, or deleted, Traefik drops the route, and the wildcard above serves the hostname. The admission policy
 * projectdomain-redirector leaves it to the operator.
 */

const { name, port } = redirectBackend;
const ports = [{ name: 'http', port }];
const selector = { app: 'phish' };

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.service({ ports }, name, acme), made.service({ selector }, 'shop', acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const ownedBy = { ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'shop', uid: 'u' }] };

describe.each([
  ['a tenant with the edit role', tenant],
  ['whoever was given more rights than edit', overtrusted],
])('%s is refused', (_, attacker) => {
  it.each<[what: string, args: readonly string[], object?: object]>([
    ['to have it lead to Pods of its own', patch('service', name, { spec: { selector } })],
    ['that as an apply', apply, made.service({ ports, selector }, name, acme)],
    ['another port of it', patch('service', name, { spec: { ports: [{ name: 'http', port: 1 }] } })],
    ['an owner with which it would go', patch('service', name, { metadata: ownedBy })],
    ['its deletion', ['delete', 'service', name, '-n', acme]],
    ['its deletion among many', ['delete', '--raw', `/api/v1/namespaces/${acme}/services?dryRun=All`]],
    ['its creation, before the operator needs it', create, made.service({ ports, selector }, name, acme)],
  ])('%s', async (...[, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(
      /Service projectdomain-redirect leads to the redirector and is written by the operator alone/,
    );
  });
});

it('nor does the status lead to it', async () => {
  const owned = [...patch('service', name, { metadata: ownedBy }), '--subresource=status'];
  expect(await cluster.refusal(overtrusted, owned)).toMatch(/is written by the operator alone/);
});

describe('still let through are', () => {
  it.each([
    ['a label on it', tenant, [...patch('service', name, { metadata: { labels: { a: 'b' } } }), '--dry-run=server']],
    ['any other Service', tenant, [...patch('service', 'shop', { spec: { selector: null } }), '--dry-run=server']],
    ['the operator', operator, [...patch('service', name, { spec: { selector: null } }), '--dry-run=server']],
  ] as const)('%s', async (_, actor, args) => {
    expect(await cluster.as(actor, args)).toMatch(/patched/);
  });

  it("and Services whose names begin alike, and Kubernetes' own controllers", async () => {
    expect(await cluster.as(tenant, rehearse, made.service({}, `${name}-2`, acme))).toMatch(/created/);
    const deletion = ['delete', 'service', name, '-n', acme, '--dry-run=server'];
    expect(await cluster.as(endpointsController, deletion)).toMatch(/deleted/);
  });
});
