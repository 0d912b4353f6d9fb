import { describe, expect, it } from '@jest/globals';
import type { Intent } from '../../../src/kubernetes/kubernetes-port.ts';
import { hostnameAnnotation } from '../../../src/resources/object-metadata.ts';
import { createRoutes } from '../../../src/routing/create-routes.ts';
import type { GatewayChoice, IngressControllerName } from '../../../src/routing/edges/controllers.ts';
import { gatewayControllers } from '../../../src/routing/edges/controllers.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { domain } from '../../support/snapshot.ts';

/** What each controller is told, and serves. Fails when one would not be told what it has to be told, or another would be. */

const edge = {
  class: 'default',
  probe: { address: '192.0.2.1', port: 443, httpPort: 80 },
  isRetired: false,
  addresses: [],
};
const route: DesiredRoute = {
  namespace: 'acme',
  hostname: 'www.example.com',
  owner: domain(),
  backend: { name: 'shop-web', port: 8080 },
  hasCertificate: true,
};
const wildcard: Partial<DesiredRoute> = { hostname: '*.example.com' };
const withoutCertificate: Partial<DesiredRoute> = { hasCertificate: false };
const notServed: Partial<DesiredRoute> = { backend: null, answersChallenges: true };
const withoutSecret: Partial<DesiredRoute> = { isSecretLost: true };

const offered = { wildcards: true, httpsRedirect: true };
type Offered = typeof offered;
type Settings = ReturnType<typeof byIngress> | ReturnType<typeof onGateway>;

const byIngress = (controller: IngressControllerName) => ({ kind: 'Ingress', className: 'some', controller }) as const;
const onGateway = (choice: GatewayChoice) =>
  ({ kind: 'Gateway', namespace: 'edge', name: 'customers', ...choice }) as const;
const routesOf = (settings: Settings, { wildcards, httpsRedirect }: Offered = offered) => {
  const routing = settings.kind === 'Ingress' ? { ...settings, httpsRedirect } : settings;
  return createRoutes({ classes: [{ ...edge, ...routing }], wildcards });
};

describe('the Ingress of a hostname', () => {
  const priority = { 'traefik.ingress.kubernetes.io/router.priority': '1' };
  const entryPoint = { 'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure' };
  const upgrades = { 'projectcontour.io/websocket-routes': '/' };
  const redirect = { 'ingress.kubernetes.io/force-ssl-redirect': 'true' };
  const noWildcards = { ...offered, wildcards: false };
  const noRedirect = { ...offered, httpsRedirect: false };

  type Told = Readonly<Record<string, string>>;
  it.each<[IngressControllerName, string, Partial<DesiredRoute>, Told, Offered?]>([
    ['Traefik', 'that http is another Ingress’', {}, entryPoint],
    ['Traefik', 'that of a wildcard too, which is asked last', wildcard, { ...priority, ...entryPoint }],
    ['Traefik', 'that with its default certificate too', withoutCertificate, entryPoint],
    ['Traefik', 'nothing before it is served, as challenges would be led to HTTPS', notServed, {}],
    ['Traefik', 'nothing while its Secret is gone', withoutSecret, {}],
    ['Traefik', 'nothing without the redirect', {}, {}, noRedirect],
    ['Traefik', 'that a wildcard is asked last, without the redirect', wildcard, priority, noRedirect],
    ['Traefik', 'nothing of wildcards where none are offered', wildcard, entryPoint, noWildcards],
    ['Contour', 'that connections may be upgraded, and http leads to https', {}, { ...upgrades, ...redirect }],
    ['Contour', 'the same of a wildcard', wildcard, { ...upgrades, ...redirect }],
    ['Contour', 'of no redirect without a certificate, as it has no other', withoutCertificate, upgrades],
    ['Contour', 'of no redirect before it is served', notServed, upgrades],
    ['Contour', 'of no redirect while its Secret is gone', withoutSecret, upgrades],
    ['Contour', 'that connections may be upgraded, without the redirect', {}, upgrades, noRedirect],
    ['HAProxy', 'nothing', {}, {}],
    ['HAProxy', 'nothing of a wildcard', wildcard, {}],
    ['Other', 'nothing', {}, {}],
    ['Other', 'nothing of a wildcard', wildcard, {}],
  ])('tells %s %s', (controller, _, changes, annotations, given = offered) => {
    const routes = routesOf(byIngress(controller), given);
    const [{ metadata }] = routes.manifests({ ...route, ...changes }) as unknown as readonly [Intent];
    expect(metadata.annotations).toEqual({ [hostnameAnnotation]: changes.hostname ?? route.hostname, ...annotations });
  });
});

describe('wildcards', () => {
  it.each<[sentence: string, settings: Settings, served: boolean]>([
    ['are served by Traefik’s Ingresses', byIngress('Traefik'), true],
    ['are not served by Contour’s Ingresses', byIngress('Contour'), false],
    ['are not served by HAProxy', byIngress('HAProxy'), false],
    ['are not served by Ingresses of whatever else', byIngress('Other'), false],
    ['are served by Envoy Gateway', onGateway({ controller: 'EnvoyGateway' }), true],
    ['are not served by Traefik’s Gateway', onGateway({ controller: 'Traefik' }), false],
    ['are not served by Contour’s Gateway', onGateway({ controller: 'Contour' }), false],
    ['are not served by a Gateway of whatever else', onGateway({ controller: 'Other' }), false],
  ])('%s, and nowhere unless they are offered', (_, settings, served) => {
    expect(routesOf(settings).servesWildcards).toBe(served);
    expect(routesOf(settings, { ...offered, wildcards: false }).servesWildcards).toBe(false);
  });
});

describe('the objects of a hostname behind a Gateway', () => {
  const listenerSet = ['HTTPRoute', 'HTTPRoute', 'ListenerSet'];
  const listeners = ['HTTPRoute', 'ReferenceGrant', 'HTTPRoute'];

  it.each<[sentence: string, choice: GatewayChoice, kinds: readonly string[], section: string | undefined]>([
    ['have a ListenerSet with Envoy Gateway', { controller: 'EnvoyGateway' }, listenerSet, 'http'],
    ['have one with whatever else, if nothing is said', { controller: 'Other' }, listenerSet, 'http'],
    [
      'have none with whatever else, where that is said',
      { controller: 'Other', listeners: 'Gateway' },
      listeners,
      'http',
    ],
    ['have none with Traefik', { controller: 'Traefik' }, listeners, 'http'],
    [
      'have none with Contour, and are at both of its listeners over http',
      { controller: 'Contour' },
      listeners,
      undefined,
    ],
  ])('%s', (_, choice, kinds, section) => {
    const routes = routesOf(onGateway(choice));
    const made = routes.manifests({ ...route, answersChallenges: true });
    expect(made.map(({ kind }) => kind)).toEqual(kinds);
    const { parentRefs } = (made[0] as unknown as { spec: { parentRefs: readonly { sectionName?: string }[] } }).spec;
    expect(parentRefs[0]?.sectionName).toBe(section);
  });
});

describe('the tables of controllers', () => {
  it('have wildcards behind Gateways with ListenerSets alone', () => {
    const serving = Object.values(gatewayControllers).filter(({ servesWildcards }) => servesWildcards);
    expect(serving.map(({ listeners }) => listeners)).toEqual(serving.map(() => ['ListenerSet']));
  });
});
