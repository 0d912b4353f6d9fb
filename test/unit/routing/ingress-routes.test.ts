import { describe, expect, it } from '@jest/globals';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { partsOf } from '../../../src/routing/route-port.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { domain } from '../../support/snapshot.ts';

const routes = createIngressRoutes({ className: 'nginx', controller: ingressControllers.Other });
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

describe('the Ingress for suspended hostnames of a wildcard', () => {
  const made = createIngressRoutes({ className: 'traefik', controller: ingressControllers.Traefik });
  const route = { ...wanted, hostname: '*.example.com', suspendedBelow: ['a.example.com', 'b.example.com'] };

  it('leads each to the redirector, and is found with the wildcard’s own and with no other', () => {
    const [ingress] = made.suspensions(route) as unknown as readonly [Ingress];
    expect(ingress.spec?.rules?.map(({ host, http }) => [host, http?.paths[0]?.backend.service?.name])).toEqual([
      ['a.example.com', 'projectdomain-redirect'],
      ['b.example.com', 'projectdomain-redirect'],
    ]);
    const namesOf = (hostname: string) => partsOf(made, 'acme', hostname).map(({ key }) => key.name);
    expect(namesOf('*.example.com')).toContain(ingress.metadata.name);
    expect(namesOf('a.example.com')).toHaveLength(1);
  });

  it('says nothing of where the wildcard leads', () => {
    const objects = [...made.suspensions(route), ...made.manifests(route)] as never;
    expect([made.backendOf(objects), made.secretOf(objects)]).toEqual(['shop-web', childName('*.example.com')]);
    expect(made.backendOf(made.suspensions(route) as never)).toBeUndefined();
  });
});
