import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import { now, project, settings, routes } from '../../support/snapshot.ts';

/** A visit to a Project with thousands of domains and hundreds of entries in its configuration. */

const from = (index: number) => `d${index}.example.com`;
const configured = (redirects: number) => ({
  ...project,
  spec: {
    ...project.spec,
    domains: {
      primary: 'www.example.com',
      redirects: Array.from({ length: redirects }, (_, index) => ({ from: from(index) })),
    },
  },
});

let reads = 0;
/** A domain made by hand, which counts how often it is looked into. */
const domain = (index: number): ProjectDomain => {
  const spec = { project: 'shop', hostname: from(index), role: 'Redirect' as const, redirect: { to: 'x.test' } };
  return {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: `by-hand-${index}`, namespace: 'acme', uid: `u${index}`, resourceVersion: '1' },
    get spec() {
      reads += 1;
      return spec;
    },
  };
};

function snapshotOf(redirects: number, domains: readonly ProjectDomain[], isAccountFull = false): ProjectSnapshot {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const sameHostname = domains.slice(0, redirects);
  return { ...gatherProject(stores, settings, configured(redirects), now), domains, sameHostname, isAccountFull };
}

const rowsOf = (snapshot: ProjectSnapshot) => {
  const status = decideProject(snapshot).writes.find(({ verb }) => verb === 'applyStatus') as unknown as {
    readonly object: { readonly status: { readonly domains: readonly object[] } };
  };
  return status.object.status.domains;
};
const made = (snapshot: ProjectSnapshot) =>
  decideProject(snapshot).writes.flatMap((action) =>
    action.verb === 'apply' && action.object.kind === 'ProjectDomain' ? [action.object.metadata.name] : [],
  );

describe('a visit to a Project', () => {
  it('looks at each domain a few times, however many entries its configuration has', () => {
    const snapshot = snapshotOf(
      400,
      Array.from({ length: 2_000 }, (_, index) => domain(index)),
    );
    reads = 0;
    expect(rowsOf(snapshot)).toHaveLength(2_000);
    expect(reads).toBeLessThan(2_000 * 10);
  });

  it('leaves an entry to the domain that stands for it by hand, and makes the others', () => {
    expect(made(snapshotOf(3, []))).toEqual(['www.example.com', from(0), from(1), from(2)]);
    expect(made({ ...snapshotOf(3, [domain(1)]), sameHostname: [domain(1)] })).toEqual([
      'www.example.com',
      from(0),
      from(2),
    ]);
  });

  it('keeps up what exists where the account is full, and makes nothing more', () => {
    expect(made({ ...snapshotOf(3, [domain(1)], true), sameHostname: [] })).toEqual([from(1)]);
  });

  it('lists an entry that another project stands for once, as declared elsewhere', () => {
    const rows = rowsOf({ ...snapshotOf(2, []), sameHostname: [domain(1)] });
    expect(rows).toEqual([{ hostname: from(1), role: 'Redirect', state: 'DeclaredElsewhere' }]);
  });
});
