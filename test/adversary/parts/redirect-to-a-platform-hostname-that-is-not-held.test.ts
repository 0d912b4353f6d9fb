import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createStores } from '../../../src/kubernetes/watch-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { redirectKinds } from '../../../src/redirector/redirect-kinds.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import {
  account,
  claim,
  domain,
  now,
  platformClaim,
  project,
  recentChecks,
  routes,
  settings,
} from '../../support/snapshot.ts';

/**
 * A project whose subdomain is a neighbour's, or reserved, says in its status where it would be served, and a redirect of its own leads there: visitors
 * of the attacker's hostname land on the platform's `login`, or on the neighbour's shop, as if these had sent for them. Held off: whoever reads a
 * status asks the claim.
 */

const fail = (error: unknown) => {
  throw error;
};
const versioned = <T extends { readonly metadata: object }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: '1' },
});

const from = 'www.example.com';
const redirecting = (to: string): ProjectDomain => domain({ spec: { role: 'Redirect', redirect: { to } } });
const saying = (platformHostname: string): Project => ({
  ...project,
  status: {
    ...project.status,
    platformHostname,
    domains: [{ hostname: from, role: 'Redirect', state: 'Live' }],
  },
});

const cases: readonly (readonly [string, string, HostnameClaim | undefined, boolean])[] = [
  ['one that is reserved', 'login.apps.example.net', undefined, false],
  [
    'a neighbour’s',
    'victim.apps.example.net',
    platformClaim({ account: 'acc-victim', holder: { namespace: 'victim', name: 'shop' } }),
    false,
  ],
  [
    'another project’s of the same account',
    'blog.apps.example.net',
    platformClaim({ holder: { namespace: 'acme', name: 'blog' } }),
    false,
  ],
  ['one that it gave up', 'shop.apps.example.net', platformClaim({ phase: 'Tombstone' }), false],
  ['its own', 'shop.apps.example.net', platformClaim(), true],
];

describe.each(cases)('a redirect to a platform hostname, %s', (_title, to, held, isServed) => {
  const claims = [claim(), ...(held ? [{ ...held, metadata: { ...held.metadata, name: to } }] : [])].map(versioned);

  it(`is ${isServed ? 'accepted' : 'refused'} by the operator`, () => {
    const stores = createOperatorStores(routes, fail);
    const namespace = { name: 'acme', labels: { 'projectdomain.io/account': 'acme' } };
    stores.accounts.put(versioned(account));
    stores.namespaces.put(versioned({ apiVersion: 'v1', kind: 'Namespace', metadata: namespace }));
    stores.projects.put(versioned(saying(to)));
    claims.forEach(stores.claims.put);
    const wanted = versioned(redirecting(to));
    stores.domains.put(wanted);
    const gathered = gatherProjectDomain({ caches: stores, settings, recentChecks }, wanted, now);
    // A plan is of no concern here.
    const { accepted } = assessProjectDomain({ ...gathered, limits: generous });
    expect(accepted.reason).toBe(isServed ? 'Accepted' : 'RedirectToForeign');
  });

  it(`is ${isServed ? '' : 'not '}followed by the redirector, accepted or not`, () => {
    const stores = createStores(redirectKinds, fail);
    stores.projects.put(versioned(saying(to)));
    stores.domains.put(versioned({ ...redirecting(to), status: { state: 'Live' as const } }));
    claims.forEach(stores.claims.put);
    const { status, headers } = decideRedirect(
      { host: from, target: '/a', scheme: null },
      {
        claimOf: (name) => stores.claims.get({ namespace: '', name }),
        domain: (namespace, name) => stores.domains.get({ namespace, name }),
        project: (namespace, name) => stores.projects.get({ namespace, name }),
        withNonce: () => [],
        recent: () => null,
        wasServed: () => false,
        wasPrimary: () => false,
      },
    );
    expect([status, headers.location]).toEqual(isServed ? [301, `https://${to}/a`] : [503, undefined]);
  });
});

const generous = {
  rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 },
  customDomains: { enabled: true, maxPerProject: 5 },
  maximum: { projects: 5, domains: 5, apiKeys: 5 },
};

describe('by REST', () => {
  let api: ApiOnStores;
  beforeAll(async () => {
    api = await startApiOnStores();
  });
  afterAll(() => api.stop());

  it('neither the address is shown nor a redirect to it taken, though the status names it', async () => {
    const rest = api.account('thief', 'pro');
    api.account('victim', 'pro');
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'Project',
      metadata: { name: 'mine', namespace: 'thief' },
      spec: { service: { name: 'web', port: 80 }, subdomain: 'victim' },
      status: {
        deployedAt: '2026-01-01T00:00:00Z',
        platformHostname: 'victim.apps.example.net',
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'SubdomainTaken',
            message: 'it belongs to another project',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    const shown = await rest('/v1/projects/mine');
    expect(shown.body).toMatchObject({ platformHostname: null, state: 'pending', reason: 'subdomain-taken' });
    const body = { hostname: from, role: 'redirect', redirect: { to: 'victim.apps.example.net', status: 301 } };
    const add = await rest('/v1/projects/mine/domains', { method: 'POST', body });
    expect([add.status, add.body.code]).toEqual([422, 'invalid-redirect']);
    const config = { primary: null, redirects: [{ from, to: 'victim.apps.example.net' }] };
    const put = await rest('/v1/projects/mine/domain-config', { method: 'PUT', body: config });
    expect([put.status, put.body.code]).toEqual([422, 'invalid-redirect']);
    expect(api.cluster.written).toEqual([]);
  });

  it.each(['xn--pypal-4ve', 'xn--a', 'ab--cd'])('a project gets no subdomain %s, by none of the ways', async (name) => {
    const rest = api.account(`pretender${name.replaceAll('-', '')}`, 'pro');
    const service = { name: 'web', port: 80 };
    const asked = [
      await rest('/v1/projects', { method: 'POST', body: { name, service } }),
      await rest('/v1/projects', { method: 'POST', body: { name: 'free', subdomain: name, service } }),
      await rest('/v1/projects/shop', { method: 'PATCH', body: { subdomain: name } }),
    ];
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(asked.map(() => [422, 'invalid-hostname']));
    expect(api.cluster.written).toEqual([]);
  });
});
