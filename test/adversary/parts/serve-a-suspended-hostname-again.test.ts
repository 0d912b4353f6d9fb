import { beforeEach, describe, expect, it } from '@jest/globals';
import { decideHostnameClaim } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { redirectBackend } from '../../../src/routing/redirect-service.ts';
import { claimName } from '../../../src/rules/claim-name.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import {
  account,
  certificateIn,
  claim,
  domain,
  limits,
  now,
  project,
  recentChecks,
  settings,
  verdict,
} from '../../support/snapshot.ts';

/**
 * An administrator suspended a phishing page. Its tenant removes and adds what serves it, in whatever order, until the page is there again. Held off: the
 * annotation is the claim's, which nothing that a tenant does deletes, and every route is decided with it.
 */

const page = 'login.example.com';
const wildcard = '*.example.com';
const routes = createIngressRoutes({ className: 'traefik', controller: ingressControllers.Traefik });
const given = {
  ...settings,
  routes,
  issuer: { kind: 'AcmeIssuer' as const, name: 'ca' },
  challengeZone: 'acme.example.net',
};
const day = 24 * 3_600_000;

const claimOf = (hostname: string, name: string, changes: Partial<HostnameClaim['spec']> = {}): HostnameClaim => ({
  ...claim({ holder: { namespace: 'acme', name }, ...changes }),
  metadata: { name: claimName(hostname), uid: `u-${name}`, resourceVersion: '7' },
});
const suspended = (one: HostnameClaim): HostnameClaim => ({
  ...one,
  metadata: { ...one.metadata, annotations: { 'projectdomain.io/suspend': 'abuse report 12' } },
});
const domainOf = (hostname: string, name: string, spec: Partial<ProjectDomain['spec']> = {}): ProjectDomain => {
  const made = domain({ spec: { hostname, ...spec } });
  return { ...made, metadata: { ...made.metadata, name, uid: `u-${name}`, resourceVersion: '1' } };
};

let stores: OperatorStores;

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const labels = { 'projectdomain.io/account': 'acme' };
  const versioned = { resourceVersion: '1' };
  stores.accounts.put({ ...account, metadata: { ...account.metadata, ...versioned } });
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels, ...versioned } });
  stores.projects.put({ ...project, metadata: { ...project.metadata, ...versioned } });
});

/** Where each hostname is led by what the operator writes for a domain that has everything else it needs: certificate, DNS, plan. */
function ledBy(
  one: ProjectDomain,
  held: HostnameClaim,
  others: readonly HostnameClaim[] = [],
): Readonly<Record<string, string>> {
  [held, ...others].forEach(stores.claims.put);
  stores.domains.put(one);
  const gathered = gatherProjectDomain({ caches: stores, settings: given, recentChecks }, one, now);
  const { metadata, ...ready } = certificateIn(true);
  const name = childName(one.spec.hostname);
  const certificate = { ...ready, metadata: { ...metadata, name }, spec: { secretName: name } };
  const assessed = assessProjectDomain({ ...gathered, limits, certificate });
  const { writes } = decideProjectDomain({ ...assessed, verdict: verdict(), probe: { ok: true } });
  const ingresses = writes.flatMap((write) =>
    write.verb === 'apply' && write.kind.kind === 'Ingress' ? [write.object as unknown as Ingress] : [],
  );
  const rules = ingresses.flatMap(({ spec }) => spec?.rules ?? []);
  return Object.fromEntries(rules.map(({ host = '', http }) => [host, http?.paths[0]?.backend.service?.name ?? '']));
}

const { name: nowhere } = redirectBackend;
const shop = project.spec.service.name;

describe('a page that is suspended', () => {
  const own = claimOf(page, 'page');
  const all = claimOf(wildcard, 'all', { wildcard: true });
  const left = suspended(claimOf(page, 'page', { phase: 'Tombstone', releasedAt: new Date(now).toISOString() }));

  it('would be served otherwise, by itself and by the wildcard', () => {
    expect(ledBy(domainOf(page, 'page'), own)).toEqual({ [page]: shop });
    expect(ledBy(domainOf(wildcard, 'all'), all)).toEqual({ [wildcard]: shop });
  });

  it.each<[string, () => Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['answers nothing', () => ledBy(domainOf(page, 'page'), suspended(own)), { [page]: nowhere }],
    [
      'is not served by the wildcard once it is removed',
      () => ledBy(domainOf(wildcard, 'all'), all, [left]),
      { [page]: nowhere, [wildcard]: shop },
    ],
    [
      'is not served in the moment in which it is removed, as the wildcard leads around it before',
      () => ledBy(domainOf(wildcard, 'all'), all, [suspended(own)]),
      { [page]: nowhere, [wildcard]: shop },
    ],
    [
      'is not served by a wildcard of another account',
      () =>
        ledBy(domainOf(wildcard, 'all'), all, [
          suspended(claimOf(page, 'page', { account: 'acc-other', epoch: 3, phase: 'Tombstone' })),
        ]),
      { [page]: nowhere, [wildcard]: shop },
    ],
    [
      'stays so when it is added again',
      () => ledBy(domainOf(page, 'again'), suspended(claimOf(page, 'again'))),
      { [page]: nowhere },
    ],
    [
      'stays so as a redirect',
      () => ledBy(domainOf(page, 'page', { role: 'Redirect', redirect: { to: 'evil.example.org' } }), suspended(own)),
      { [page]: nowhere },
    ],
    [
      'is not served by being added below a wildcard that is suspended for it',
      () => ledBy(domainOf(page, 'page'), own, [suspended(all)]),
      { [page]: nowhere },
    ],
    [
      'nor below one that was removed since',
      () => ledBy(domainOf(page, 'page'), own, [suspended({ ...all, spec: { ...all.spec, phase: 'Tombstone' } })]),
      { [page]: nowhere },
    ],
    [
      'is not lost among many: then no wildcard is served',
      () =>
        ledBy(
          domainOf(wildcard, 'all'),
          all,
          Array.from({ length: 17 }, (_, index) => suspended(claimOf(`h${index}.example.com`, `h${index}`))),
        ),
      {},
    ],
  ])('%s', (_title, led, expected) => {
    expect(led()).toEqual(expected);
  });

  it.each<[string, HostnameClaim]>([
    [
      'after the seven days of a tombstone',
      { ...left, spec: { ...left.spec, releasedAt: new Date(now - 8 * day).toISOString() } },
    ],
    ['after a year', { ...left, spec: { ...left.spec, releasedAt: new Date(now - 365 * day).toISOString() } }],
  ])('is not forgotten %s', (_title, old) => {
    const gone = { route: false, certificate: false };
    const { writes } = decideHostnameClaim({ now, claim: old, held: false, children: gone, routes });
    expect(writes.map(({ kind }) => kind.kind)).toEqual(['Secret']);
  });
});
