import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { overtrusted, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A Service whose endpoints the tenant chooses would serve another's Pods, the cloud's metadata or the cluster's own API
 * at the tenant's hostname. Rights and the admission policies projectdomain-services and projectdomain-routes leave the
 * tenant nothing but its own Pods.
 */

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.service({ selector: { app: 'shop' } }, 'shop', acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const outside = { type: 'ExternalName', externalName: 'metadata.example.org' };
const external = { externalIPs: ['203.0.113.10'] };
const shared = { type: 'LoadBalancer', loadBalancerIP: '203.0.113.10' };

describe('a tenant with the edit role is refused', () => {
  it.each<[what: string, saying: RegExp, args: readonly string[], object?: object]>([
    [
      'a Service that is the name of something outside',
      /ExternalName would lead a hostname out of the account; serve the project from its own Pods/,
      create,
      made.service(outside, 'mine', acme),
    ],
    ['that change of a Service', /ExternalName would lead/, patch('service', 'shop', { spec: outside })],
    [
      "a Service with others' addresses",
      /spec\.externalIPs would take other accounts' traffic; leave it out/,
      create,
      made.service(external, 'mine', acme),
    ],
    ['that change of a Service too', /spec\.externalIPs would take/, patch('service', 'shop', { spec: external })],
    [
      'a load balancer at the address of the ingress',
      /spec\.loadBalancerIP could ask for an address that others are served at/,
      create,
      made.service(shared, 'mine', acme),
    ],
    ['that change as well', /spec\.loadBalancerIP could/, patch('service', 'shop', { spec: shared })],
    ['endpoints of its choice', /cannot create resource "endpointslices"/, create, made.endpointSlice('mine', acme)],
    ['endpoints of the old kind', /cannot create resource "endpoints"/, create, made.endpoints('mine', acme)],
  ])('%s', async (...[, saying, args, object]) => {
    expect(await cluster.refusal(tenant, args, object)).toMatch(saying);
  });
});

describe('whoever was given more rights than edit is refused', () => {
  it.each<[what: string, resource: string, object: object]>([
    ['endpoints of its choice', 'endpointslices', made.endpointSlice('mine', acme)],
    ['endpoints of the old kind, which Kubernetes mirrors', 'endpoints', made.endpoints('mine', acme)],
  ])('%s', async (_, resource, object) => {
    const said = await cluster.refusal(overtrusted, create, object);
    expect(said).toContain(`${resource} in an account namespace are written by the operator alone`);
  });
});
