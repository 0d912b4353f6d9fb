import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Actor } from '../../support/actors.ts';
import { overtrusted, owner, redirector, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { apply, attackCluster, create, neighbour } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';

/**
 * An ApiKey names its account, so whoever writes one calls the API as any account; who writes the status of its own ends
 * its ban; who lists them knows the customers. They are cluster-scoped and aggregated to no role.
 */

const keyOf = (name: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ApiKey',
  metadata: { name },
  spec: { account: neighbour, scopes: ['domains:read', 'domains:write', 'keys:write'] },
});

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(keyOf('theirs'));
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

describe.each<[string, Actor]>([
  ['a tenant with the edit role', tenant],
  ['a tenant with the admin role', owner],
  ['whoever was given every right in its namespace', overtrusted],
  ['whoever took the redirector over', redirector],
])('%s is refused', (_, attacker) => {
  it.each<[what: string, saying: RegExp, args: readonly string[], object?: object]>([
    ["a key of another's account", /cannot create resource "apikeys"/, create, keyOf('mine')],
    ['more scopes of a key', /cannot patch resource "apikeys"/, apply, keyOf('theirs')],
    [
      'the end of a ban',
      /cannot patch resource "apikeys\/status"/,
      [...apply, '--subresource=status'],
      { ...keyOf('theirs'), status: { bannedUntil: null } },
    ],
    ['a list of all keys', /cannot list resource "apikeys"/, ['get', 'apikeys']],
    ["another's key", /cannot get resource "apikeys"/, ['get', 'apikey', 'theirs']],
    ["the end of another's key", /cannot delete resource "apikeys"/, ['delete', 'apikey', 'theirs']],
  ])('%s', async (...[, saying, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toMatch(saying);
  });
});
