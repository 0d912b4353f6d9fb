import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { administrator, kubelets, overtrusted, serviceAccount, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, patch, plain } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Kubernetes makes the endpoints of a Service out of the addresses in the status of its Pods. Whoever writes another's address there leads the
 * edge to it: past that one's NetworkPolicies, which let the edge in, and at a hostname of its own. The admission policy projectdomain-pods
 * leaves addresses to kubelets.
 */

const pod = 'shop';
const own = '10.1.0.7';
const anothers = '10.1.0.8';
const addresses = (...all: readonly string[]) => ({ podIP: all[0], podIPs: all.map((ip) => ({ ip })) });
const status = (change: object, name = pod, namespace = acme): readonly string[] => [
  ...patch('pod', name, { status: change }, namespace),
  '--subresource=status',
];

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.pod(pod, acme), made.pod('new', acme), made.pod(pod, plain));
  await cluster.as(kubelets, status(addresses(own)));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

describe.each<[string, Actor]>([
  ['whoever was given more rights than edit', overtrusted],
  ['a service account with all rights in the namespace', serviceAccount('velero', 'velero')],
])('%s is refused', (_, attacker) => {
  it.each<[string, readonly string[]]>([
    ["another Pod's address", status(addresses(anothers))],
    ['that in the list alone', status(addresses(own, 'fd00::8'))],
    ['an address of its choice before the kubelet gives one', status(addresses(anothers), 'new')],
    ["the cloud's metadata service", status(addresses('169.254.169.254'))],
  ])('%s', async (_, args) => {
    expect(await cluster.refusal(attacker, args)).toMatch(/lead traffic to a Pod; kubelets alone write them/);
  });
});

it('a tenant with the edit role may write no status of Pods at all', async () => {
  expect(await cluster.refusal(tenant, status(addresses(anothers)))).toMatch(/cannot patch resource "pods\/status"/);
});

describe('still let through are', () => {
  it.each<[string, Actor, readonly string[]]>([
    ['kubelets, which write the status of Pods of all namespaces', kubelets, status(addresses(own, 'fd00::7'))],
    ['a condition', overtrusted, status({ conditions: [{ type: 'Ready', status: 'False' }] })],
    ['the address that it has', overtrusted, status(addresses(own))],
    ['administrators', administrator, status(addresses(own))],
    ['all of it in a namespace of no account', overtrusted, status(addresses(anothers), pod, plain)],
  ])('%s', async (_, actor, args) => {
    expect(await cluster.as(actor, [...args, '--dry-run=server'])).toMatch(/patched/);
  });
});
