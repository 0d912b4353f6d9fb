import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { api, overtrusted, owner, redirector, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, apply, attackCluster, create, neighbour } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Who writes a claim holds a hostname without proof; who writes an Account has another plan, or another account's id and
 * with it its records. None of these kinds is aggregated to the built-in roles, and the API and the redirector only read.
 */

const claimOf = (hostname: string, account: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: hostname },
  spec: {
    account,
    holder: { namespace: neighbour, name: 'www' },
    phase: 'Held',
    epoch: 1,
    proof: { method: 'CNAME', at: '2026-01-01T00:00:00Z' },
  },
});
const held = claimOf('www.example.com', 'neighbours-id');
const planOf = (name: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Plan',
  metadata: { name },
  spec: { rateLimit: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000_000 } },
});
const accountWith = (spec: object) => ({ ...made.account(acme), spec });

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(held);
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const attackers: readonly (readonly [string, Actor])[] = [
  ['a tenant with the edit role', tenant],
  ['a tenant with the admin role', owner],
  ['whoever was given every right in its namespace', overtrusted],
  ['whoever took the API server over', api],
  ['whoever took the redirector over', redirector],
];

describe.each(attackers)('%s is refused', (_, attacker) => {
  it.each<[what: string, saying: RegExp, args: readonly string[], object?: object]>([
    ['a claim for a new hostname', /cannot create resource "hostnameclaims"/, create, claimOf('a.example.org', 'mine')],
    ["another's claim", /cannot patch resource "hostnameclaims"/, apply, claimOf('www.example.com', 'mine-now')],
    ['the end of a claim', /cannot delete resource "hostnameclaims"/, ['delete', 'hostnameclaim', 'www.example.com']],
    ['a better plan', /cannot patch resource "accounts"/, apply, accountWith({ plan: 'enterprise' })],
    [
      "another account's id",
      /cannot patch resource "accounts"/,
      apply,
      accountWith({ plan: 'pro', id: 'neighbours-id' }),
    ],
    ['an account of its own', /cannot create resource "accounts"/, create, made.account('mine')],
    ['a plan without limits', /cannot patch resource "plans"/, apply, planOf('pro')],
  ])('%s', async (...[, saying, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(saying);
  });
});

it('the claim is as it was', async () => {
  const seen = await cluster.kubectl.get<{ spec: object }>('hostnameclaim', 'www.example.com');
  expect(seen?.spec).toEqual(held.spec);
});
