import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * A domain that says of itself that it is Live, or a project that says it was deployed, would be served unproven. Status is
 * a subresource that the built-in roles do not have for our kinds.
 */

const own = made.projectDomain('www.example.com', 'www', acme);
const project = made.project('shop', acme);
const live = { state: 'Live' };

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(project, own);
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const onStatus = (...verb: readonly string[]) => [...verb, '--subresource=status', '-f', '-'];

describe.each([
  ['the edit role', tenant],
  ['the admin role', owner],
])('whoever has %s in its account namespace is refused', (_, attacker) => {
  it.each<[what: string, resource: string, args: readonly string[], object: object]>([
    ['a domain that is Live', 'projectdomains/status', onStatus('apply', '--server-side'), { ...own, status: live }],
    ['the same as a whole', 'projectdomains/status', onStatus('replace'), { ...own, status: live }],
    [
      'a project that was deployed',
      'projects/status',
      onStatus('apply', '--server-side'),
      { ...project, status: { deployedAt: '2026-01-01T00:00:00Z' } },
    ],
    [
      "its account's health",
      'accounts/status',
      onStatus('apply', '--server-side'),
      { ...made.account(acme), status: { conditions: [] } },
    ],
  ])('%s', async (...[, resource, args, object]) => {
    expect(await cluster.refusal(attacker, args, object)).toContain(`resource "${resource}"`);
  });
});

it('a status that comes along with a new domain is dropped', async () => {
  const born = { ...made.projectDomain('new.example.com', 'new', acme), status: live };
  await cluster.as(tenant, [...create, '--validate=false'], born);
  expect((await cluster.kubectl.get<{ status?: object }>('projectdomain', 'new', acme))?.status).toEqual({
    observedGeneration: -1,
  });
});
