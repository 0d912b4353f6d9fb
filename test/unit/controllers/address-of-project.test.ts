import { describe, expect, it } from '@jest/globals';
import { reconcileHostnameClaim } from '../../../src/controllers/hostname-claim/hostname-claim-reconciler.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Project } from '../../../src/generated/project.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { madeSubdomain } from '../../../src/rules/project-address.ts';
import { account, now, platformClaim, project, routes, settings } from '../../support/snapshot.ts';

/** The address of a project of account acme beside one of the same name, from caches as the operator fills them to what it writes. */

const at = (label: string) => `${label}.apps.example.net`;
const made = madeSubdomain('shop', settings.records.subdomain({ namespace: 'acme', name: 'shop', attempt: 0 }));
const neighbours = { account: 'acc-rival', holder: { namespace: 'rival', name: 'shop' } };

const stamped = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', name: 'acme', uid: 'u-acme' };
const asking = (subdomain?: string, status: Project['status'] = { deployedAt: '2026-01-01T00:00:00Z' }): Project => ({
  ...project,
  metadata: { ...project.metadata, resourceVersion: '1', ownerReferences: [stamped] },
  spec: { ...project.spec, ...(subdomain === undefined ? {} : { subdomain }) },
  status,
});

const claimed = (label: string, spec: Partial<HostnameClaim['spec']> = {}): HostnameClaim => ({
  ...platformClaim(spec),
  metadata: { name: at(label), uid: `u-${label}`, resourceVersion: '1' },
});

interface Scene {
  readonly of: Project;
  readonly claims?: readonly HostnameClaim[];
  readonly isAccountThere?: boolean;
}

function storesWith({ of, claims = [], isAccountThere = true }: Scene) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  if (isAccountThere) stores.accounts.put(account);
  stores.projects.put(of);
  for (const claim of claims) stores.claims.put(claim);
  return stores;
}

const plain = { ...settings, platformTls: 'Default' } as const;

function decided(scene: Scene) {
  const { writes } = decideProject(gatherProject(storesWith(scene), plain, scene.of, now));
  const written = writes.find(({ verb }) => verb === 'applyStatus');
  const { platformHostname = null, conditions = [] } = (
    written?.verb === 'applyStatus' ? written.object.status : {}
  ) as NonNullable<Project['status']>;
  const accepted = conditions.find(({ type }) => type === 'Accepted');
  const named = writes.flatMap((write) => {
    if (!('object' in write) || write === written) return [];
    const { name, annotations } = write.object.metadata;
    return [`${write.verb} ${write.kind.kind} ${annotations?.['projectdomain.io/hostname'] ?? name}`];
  });
  return { writes: named, address: platformHostname, accepted: accepted?.reason, says: accepted?.message };
}

