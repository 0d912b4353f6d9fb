import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { overtrusted, owner, tenant, tenantsPod } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Traefik and others put the certificates of all Ingresses into one store and choose by the names in them, so a tenant
 * who writes `*.<platformDomain>` into the Secret of its own route answers for every hostname. The admission policy
 * projectdomain-secrets keeps tenants from every Secret that is served.
 */

const served = 'pd-served';
const forged = { stringData: { 'tls.crt': 'of every hostname', 'tls.key': 'mine' } };
const reserved = /Secrets named pd-… hold the certificates of hostnames and are written by cert-manager alone/;

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(made.tlsSecret({}, served, acme), made.tlsSecret({}, 'own', acme));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const attackers: readonly (readonly [string, Actor])[] = [
  ['the edit role', tenant],
  ['the admin role', owner],
  ['every right on Secrets', overtrusted],
  ["the edit role, from a Pod of the tenant's", tenantsPod(acme)],
];

describe.each(attackers)('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each<[what: string, args: readonly string[], object?: object]>([
    ['another certificate in the Secret that is served', patch('secret', served, forged)],
    ['the whole Secret anew', ['replace', '-f', '-'], { ...made.tlsSecret({}, served, acme), ...forged }],
    [
      'to apply it as its field manager',
      ['apply', '--server-side', '--force-conflicts', '-f', '-'],
      { ...made.tlsSecret({}, served, acme), ...forged },
    ],
    [
      'a label on it, for other controllers to see',
      patch('secret', served, { metadata: { labels: { mine: 'true' } } }),
    ],
    ['its deletion, to order again and again', ['delete', 'secret', served, '-n', acme]],
    ['one that will be served once its hostname comes back', create, made.tlsSecret({}, 'pd-tombstone', acme)],
    ['an opaque one by such a name', create, { ...made.tlsSecret({}, 'pd-opaque', acme), type: 'Opaque' }],
  ])('%s', async (...[, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(reserved);
  });

  it('the deletion of all Secrets in one request', async () => {
    const all = ['delete', '--raw', `/api/v1/namespaces/${acme}/secrets`];
    expect(await cluster.refusal(attacker, all)).toMatch(reserved);
  });
});

it('what is served is as it was', async () => {
  const seen = await cluster.kubectl.get<{ data: object; metadata: { labels?: object } }>('secret', served, acme);
  expect(seen?.data).toEqual({ 'tls.crt': btoa('certificate'), 'tls.key': btoa('key') });
  expect(seen?.metadata.labels).toBeUndefined();
});
