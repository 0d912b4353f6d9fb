import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { applyRoute } from '../../../src/routing/route-writes.ts';
import { heldRoute as held, servedRoute as served } from '../../support/desired-routes.ts';

/** What a hostname's route consists of in Gateway API, at each stage of its life. */

const routes = createGatewayRoutes({ namespace: 'edge', name: 'customers' });

const objectsOf = (route: DesiredRoute) => routes.manifests(route) as unknown as readonly KubernetesObject[];

interface Rule {
  readonly matches: readonly { readonly path: { readonly value: string } }[];
  readonly backendRefs?: readonly { readonly name: string }[];
  readonly filters?: readonly { readonly type: string }[];
}

/** What it says, a line for each listener and each rule. */
const saidBy = (route: DesiredRoute): readonly string[] =>
  objectsOf(route).flatMap((object) => {
    const {
      listeners = [],
      parentRefs = [],
      rules = [],
    } = (object as KubernetesObject & { spec: object }).spec as {
      readonly listeners?: readonly {
        readonly name: string;
        readonly tls?: { readonly certificateRefs: readonly { name: string }[] };
      }[];
      readonly parentRefs?: readonly { readonly name: string; readonly sectionName?: string }[];
      readonly rules?: readonly Rule[];
    };
    const secret = (name: string | undefined) =>
      name === undefined ? '' : name === 'pd-own-1' ? ' its own' : ' issued';
    return [
      ...listeners.map(({ name, tls }) => `listener ${name}${secret(tls?.certificateRefs[0]?.name)}`),
      ...rules.map(
        ({ matches, backendRefs, filters }) =>
          `${parentRefs[0]?.sectionName ?? parentRefs[0]?.name} ${matches[0]?.path.value} ${backendRefs?.[0]?.name ?? filters?.[0]?.type}`,
      ),
    ];
  });

const challenges = (listener: string) => `${listener} /.well-known/acme-challenge/ projectdomain-redirect`;

describe('a route', () => {
  it.each<[string, DesiredRoute, readonly string[]]>([
    [
      'answers challenges over HTTP, and nothing else, before there is a certificate',
      held,
      [challenges('http'), 'listener http'],
    ],
    [
      'has no rules while there is nothing to answer, as an empty one would answer with errors',
      { ...held, answersChallenges: false },
      ['listener http'],
    ],
    [
      'serves over HTTPS alone once there is a certificate, and challenges still',
      served,
      [
        challenges('http'),
        'http / RequestRedirect',
        challenges('https'),
        'https / shop',
        'listener http',
        'listener https issued',
      ],
    ],
    [
      'is attached to the Gateway itself where that has the certificate',
      { ...served, hasCertificate: false, answersChallenges: false },
      ['customers / shop'],
    ],
    [
      'shows the certificate that it is told to',
      { ...served, secretName: 'pd-own-1', answersChallenges: false },
      ['http / RequestRedirect', 'https / shop', 'listener http', 'listener https its own'],
    ],
  ])('%s', (_, route, expected) => {
    expect(saidBy(route)).toEqual(expected);
  });

  it('is read back: where it leads to, and by which certificate', () => {
    expect([routes.backendOf(objectsOf(served)), routes.secretOf(objectsOf(served))]).toEqual([
      'shop',
      expect.stringMatching(/^pd-/),
    ]);
    expect([routes.backendOf(objectsOf(held)), routes.secretOf(objectsOf(held))]).toEqual([undefined, undefined]);
  });

  it('that serves no more loses what it had for that, and nothing else', () => {
    const before = { objects: objectsOf(served), backend: 'shop', secretName: undefined };
    const writes = applyRoute(routes, held, before).map(({ verb, kind, ...write }) => {
      const name = 'key' in write ? write.key.name : write.object.metadata.name;
      return `${verb} ${kind.kind}${name.endsWith('-https') ? ' over HTTPS' : ''}`;
    });
    expect(writes).toEqual(['remove HTTPRoute over HTTPS', 'apply HTTPRoute', 'apply ListenerSet']);
  });
});

