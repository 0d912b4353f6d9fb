import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadBalancers, overtrusted, owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A Service of type LoadBalancer has an address made, and its class may be one that gives addresses, or names in the
 * platform's own network, to whoever asks. The admission policy projectdomain-services refuses it until a value allows it.
 */

const byTailscale = { type: 'LoadBalancer', loadBalancerClass: 'tailscale' };

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(
    made.service({}, 'shop', acme),
    made.service({ type: 'LoadBalancer', loadBalancerClass: 'example.net/arranged' }, 'arranged', acme),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const noLoadBalancer = /a Service of type LoadBalancer takes an address of the platform's/;

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each<[what: string, saying: RegExp, args: readonly string[], object?: object]>([
    ['a load balancer', noLoadBalancer, create, made.service({ type: 'LoadBalancer' }, 'mine', acme)],
    ['that change of its Service', noLoadBalancer, patch('service', 'shop', { spec: { type: 'LoadBalancer' } })],
    [
      'one by the class of a private network',
      /spec\.loadBalancerClass tailscale could take an address or a name that is not the account's/,
      create,
      made.service(byTailscale, 'mine', acme),
    ],
    [
      'that change too',
      /spec\.loadBalancerClass tailscale could take/,
      patch('service', 'shop', { spec: byTailscale }),
    ],
  ])('%s', async (...[, saying, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(saying);
  });
});

describe('a tenant may', () => {
  it.each([
    ['label the load balancer that was arranged', { metadata: { labels: { mine: 'true' } } }],
    ['say who may reach it', { spec: { loadBalancerSourceRanges: ['203.0.113.0/24'] } }],
    ['make it a Service of its own', { spec: { type: 'ClusterIP', loadBalancerClass: null } }],
  ])('%s', async (_, change) => {
    const rehearsed = [...patch('service', 'arranged', change), '--dry-run=server'];
    expect(await cluster.as(tenant, rehearsed)).toMatch(/patched/);
  });

  it('open a port of the nodes, which is the matter of whoever runs the nodes', async () => {
    expect(await cluster.as(tenant, rehearse, made.service({ type: 'NodePort' }, 'second', acme))).toMatch(/created/);
  });
});

describe('the addresses in the status, which every node leads to the Service,', () => {
  const given = patch('service', 'arranged', { status: { loadBalancer: { ingress: [{ ip: '203.0.113.10' }] } } });
  const written = [...given, '--subresource=status', '--dry-run=server'];

  it('are refused to whoever may write them in its namespace alone', async () => {
    expect(await cluster.refusal(overtrusted, written)).toMatch(
      /status\.loadBalancer would take other accounts' traffic/,
    );
  });

  it('are given by a controller that writes them in all namespaces', async () => {
    expect(await cluster.as(loadBalancers, written)).toMatch(/patched/);
  });
});
