import { describe, expect, it } from '@jest/globals';
import type { Intent } from '../../../src/kubernetes/kubernetes-port.ts';
import { hostnameAnnotation } from '../../../src/resources/object-metadata.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import type { IngressRoutesOptions } from '../../../src/routing/ingress/ingress-routes.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { partsOf } from '../../../src/routing/route-port.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { domain } from '../../support/snapshot.ts';

const routes = createIngressRoutes({ className: 'nginx', wildcards: null, websockets: null, httpsRedirect: null });
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

/** Fails when a controller would not be told what it has to be told, or another would be. */
describe("controllers' annotations of an Ingress", () => {
  const priority = { 'traefik.ingress.kubernetes.io/router.priority': '1' };
  const upgrades = { 'projectcontour.io/websocket-routes': '/' };
  const redirect = { 'ingress.kubernetes.io/force-ssl-redirect': 'true' };
  const entryPoint = { 'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure' };

  it.each<[string, string, Partial<IngressRoutesOptions>, Readonly<Record<string, string>>]>([
    ['there are none where none are needed', 'www.example.com', {}, {}],
    ['a wildcard lets hostnames go first', '*.example.com', { wildcards: 'Traefik' }, priority],
    ['a hostname goes first unasked', 'www.example.com', { wildcards: 'Traefik' }, {}],
    ['connections may be upgraded', 'www.example.com', { websockets: 'Contour' }, upgrades],
    ['both', '*.example.com', { wildcards: 'Traefik', websockets: 'Contour' }, { ...priority, ...upgrades }],
    ['http leads to https', 'www.example.com', { httpsRedirect: 'Contour' }, redirect],
    ['over http another Ingress answers', 'www.example.com', { httpsRedirect: 'Traefik' }, entryPoint],
    [
      'over http another Ingress answers for a wildcard too',
      '*.example.com',
      { wildcards: 'Traefik', httpsRedirect: 'Traefik' },
      { ...priority, ...entryPoint },
    ],
  ])('%s', (_, hostname, options, annotations) => {
    const made = createIngressRoutes({
      className: 'some',
      wildcards: null,
      websockets: null,
      httpsRedirect: null,
      ...options,
    });
    const { metadata } = made.manifests({ ...wanted, hostname })[0] as Intent;
    expect(metadata.annotations).toEqual({ [hostnameAnnotation]: hostname, ...annotations });
  });

  type Redirecting = NonNullable<IngressRoutesOptions['httpsRedirect']>;

  it.each<[Redirecting, string, Partial<DesiredRoute>]>([
    ['Contour', 'there is a certificate', { hasCertificate: false }],
    ['Contour', 'it is served', { backend: null, answersChallenges: true }],
    ['Contour', 'a Secret that was deleted is there again', { isSecretLost: true }],
    ['Traefik', 'it is served', { backend: null, hasCertificate: false, answersChallenges: true }],
    ['Traefik', 'a Secret that was deleted is there again', { isSecretLost: true }],
  ])('behind %s http leads to https not before %s: challenges would be led there too', (httpsRedirect, _, changes) => {
    const made = createIngressRoutes({ className: 'some', wildcards: null, websockets: null, httpsRedirect });
    const { metadata } = made.manifests({ ...wanted, ...changes })[0] as Intent;
    expect(Object.keys(metadata.annotations ?? {})).toEqual([hostnameAnnotation]);
  });

  it('behind Traefik a platform hostname leads there with the default certificate', () => {
    const made = createIngressRoutes({
      className: 'some',
      wildcards: null,
      websockets: null,
      httpsRedirect: 'Traefik',
    });
    const { metadata } = made.manifests({ ...wanted, hasCertificate: false })[0] as Intent;
    expect(metadata.annotations).toMatchObject(entryPoint);
  });
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
  const made = createIngressRoutes({
    className: 'traefik',
    wildcards: 'Traefik',
    websockets: null,
    httpsRedirect: null,
  });
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
