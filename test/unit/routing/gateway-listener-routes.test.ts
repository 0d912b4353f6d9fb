import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createGatewayListenerRoutes } from '../../../src/routing/gateway/gateway-listener-routes.ts';
import type { RouteLook } from '../../../src/routing/route-findings.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { applyRoute } from '../../../src/routing/route-writes.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { heldRoute as held, servedRoute as served } from '../../support/desired-routes.ts';
import { now } from '../../support/snapshot.ts';

/** What a hostname's route consists of where its listener is the Gateway's own, and what is said of it. */

const routes = createGatewayListenerRoutes({ namespace: 'edge', name: 'customers' });
const own = childName('www.example.com');

interface Said extends KubernetesObject {
  readonly spec: {
    readonly from?: readonly { readonly kind: string; readonly namespace: string }[];
    readonly to?: readonly { readonly kind: string; readonly name: string }[];
    readonly parentRefs?: readonly { readonly name: string; readonly sectionName?: string }[];
    readonly rules?: readonly {
      readonly matches: readonly { readonly path: { readonly value: string } }[];
      readonly backendRefs?: readonly { readonly name: string }[];
      readonly filters?: readonly { readonly type: string }[];
    }[];
  };
}

const objectsOf = (route: DesiredRoute) => routes.manifests(route) as unknown as readonly Said[];
const readable = (name = '') => name.replace(own, 'OWN');

/** A line for each object of a grant, and for each rule. */
const saidBy = (route: DesiredRoute): readonly string[] =>
  objectsOf(route).flatMap(({ spec: { from = [], to = [], parentRefs = [], rules = [] } }) => [
    ...to.map(({ kind, name }) => `${from[0]?.kind} of ${from[0]?.namespace} may read ${kind} ${readable(name)}`),
    ...rules.map(({ matches, backendRefs, filters }) => {
      const section = readable(parentRefs[0]?.sectionName ?? parentRefs[0]?.name);
      return `${section} ${matches[0]?.path.value} ${backendRefs?.[0]?.name ?? filters?.[0]?.type}`;
    }),
  ]);

const challenges = (listener: string) => `${listener} /.well-known/acme-challenge/ projectdomain-redirect`;

describe('a route', () => {
  it.each<[string, DesiredRoute, readonly string[]]>([
    [
      'answers challenges at the listener that all share, and grants nothing, before there is a certificate',
      held,
      [challenges('http')],
    ],
    ['is nothing while there is nothing to answer', { ...held, answersChallenges: false }, []],
    [
      'serves at its own listener once the Gateway may read its certificate, and challenges still',
      served,
      [
        challenges('http'),
        'http / RequestRedirect',
        'Gateway of edge may read Secret OWN',
        challenges('OWN'),
        'OWN / shop',
      ],
    ],
    [
      'is attached to the Gateway itself where that has the certificate',
      { ...served, hasCertificate: false, answersChallenges: false },
      ['customers / shop'],
    ],
    [
      'grants each Secret that it may have, the one to show first, so that a change of certificates has no gap',
      { ...served, secretName: 'pd-own-1', otherSecrets: ['pd-own-1', 'pd-own-2'], answersChallenges: false },
      [
        'http / RequestRedirect',
        'Gateway of edge may read Secret pd-own-1',
        'Gateway of edge may read Secret OWN',
        'Gateway of edge may read Secret pd-own-2',
        'OWN / shop',
      ],
    ],
  ])('%s', (_, route, expected) => {
    expect(saidBy(route)).toEqual(expected);
  });

  it('is read back: where it leads to, and by which certificate', () => {
    const read = (route: DesiredRoute) => [routes.backendOf(objectsOf(route)), routes.secretOf(objectsOf(route))];
    expect([read(served), read(held)]).toEqual([
      ['shop', own],
      [undefined, undefined],
    ]);
  });

  it('that serves no more takes back what it granted', () => {
    const before = { objects: objectsOf(served), backend: 'shop', secretName: undefined };
    const writes = applyRoute(routes, held, before).map(({ verb, kind }) => `${verb} ${kind.kind}`);
    expect(writes).toEqual(['remove ReferenceGrant', 'remove HTTPRoute', 'apply HTTPRoute']);
  });

  it('of another class has names of its own, but for the listener', () => {
    const other = createGatewayListenerRoutes({ namespace: 'edge', name: 'customers' }, '.gold');
    const objects = other.manifests(served) as unknown as readonly Said[];
    expect(objects.map(({ metadata }) => readable(metadata.name))).toEqual(['OWN.gold', 'OWN.gold', 'OWN.gold-https']);
    expect(objects.at(-1)?.spec.parentRefs?.[0]?.sectionName).toBe(own);
  });
});

describe('what a Gateway says', () => {
  const edge = 'Gateway edge/customers';
  const look: RouteLook = { hostname: 'www.example.com', now, controllers: { [edge]: 'c' }, silentSince: null };
  const lastTransitionTime = new Date(now - 61_000).toISOString();

  function objectsWith(reason: string | null): readonly KubernetesObject[] {
    return objectsOf(served).map((object) => {
      const metadata = { ...object.metadata, generation: 1 };
      const [parentRef] = object.spec.parentRefs ?? [];
      if (!parentRef) return { ...object, metadata };
      const isFine = reason === null || parentRef.sectionName === 'http';
      const condition = { type: 'Accepted', observedGeneration: 1, lastTransitionTime };
      const conditions = [{ ...condition, ...(isFine ? { status: 'True' } : { status: 'False', reason }) }];
      return { ...object, metadata, status: { parents: [{ parentRef, controllerName: 'c', conditions }] } };
    });
  }

  it.each<[string, reason: string | null, fullEdges: readonly string[], codes: readonly string[]]>([
    ['is nothing where both routes are accepted: nobody answers for a grant', null, [], []],
    ['is that no listener takes it, while its own is not there', 'NoMatchingParent', [], ['NoMatchingListener']],
    ['is that it is full, where none is left', 'NoMatchingParent', [edge], ['GatewayFull']],
    ['is nothing of another Gateway that is full', 'NoMatchingParent', ['Gateway edge/b'], ['NoMatchingListener']],
    ['is of who has a place what it is, full or not', 'NotAllowedByListeners', [edge], ['RouteNotAccepted']],
  ])('%s', (_, reason, fullEdges, codes) => {
    const { findings } = routes.findingsOf(objectsWith(reason), { ...look, fullEdges });
    expect(findings.map(({ code }) => code)).toEqual(codes);
  });
});
