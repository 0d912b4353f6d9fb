import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { overtrusted, owner, somebodyElses, tenant, tenantsPod } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A route, or a certificate, for a hostname that the tenant has not proven. The built-in roles allow Ingresses, and
 * charts of other projects add their kinds to them; the admission policy projectdomain-routes takes all of that back.
 */

const cert = 'cert-manager.io/v1';
const acmeGroup = 'acme.cert-manager.io/v1';
const hostname = 'www.example.com';

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(
    made.ingress(hostname, hostname, acme),
    made.foreign(cert, 'Certificate', hostname, acme),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const byOperatorAlone = (resource: string) =>
  new RegExp(`${resource} in an account namespace are written by the operator alone: declare a ProjectDomain`);
const label = { metadata: { labels: { mine: 'true' } } };

const attempts: readonly (readonly [what: string, resource: string, args: readonly string[], object?: object])[] = [
  ["an Ingress for another's hostname", 'ingresses', create, made.ingress('www.example.org', 'mine', acme)],
  ["a change of the operator's Ingress", 'ingresses', patch('ingress', hostname, label)],
  ["the deletion of the operator's Ingress", 'ingresses', ['delete', 'ingress', hostname, '-n', acme]],
  [
    'the deletion of all Ingresses in one request',
    'ingresses',
    ['delete', '--raw', `/apis/networking.k8s.io/v1/namespaces/${acme}/ingresses`],
  ],
  ['a Certificate', 'certificates', create, made.foreign(cert, 'Certificate', 'mine', acme)],
  [
    "a fresh order for the operator's Certificate",
    'certificates',
    ['replace', '--subresource=status', '-f', '-'],
    { ...made.foreign(cert, 'Certificate', hostname, acme), status: { conditions: [{ type: 'Issuing' }] } },
  ],
  ['an HTTPRoute', 'httproutes', create, made.foreign('gateway.networking.k8s.io/v1', 'HTTPRoute', 'mine', acme)],
  [
    'a ReferenceGrant, by which the operator would know of a hostname',
    'referencegrants',
    create,
    made.foreign('gateway.networking.k8s.io/v1beta1', 'ReferenceGrant', 'mine', acme),
  ],
  [
    "an IngressRoute of Traefik's",
    'ingressroutes',
    create,
    made.foreign('traefik.io/v1alpha1', 'IngressRoute', 'mine', acme),
  ],
  ["an HTTPProxy of Contour's", 'httpproxies', create, made.foreign('projectcontour.io/v1', 'HTTPProxy', 'mine', acme)],
];

describe.each<[string, Actor]>([
  ['the edit role', tenant],
  ['the admin role', owner],
  ["the edit role, from a Pod of the tenant's", tenantsPod(acme)],
])('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each(attempts)('%s', async (...[, resource, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(byOperatorAlone(resource));
  });
});

describe('whoever was given more rights than the built-in roles have is refused', () => {
  it.each<[string, Actor, string, object]>([
    ['an Ingress', overtrusted, 'ingresses', made.ingress('www.example.org', 'mine', acme)],
    ['an Order', overtrusted, 'orders', made.foreign(acmeGroup, 'Order', 'mine', acme)],
    ['a Challenge', overtrusted, 'challenges', made.foreign(acmeGroup, 'Challenge', 'mine', acme)],
    [
      "an Ingress by a ServiceAccount that has cert-manager's name alone",
      somebodyElses,
      'ingresses',
      made.ingress('www.example.org', 'mine', acme),
    ],
  ])('%s', async (...[, actor, resource, object]) => {
    expect(await cluster.refusal(actor, create, object)).toMatch(byOperatorAlone(resource));
  });

  it('the label of its namespace, without which no policy holds', async () => {
    const said = await cluster.refusal(owner, ['label', 'namespace', acme, 'projectdomain.io/account-']);
    expect(said).toMatch(/User "owner" cannot patch resource "namespaces"/);
  });
});

it('what the operator wrote is as it was', async () => {
  const format = 'jsonpath={.items[*].metadata.name} {.items[*].metadata.labels}';
  const left = await cluster.kubectl.run(['get', 'ingress', '-n', acme, '-o', format]);
  expect(left.trim()).toBe(hostname);
});
