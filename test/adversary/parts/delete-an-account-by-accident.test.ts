import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { administrator } from '../../support/actors.ts';
import type { OwnAttackCluster } from '../../support/attack-cluster.ts';
import { acme, neighbour, plain, startAttackCluster } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * One word of an administrator's, or one prune of Git's, would end every hostname of a customer. The admission policy
 * projectdomain-deletions wants an annotation first, and leaves Kubernetes' own controllers alone.
 */

const accounts = 'accounts.projectdomain.io';
const annotation = 'projectdomain.io/confirm-deletion';

let cluster: OwnAttackCluster;
beforeAll(async () => {
  cluster = await startAttackCluster(
    {},
    made.project('shop', acme),
    made.projectDomain('www.example.com', 'www', acme),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const confirmFirst = (resource: string, name: string) =>
  `confirm it first: kubectl annotate ${resource} ${name} ${annotation}=${name}`;

describe('an administrator with every right is refused', () => {
  it.each<[what: string, resource: string, name: string, args: readonly string[]]>([
    ['an Account', 'accounts', acme, ['delete', 'account', acme]],
    ['an Account whose dependents are to stay', 'accounts', acme, ['delete', 'account', acme, '--cascade=orphan']],
    ['all Accounts in one request', 'accounts', acme, ['delete', '--raw', '/apis/projectdomain.io/v1alpha1/accounts']],
    ['an account namespace', 'namespaces', acme, ['delete', 'namespace', acme]],
    ['the definition of all Accounts', 'customresourcedefinitions', accounts, ['delete', 'crd', accounts]],
    [
      'the definition of all claims',
      'customresourcedefinitions',
      'hostnameclaims.projectdomain.io',
      ['delete', 'crd', 'hostnameclaims.projectdomain.io'],
    ],
  ])('%s', async (...[, resource, name, args]) => {
    expect(await cluster.refusal(administrator, args)).toContain(confirmFirst(resource, name));
  });

  it("a namespace with the confirmation of another's", async () => {
    await cluster.as(administrator, ['annotate', 'namespace', acme, `${annotation}=${neighbour}`]);
    expect(await cluster.refusal(administrator, ['delete', 'namespace', acme])).toContain(
      confirmFirst('namespaces', acme),
    );
  });
});

describe('an administrator goes on', () => {
  it('without a word for what belongs to no account', async () => {
    expect(await cluster.as(administrator, ['delete', 'namespace', plain, '--wait=false'])).toMatch(/deleted/);
    expect(await cluster.as(administrator, ['delete', 'crd', 'orders.acme.cert-manager.io'])).toMatch(/deleted/);
  });

  it('with the very command that the refusal names, and Kubernetes takes all that is in it', async () => {
    const said = await cluster.refusal(administrator, ['delete', 'namespace', neighbour]);
    const [, command = ''] = /kubectl (annotate .*)$/m.exec(said.trim()) ?? [];
    await cluster.as(administrator, command.split(' '));
    await cluster.as(administrator, ['delete', 'namespace', neighbour, '--timeout=300s']);
    expect(await cluster.kubectl.get('namespace', neighbour)).toBeNull();
  });

  it('and what the Account owned goes with it', async () => {
    const { kubectl } = cluster;
    const { metadata } = (await kubectl.get<{ metadata: { uid: string } }>('account', acme)) ?? {
      metadata: { uid: '' },
    };
    const owner = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', name: acme, uid: metadata.uid };
    const owned = JSON.stringify({ metadata: { ownerReferences: [owner] } });
    await kubectl.run(['patch', 'project', 'shop', '-n', acme, '--type=merge', '-p', owned]);
    await cluster.as(administrator, ['annotate', 'account', acme, `${annotation}=${acme}`]);
    await cluster.as(administrator, ['delete', 'account', acme]);
    await eventually('the Project is collected', 40_000, async () =>
      expectThat((await kubectl.get('project', 'shop', acme)) === null, 'the Project is there'),
    );
  });
});
