import { describe, expect, it } from '@jest/globals';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { domain } from '../../support/snapshot.ts';

const routes = createIngressRoutes({ className: 'nginx', wildcards: null });
const wanted: DesiredRoute = {
  namespace: 'acme',
  hostname: 'www.example.com',
  owner: domain(),
  backend: { name: 'shop-web', port: 8080 },
  hasCertificate: true,
};

const rulesOf = (route: DesiredRoute) =>
  (routes.manifests(route)[0] as unknown as { spec: { rules: readonly object[] } }).spec.rules;
const to = (path: string, name: string) => ({
  path,
  pathType: 'Prefix',
  backend: { service: { name, port: { number: 8080 } } },
});

describe('the Ingress of a hostname', () => {
  it('has one path, to the project', () => {
    expect(rulesOf(wanted)).toEqual([{ host: 'www.example.com', http: { paths: [to('/', 'shop-web')] } }]);
  });

  it('leads requests for a published token to the redirector, as its host shadows the rule without one', () => {
    const paths = [to('/', 'shop-web'), to('/.well-known/projectdomain/', 'projectdomain-redirect')];
    expect(rulesOf({ ...wanted, answersToken: true })).toEqual([{ host: 'www.example.com', http: { paths } }]);
  });

  it('counts as leading to its project with that path beside it', () => {
    expect(routes.backendOf(routes.manifests({ ...wanted, answersToken: true }) as never)).toBe('shop-web');
    const own = routes.manifests({ ...wanted, secretName: 'pd-own-a' }) as never;
    expect([routes.secretOf(own), routes.secretOf([])]).toEqual(['pd-own-a', undefined]);
  });
});