describe('a project that asks for no subdomain by name', () => {
  it('claims that of its name, and shows no address before it has it', () => {
    expect(decided({ of: asking() })).toEqual({
      writes: [`create HostnameClaim ${at('shop')}`],
      address: null,
      accepted: 'Accepted',
      says: `once it is deployed, it is served at ${at('shop')}`,
    });
  });

  it('claims another one where another account has that, and is served there', () => {
    const before = decided({ of: asking(), claims: [claimed('shop', neighbours)] });
    expect(before).toMatchObject({ writes: [`create HostnameClaim ${at(made)}`], address: null, accepted: 'Accepted' });
    const after = decided({ of: asking(), claims: [claimed('shop', neighbours), claimed(made)] });
    expect(after).toMatchObject({ writes: [`apply Ingress ${at(made)}`], address: at(made), accepted: 'Accepted' });
    expect(after.says).toBe(`served at ${at(made)}`);
  });

  it('says where it would be served before it is deployed, and claims nothing', () => {
    const { writes, address, says } = decided({ of: asking(undefined, {}), claims: [claimed('shop', neighbours)] });
    expect([writes, address, says]).toEqual([[], null, `once it is deployed, it is served at ${at(made)}`]);
  });

  it('stays where it is when the other one is free, as in a restore without its status', () => {
    expect(decided({ of: asking(), claims: [claimed(made)] })).toMatchObject({
      writes: [`apply Ingress ${at(made)}`],
      address: at(made),
    });
  });

  it('shows no address whose claim is being deleted', () => {
    const leaving = { ...claimed('shop').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(decided({ of: asking(), claims: [{ ...claimed('shop'), metadata: leaving }] }).address).toBeNull();
  });
});

describe('a project that asks by name for a subdomain', () => {
  it.each<[string, string, readonly HostnameClaim[], string, string]>([
    ['that another account has', 'shop', [claimed('shop', neighbours)], 'SubdomainTaken', 'belongs to another project'],
    ['that is reserved', 'login', [], 'SubdomainReserved', "'login' is reserved"],
    [
      'that the platform made for another',
      madeSubdomain('shop', 'k3v5abcd'),
      [],
      'SubdomainReserved',
      'ends as only subdomains do that the platform makes',
    ],
  ])('%s is refused, and neither holds nor shows anything', (_title, subdomain, claims, reason, why) => {
    const seen = decided({ of: asking(subdomain), claims });
    expect(seen).toMatchObject({ writes: [], address: null, accepted: reason });
    expect(seen.says).toContain(why);
    expect(seen.says).toContain('set another spec.subdomain, or none to be given one');
  });

  it('that is another’s goes on at what it has, whose route is kept up to date', () => {
    const seen = decided({ of: asking('shop'), claims: [claimed('shop', neighbours), claimed(made)] });
    expect(seen).toMatchObject({
      writes: [`apply Ingress ${at(made)}`],
      address: at(made),
      accepted: 'SubdomainTaken',
    });
    expect(seen.says).toContain(`the project goes on at ${at(made)}`);
  });

  it('that is free by now claims it', () => {
    expect(decided({ of: asking('store'), claims: [claimed(made)] }).writes).toEqual([
      `create HostnameClaim ${at('store')}`,
    ]);
  });
});

/** A claim whose holder the cache shows is left alone; of any other the holder is read live, and it is given up. */
async function isGivenUp(scene: Scene, label: string): Promise<boolean> {
  const stores = storesWith(scene);
  const live: string[] = [];
  const cluster = {
    get: (kind: { readonly kind: string }) => {
      live.push(kind.kind);
      return Promise.reject(new Error('read live'));
    },
  };
  const dependencies = { caches: stores, settings, cluster, now: () => now } as unknown as ControllerNeeds;
  const asked = reconcileHostnameClaim(dependencies, at(label)).then(
    () => false,
    (error: Error) => error.message === 'read live' && live.includes('Project'),
  );
  return asked;
}

describe('the claim of an address', () => {
  const both = [claimed('shop'), claimed(made)];
  it.each<[string, Scene, string, boolean]>([
    ['of the project’s name is kept', { of: asking(), claims: [claimed('shop')] }, 'shop', false],
    [
      'that was made for it is kept',
      { of: asking(), claims: [claimed('shop', neighbours), claimed(made)] },
      made,
      false,
    ],
    ['that was made for it is kept when the other is free', { of: asking(), claims: [claimed(made)] }, made, false],
    [
      'that was made for it is kept while its account is not there, as in a restore',
      { of: asking(undefined, {}), claims: [claimed(made)], isAccountThere: false },
      made,
      false,
    ],
    [
      'is kept while the project asks for what it does not get',
      { of: asking('login'), claims: [claimed(made)] },
      made,
      false,
    ],
    [
      'is given up once the project asks for one that it gets',
      { of: asking('store'), claims: [claimed(made)] },
      made,
      true,
    ],
    ['that was made is given up where the project has its name’s too', { of: asking(), claims: both }, made, true],
    ['of its name is kept where it has both', { of: asking(), claims: both }, 'shop', false],
    [
      'that it was given by name is given up once it asks for none',
      { of: asking(), claims: [claimed('store')] },
      'store',
      true,
    ],
  ])('%s', async (_title, scene, label, isUp) => {
    expect(await isGivenUp(scene, label)).toBe(isUp);
  });
});
