import { expect, it } from '@jest/globals';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import { account, domain, now, project, recentChecks, settings } from '../../support/snapshot.ts';

/** Whether a wildcard serves a hostname until that has its own certificate, read from the caches. */

const routes = createGatewayRoutes({ namespace: 'edge', name: 'customers' }, '', true);
const ofWildcard = {
  namespace: 'acme',
  hostname: '*.example.com',
  owner: domain(),
  backend: { name: 'shop', port: 80 },
  hasCertificate: true,
};

it.each([
  ['is, where its account has the wildcard above it and that has a certificate', 'acme', {}, {}, true],
  ['is not, while the wildcard has no certificate', 'acme', { backend: null, hasCertificate: false }, {}, false],
  ['is not, where the wildcard is another account’s', 'other', {}, {}, false],
  ['is not by the wildcard above its parent', 'acme', { hostname: '*.com' }, {}, false],
  ['is not, where no wildcards are served', 'acme', {}, { challengeZone: null }, false],
])('a hostname %s', (_, namespace, wildcard, changes, expected) => {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  stores.accounts.put(account);
  stores.projects.put(project);
  for (const { apiVersion, kind, metadata, ...rest } of routes.manifests({ ...ofWildcard, namespace, ...wildcard })) {
    const object = { apiVersion, kind, metadata: { ...metadata, resourceVersion: '1' }, ...rest };
    const store = kind === 'ListenerSet' ? stores.routeStores.listenerSets : stores.routeStores.httpRoutes;
    store?.put(object);
  }
  const given = { ...settings, routes, challengeZone: 'acme.example.net', ...changes };
  const { isWildcardServed } = gatherProjectDomain({ caches: stores, settings: given, recentChecks }, domain(), now);
  expect(isWildcardServed).toBe(expected);
});
