import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { account, claim, limits, now, project, recentChecks, routes, settings } from '../../support/snapshot.ts';

/** Two primaries of one project, as kubectl makes them: the one that visitors get goes on, whichever hostname was proven first. */

type Status = NonNullable<ProjectDomain['status']>;

const asPrimary = { role: 'Primary' } as const;
const asRedirect = { role: 'Redirect', redirect: { to: 'www.example.com', status: 301 } } as const;

interface Given {
  readonly state: NonNullable<Status['state']>;
  readonly servedAs?: NonNullable<Status['servedAs']>;
  readonly provedAt?: string;
  readonly role?: 'Primary' | 'Redirect';
}

function verdictsOn(given: Readonly<Record<string, Given>>) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  stores.accounts.put(account);
  stores.projects.put(project);
  for (const [hostname, { state, servedAs, provedAt, role = 'Primary' }] of Object.entries(given)) {
    stores.domains.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: {
        name: hostname,
        namespace: 'acme',
        uid: `u-${hostname}`,
        resourceVersion: '1',
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { project: 'shop', hostname, ...(role === 'Primary' ? asPrimary : asRedirect) },
      status: { state, ...(servedAs && { servedAs }) },
    });
    if (provedAt === undefined) continue;
    const held = claim({ holder: { namespace: 'acme', name: hostname }, proof: { method: 'CNAME', at: provedAt } });
    stores.claims.put({ ...held, metadata: { name: hostname, uid: `c-${hostname}`, resourceVersion: '1' } });
  }
  const outcome = Object.keys(given).map((hostname) => {
    const domain = stores.domains.get({ namespace: 'acme', name: hostname }) as ProjectDomain;
    const gathered = gatherProjectDomain({ caches: stores, settings, recentChecks }, domain, now);
    const assessed = assessProjectDomain({ ...gathered, limits });
    const { writes } = decideProjectDomain({ verdict: null, probe: null, ...assessed });
    const written = writes.find(({ verb }) => verb === 'applyStatus');
    const { servedAs } = (written?.verb === 'applyStatus' ? written.object.status : {}) as Status;
    return [hostname, `${assessed.accepted.reason} as ${servedAs?.role ?? 'nothing yet'}`] as const;
  });
  return Object.fromEntries(outcome);
}

const www = { state: 'Live', servedAs: asPrimary, provedAt: '2026-01-01T10:00:00Z' } as const;
const apex = { state: 'Live', servedAs: asRedirect, provedAt: '2026-01-01T01:00:00Z' } as const;
const both = (one: Given, other: Given) => ({ 'www.example.com': one, 'example.com': other });

describe('of two primaries', () => {
  it.each<[string, Given, Given, string, string]>([
    [
      'the Live one goes on beside a redirect that was proven earlier',
      www,
      apex,
      'Accepted as Primary',
      'PrimaryExists as Redirect',
    ],
    [
      'the Degraded one does too, as it is served',
      { ...www, state: 'Degraded' },
      apex,
      'Accepted as Primary',
      'PrimaryExists as Redirect',
    ],
    [
      'one that is Suspended gives way',
      { ...www, state: 'Suspended' },
      apex,
      'PrimaryExists as Primary',
      'Accepted as Primary',
    ],
    [
      'one that is a redirect by now gives way',
      { ...www, role: 'Redirect' },
      apex,
      'RedirectToSelf as Primary',
      'Accepted as Primary',
    ],
    [
      'neither of which is served, the one that was proven first is it',
      { ...www, state: 'Unverified', servedAs: asPrimary },
      { ...apex, state: 'Unverified' },
      'PrimaryExists as Primary',
      'Accepted as Primary',
    ],
    [
      'the one that is served goes on beside one that nobody has proven',
      www,
      { state: 'Pending' },
      'Accepted as Primary',
      'PrimaryExists as nothing yet',
    ],
    [
      'the one that was proven first is it where no status says how they were served, as before this was written',
      { state: 'Live', provedAt: '2026-01-01T01:00:00Z' },
      { state: 'Live', provedAt: '2026-01-01T10:00:00Z' },
      'Accepted as Primary',
      'PrimaryExists as nothing yet',
    ],
  ])('%s', (_title, one, other, ofOne, ofOther) => {
    expect(verdictsOn(both(one, other))).toEqual({ 'www.example.com': ofOne, 'example.com': ofOther });
  });

  it('the Live one goes on however many others were proven before it', () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `n${index}.example.com`,
        { ...apex, provedAt: '2026-01-01T01:00:00Z' },
      ]),
    );
    const { 'www.example.com': outcome, 'n7.example.com': other } = verdictsOn({
      ...many,
      'www.example.com': www,
    });
    expect(outcome).not.toMatch('PrimaryExists');
    expect(other).toBe('PrimaryExists as Redirect');
  });
});
