import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A name that the API server draws could pass a rule about names that are given. The admission policy
 * projectdomain-secrets refuses every prefix from which a name beginning with `pd-` could be drawn.
 */

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster();
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const drawn = (generateName: string, type: string) => ({
  ...made.tlsSecret({}, '', acme),
  type,
  metadata: { generateName, namespace: acme },
});

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each([
    ["the prefix of all that is served: 'pd-'", 'pd-'],
    ['the prefix of one hostname', 'pd-6vqzt2hgw4xkq3m5n7p2abcd'],
    ["the beginning of the prefix: 'pd'", 'pd'],
    ["the beginning of the prefix: 'p'", 'p'],
  ])('%s', async (...[, prefix]) => {
    const said = await cluster.refusal(attacker, create, drawn(prefix, 'kubernetes.io/tls'));
    expect(said).toMatch(/projectdomain-secrets.*denied request: .*written by cert-manager alone; take another/s);
  });
});

it.each([['web-'], ['pda-'], ['a-pd-'], ['pe']])('a tenant may draw names from %s', async (prefix) => {
  expect(await cluster.as(tenant, rehearse, drawn(prefix, 'kubernetes.io/tls'))).toMatch(/created \(server dry run\)/);
});