describe('a wildcard', () => {
  const withWildcards = createGatewayRoutes({ namespace: 'edge', name: 'customers' }, '', true);
  const wildcard = { ...served, hostname: '*.example.com', answersChallenges: false };
  const rulesOf = (route: DesiredRoute) =>
    (withWildcards.manifests(route) as unknown as readonly { kind: string; spec: { rules?: readonly HostRule[] } }[])
      .filter(({ kind }) => kind === 'HTTPRoute')
      .flatMap(({ spec }) => spec.rules ?? []);

  interface HostRule {
    readonly matches: readonly { readonly headers?: readonly { readonly name: string; readonly value: string }[] }[];
  }

  it('is served where the implementation is said, and nowhere else', () => {
    expect([withWildcards.servesWildcards, routes.servesWildcards]).toEqual([true, false]);
  });

  it.each([
    ['www.example.com', true],
    ['WWW.Example.COM', true],
    ['www.example.com:8443', true],
    ['a.www.example.com', false],
    ['example.com', false],
    ['.example.com', false],
    ['wwwXexampleXcom', false],
    ['www.example.com.example.org', false],
  ])('answers at %s: %s, by every rule', (host, isAnswered) => {
    const expressions = rulesOf(wildcard).flatMap(({ matches }) => matches.map(({ headers }) => headers?.[0]));
    expect(expressions.map((one) => one?.name)).toEqual(['Host', 'Host', 'Host', 'Host']);
    const answers = expressions.map((one) => new RegExp(`^(?:${one?.value.replace('(?i)', '')})$`, 'i').test(host));
    expect(new Set(answers)).toEqual(new Set([isAnswered]));
  });

  it('answers tokens, as its listeners take requests to hostnames below it that have no route yet', () => {
    expect(saidBy(wildcard)).toEqual([
      'http /.well-known/projectdomain/ projectdomain-redirect',
      'http / RequestRedirect',
      'https /.well-known/projectdomain/ projectdomain-redirect',
      'https / shop',
      'listener http',
      'listener https issued',
    ]);
  });

  it('leads suspended hostnames to the redirector at its own listeners, by a route for each that names them', () => {
    const suspendedBelow = ['a.example.com', 'b.example.com'];
    expect(withWildcards.suspensions({ ...wildcard, suspendedBelow })).toMatchObject(
      ['http', 'https'].map((sectionName) => ({
        kind: 'HTTPRoute',
        metadata: { name: `${childName('*.example.com')}${sectionName === 'https' ? '-https' : ''}-suspended` },
        spec: {
          hostnames: suspendedBelow,
          parentRefs: [{ kind: 'ListenerSet', name: childName('*.example.com'), sectionName }],
          rules: [{ backendRefs: [{ name: 'projectdomain-redirect' }] }],
        },
      })),
    );
    expect(withWildcards.suspensions(wildcard)).toEqual([]);
    expect(routes.suspensions({ ...wildcard, suspendedBelow })).toEqual([]);
  });

  it('leads where it led, whatever is suspended', () => {
    const all = { ...wildcard, suspendedBelow: ['a.example.com'] };
    const objects = [...withWildcards.suspensions(all), ...withWildcards.manifests(all)];
    expect(withWildcards.backendOf(objects as never)).toBe('shop');
  });

  it('alone compares Host', () => {
    expect(rulesOf(served).flatMap(({ matches }) => matches.flatMap(({ headers = [] }) => headers))).toEqual([]);
  });

  it('serves a hostname below it until that has a certificate, so http leads to https meanwhile', () => {
    expect(saidBy({ ...held, isServedByWildcard: true })).toEqual([
      challenges('http'),
      'http / RequestRedirect',
      'listener http',
    ]);
  });

  it('does not serve one that is suspended without a certificate: the redirector answers at its listener', () => {
    const suspended = { ...held, answersChallenges: false, backend: { name: 'projectdomain-redirect', port: 8080 } };
    const objects = withWildcards.manifests(suspended) as unknown as readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly hostnames?: readonly string[]; readonly parentRefs?: readonly { name: string }[] };
    }[];
    expect(objects.find(({ metadata }) => metadata.name.endsWith('-https'))).toMatchObject({
      metadata: { name: `${childName('www.example.com')}-https` },
      spec: {
        hostnames: ['www.example.com'],
        parentRefs: [{ kind: 'ListenerSet', name: childName('*.example.com'), sectionName: 'https' }],
        rules: [{ backendRefs: [{ name: 'projectdomain-redirect' }] }],
      },
    });
  });
});
