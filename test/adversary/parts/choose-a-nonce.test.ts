import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, operator, overtrusted, owner, tenant } from '../../support/actors.ts';
import type { Actor } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, apply, attackCluster, create, patch } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';

/**
 * The nonce that proved a hostname before its removal, so that a delegation that was left in DNS proves it again. The admission policy
 * projectdomain-nonces leaves nonces to whoever may write claims.
 */

const domain = (name: string, spec: object = {}) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name, namespace: acme },
  spec: { project: 'shop', hostname: `${name}.example.com`, prepare: true, ...spec },
});

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(domain('fresh'), domain('kept', { nonce: 'first' }));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const attempts: readonly (readonly [what: string, args: () => readonly string[], object?: object])[] = [
  ['with a new domain', () => create, domain('mine', { nonce: 'old' })],
  ['on a domain that has none yet', () => patch('projectdomain', 'fresh', { spec: { nonce: 'old' } })],
  ['in place of the one it has', () => patch('projectdomain', 'kept', { spec: { nonce: 'old' } })],
];

describe.each<[string, Actor]>([
  ['the edit role', tenant],
  ['the admin role', owner],
  ['more rights than the built-in roles have', overtrusted],
])('a nonce is not taken from whoever has %s', (_, attacker) => {
  it.each(attempts)('%s', async (...[, args, object]) => {
    expect(await cluster.refusal(attacker, args(), object)).toContain(
      'spec.nonce is set by the operator; leave it out',
    );
  });
});

it('a tenant changes its domain as before, with the nonce that it has', async () => {
  await cluster.as(tenant, patch('projectdomain', 'kept', { spec: { prepare: false } }));
});

it.each<[string, Actor, readonly string[], object]>([
  ['the operator sets it', operator, apply, domain('fresh', { nonce: 'set' })],
  ['an administrator restores it', administrator, create, domain('restored', { nonce: 'kept' })],
])('%s', async (_, actor, args, object) => {
  await cluster.as(actor, args, object);
});
