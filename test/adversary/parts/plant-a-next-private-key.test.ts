import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * cert-manager takes the key of the next certificate from a Secret that it finds by a label: whoever writes one chooses
 * the key. The admission policy projectdomain-secrets keeps tenants from the label and from what carries it.
 */

const label = 'cert-manager.io/next-private-key';
const labelled = { labels: { [label]: 'true' } };
const next = 'drawn-by-cert-manager';

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.tlsSecret(labelled, next, acme), made.tlsSecret({}, 'own', acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each<[what: string, args: readonly string[], object?: object]>([
    ['a Secret with the label', create, made.tlsSecret(labelled, 'planted', acme)],
    ['one with another value of the label', create, made.tlsSecret({ labels: { [label]: '' } }, 'planted', acme)],
    ['the label on a Secret of its own', patch('secret', 'own', { metadata: labelled })],
    ['a key of its own in what carries it', patch('secret', next, { stringData: { 'tls.key': 'mine' } })],
    ['to take the label off', patch('secret', next, { metadata: { labels: { [label]: null } } })],
    ['to delete what carries it', ['delete', 'secret', next, '-n', acme]],
  ])('%s', async (...[, args, object]) => {
    const said = await cluster.refusal(attacker, args, object);
    expect(said).toMatch(/is the next key of a certificate and is written by cert-manager alone/);
  });
});

it('a tenant goes on with a Secret of its own', async () => {
  expect(await cluster.as(tenant, patch('secret', 'own', { stringData: { 'tls.key': 'new' } }))).toMatch(/patched/);
  expect(await cluster.as(tenant, ['delete', 'secret', 'own', '-n', acme])).toMatch(/deleted/);
});
