import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Account } from '../../../src/generated/account.ts';
import { resourceQuota, resourceQuotaName } from '../../../src/controllers/account/account-resource-quota.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import type { ShippedCluster } from '../../support/shipped-cluster.ts';
import { shippedCluster } from '../../support/shipped-cluster.ts';

/**
 * A tenant fills the cluster with Projects and ProjectDomains by kubectl, past REST and its caps. The ResourceQuota that the
 * operator keeps in the account's namespace holds it off, and no built-in role of a tenant can change it.
 */

let cluster: ShippedCluster;

const namespace = 'hoarder';
const maximum = { projects: 4, domains: 6, apiKeys: 5 };
const apiVersion = 'projectdomain.io/v1alpha1';

const metadata = (name: string) => ({ name, namespace });
const project = (name: string) => ({
  apiVersion,
  kind: 'Project',
  metadata: metadata(name),
  spec: { service: { name: 'web', port: 80 } },
});
const domain = (index: number) => ({
  apiVersion,
  kind: 'ProjectDomain',
  metadata: metadata(`d${index}`),
  spec: { project: 'p0', hostname: `d${index}.example.com` },
});

/** What the tenant of a role was told, one line for each object. */
function tries(role: string, args: readonly string[], ...objects: readonly object[]): Promise<string> {
  const items = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  return cluster.kubectl
    .run([`--as=${role}`, '-n', namespace, ...args], items)
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

async function count(plural: string): Promise<number> {
  const listed = await cluster.kubectl.run(['get', plural, '-n', namespace, '-o', 'name']);
  return listed.split('\n').filter((line) => line !== '').length;
}

async function keepQuota(changes: Partial<typeof maximum> = {}): Promise<void> {
  const owner = await cluster.kubectl.get<Account>('account', namespace);
  if (!owner) throw new Error('there is no account');
  const wanted = resourceQuota({ namespace, owner }, { ...maximum, ...changes });
  await cluster.kubectl.apply(wanted);
  await eventually('the quota is counted', 60_000, async () => {
    const seen = await cluster.kubectl.get<{ status?: { hard?: object; used?: object } }>(
      'resourcequota',
      resourceQuotaName,
      namespace,
    );
    expectThat(
      JSON.stringify(seen?.status?.hard) === JSON.stringify(sorted(wanted.spec.hard)),
      JSON.stringify(seen?.status),
    );
    expectThat(Object.keys(seen?.status?.used ?? {}).length === 2, JSON.stringify(seen?.status));
  });
}

const sorted = (hard: object) => Object.fromEntries(Object.entries(hard).toSorted(([a], [b]) => (a < b ? -1 : 1)));

beforeAll(async () => {
  cluster = await shippedCluster();
  const { kubectl } = cluster;
  await kubectl.apply(
    { apiVersion, kind: 'Account', metadata: { name: namespace }, spec: { plan: 'pro' } },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'projectdomain.io/account': namespace } },
    },
  );
  for (const role of ['edit', 'admin'])
    await kubectl.run(['create', 'rolebinding', role, `--clusterrole=${role}`, `--user=${role}`, '-n', namespace]);
  await keepQuota();
  await eventually('the built-in roles have taken ours in', 30_000, async () => {
    const said = await tries('edit', ['create', '--dry-run=server', '-f', '-'], project('rehearsal'));
    expectThat(said.includes('created'), said);
  });
}, controlPlaneDeadlineMs);

afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

describe('a tenant with kubectl', () => {
  it('makes as many Projects as its account may have, whatever it sends at once', async () => {
    const said = await tries(
      'edit',
      ['create', '-f', '-'],
      ...Array.from({ length: 20 }, (_, index) => project(`p${index}`)),
    );
    expect(said.match(/exceeded quota: projectdomain-maximum/g)).toHaveLength(16);
    expect(await count('projects.projectdomain.io')).toBe(4);
  });

  it('makes as many ProjectDomains, by several commands that race each other', async () => {
    const commands = Array.from({ length: 8 }, (_, command) =>
      tries('admin', ['create', '-f', '-'], ...Array.from({ length: 4 }, (_, index) => domain(command * 4 + index))),
    );
    await Promise.all(commands);
    expect(await count('projectdomains.projectdomain.io')).toBe(6);
  });

  it.each<[string, string, readonly string[]]>([
    ['edit', 'deletes the quota', ['delete', 'resourcequota', resourceQuotaName]],
    ['admin', 'deletes the quota', ['delete', 'resourcequota', resourceQuotaName]],
    ['admin', 'deletes all quotas', ['delete', 'resourcequotas', '--all']],
    [
      'admin',
      'raises it',
      ['patch', 'resourcequota', resourceQuotaName, '--type=merge', '-p', '{"spec":{"hard":null}}'],
    ],
    [
      'admin',
      'counts it down',
      [
        'patch',
        'resourcequota',
        resourceQuotaName,
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"used":null}}',
      ],
    ],
    ['admin', 'takes the label off its namespace', ['label', 'namespace', namespace, 'projectdomain.io/account-']],
    [
      'admin',
      'raises its own maximum',
      ['patch', 'account', namespace, '--type=merge', '-p', '{"spec":{"overrides":null}}'],
    ],
  ])('with the role %s: %s, in vain', async (role, _, args) => {
    expect(await tries(role, args)).toMatch(/forbidden/i);
  });

  it('keeps what it has when the cap sinks below it, may change and delete it, and makes nothing new', async () => {
    await keepQuota({ domains: 2 });
    const [name = ''] = (
      await cluster.kubectl.run(['get', 'projectdomains.projectdomain.io', '-n', namespace, '-o', 'name'])
    ).split('\n');
    expect(await tries('edit', ['annotate', name, 'note=mine'])).toContain('annotated');
    expect(await tries('edit', ['delete', name])).toContain('deleted');
    expect(await tries('edit', ['create', '-f', '-'], domain(100))).toContain('exceeded quota');
    expect(await count('projectdomains.projectdomain.io')).toBe(5);
  });
});

describe('the operator', () => {
  const operator = 'system:serviceaccount:projectdomain-system:projectdomain-operator';
  const trial = (where: string) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: resourceQuotaName, namespace: where },
    spec: { hard: { 'count/projects.projectdomain.io': '0' } },
  });
  const makes = (where: string) =>
    cluster.kubectl
      .run([`--as=${operator}`, 'create', '--dry-run=server', '-f', '-'], JSON.stringify(trial(where)))
      .catch((error: unknown) => String(error));

  it('may try a quota in its own namespace, and makes none where no account is', async () => {
    await eventually('the policies hold', 30_000, async () =>
      expectThat(/has no label/.test(await makes('default')), 'let through'),
    );
    expect(await makes('projectdomain-system')).toContain('created');
  });
});
