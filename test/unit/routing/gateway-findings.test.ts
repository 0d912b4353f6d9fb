import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import type { RouteLook } from '../../../src/routing/route-findings.ts';
import type { DesiredRoute } from '../../../src/routing/route-port.ts';
import { domain, now } from '../../support/snapshot.ts';

/** What a Gateway says of a hostname's objects, as our own codes. */

const controller = 'edge.test/controller';
const routes = createGatewayRoutes({ namespace: 'edge', name: 'customers' });
const served: DesiredRoute = {
  namespace: 'acme',
  hostname: 'www.example.com',
  owner: domain(),
  backend: { name: 'shop', port: 80 },
  hasCertificate: true,
};
const edge = 'Gateway edge/customers';
const look: RouteLook = { hostname: 'www.example.com', now, controllers: { [edge]: controller }, silentSince: null };

const secondsAgo = (seconds: number) => new Date(now - seconds * 1_000).toISOString();
const generation = 3;

interface Saying {
  readonly type: string;
  readonly reason?: string;
  readonly status?: string;
  readonly seconds?: number;
  readonly of?: number;
}

const condition = ({ type, reason = 'Said', status = 'False', seconds = 61, of = generation }: Saying) => ({
  type,
  status,
  reason,
  message: 'names listener pd-x of another account',
  observedGeneration: of,
  lastTransitionTime: secondsAgo(seconds),
});
type Conditions = readonly ReturnType<typeof condition>[];

const fine: Conditions = [condition({ type: 'Accepted', status: 'True' })];

interface Said {
  readonly set?: Conditions;
  /** of the listener for HTTPS */
  readonly listener?: Conditions;
  /** of the route over HTTPS; null for one without a status */
  readonly route?: Conditions | null;
  readonly by?: string;
  /** the section of the ListenerSet that is answered for */
  readonly section?: string;
  readonly madeSecondsAgo?: number;
}

/** The objects of a hostname that is served, as the kube-apiserver has them. */
function objectsAfter(
  { set = fine, listener = [], route = fine, by = controller, section = 'https', madeSecondsAgo = 600 }: Said,
  wanted = served,
): readonly KubernetesObject[] {
  return routes.manifests(wanted).map((manifest) => {
    const object = {
      ...manifest,
      metadata: { ...manifest.metadata, generation, creationTimestamp: secondsAgo(madeSecondsAgo) },
    };
    if (manifest.kind === 'ListenerSet')
      return { ...object, status: { conditions: set, listeners: [{ name: 'https', conditions: listener }] } };
    const [parent] = (manifest as unknown as { spec: { parentRefs: readonly { sectionName?: string }[] } }).spec
      .parentRefs;
    if (parent?.sectionName === 'http')
      return { ...object, status: { parents: [{ parentRef: parent, controllerName: by, conditions: fine }] } };
    if (route === null) return object;
    const parentRef = parent?.sectionName === undefined ? parent : { ...parent, sectionName: section };
    return { ...object, status: { parents: [{ parentRef, controllerName: by, conditions: route }] } };
  });
}

const codesOf = (said: Said, over: Partial<RouteLook> = {}): readonly string[] =>
  routes.findingsOf(objectsAfter(said), { ...look, ...over }).findings.map(({ code }) => code);

describe('what a Gateway says of a hostname', () => {
  it.each<[string, Said, readonly string[]]>([
    ['is nothing where everything is accepted', {}, []],
    [
      'is that another listener has it',
      {
        listener: [
          condition({ type: 'Conflicted', status: 'True', reason: 'HostnameConflict' }),
          condition({ type: 'Accepted', reason: 'HostnameConflict' }),
          condition({ type: 'Programmed', reason: 'HostnameConflict' }),
        ],
        set: [condition({ type: 'Accepted', reason: 'ListenersNotValid' })],
      },
      ['HostnameConflicted'],
    ],
    [
      'is the same where only the refusal names the conflict',
      { listener: [condition({ type: 'Accepted', reason: 'ProtocolConflict' })] },
      ['HostnameConflicted'],
    ],
    [
      'is that its certificate is refused, and not what follows from that',
      {
        listener: [
          condition({ type: 'ResolvedRefs', reason: 'InvalidCertificateRef' }),
          condition({ type: 'Programmed', reason: 'Invalid' }),
        ],
      },
      ['CertificateNotAccepted'],
    ],
    [
      'is that a reference is not granted',
      { listener: [condition({ type: 'ResolvedRefs', reason: 'RefNotPermitted' })] },
      ['ReferenceNotGranted'],
    ],
    [
      'is that its Service does not exist',
      { route: [...fine, condition({ type: 'ResolvedRefs', reason: 'BackendNotFound' })] },
      ['BackendNotFound'],
    ],
    [
      'is that the namespace may attach no listeners, and not that the routes find none then',
      {
        set: [
          condition({ type: 'Accepted', reason: 'NotAllowed' }),
          condition({ type: 'Programmed', reason: 'NotAllowed' }),
        ],
        route: [condition({ type: 'Accepted', reason: 'NoMatchingParent' })],
      },
      ['RouteNotAccepted'],
    ],
    [
      'is that the listener takes no routes of the namespace',
      { route: [condition({ type: 'Accepted', reason: 'NotAllowedByListeners' })] },
      ['RouteNotAccepted'],
    ],
    [
      'is that no listener has its hostname',
      { route: [condition({ type: 'Accepted', reason: 'NoMatchingListenerHostname' })] },
      ['NoMatchingListener'],
    ],
    [
      'is that there is no such listener',
      { route: [condition({ type: 'Accepted', reason: 'NoMatchingParent' })] },
      ['NoMatchingListener'],
    ],
    [
      'is that something in the route is not supported',
      { route: [condition({ type: 'Accepted', reason: 'UnsupportedValue' })] },
      ['RouteNotAccepted'],
    ],
    [
      'is that a listener is accepted and not served',
      {
        listener: [
          condition({ type: 'Accepted', status: 'True' }),
          condition({ type: 'Programmed', reason: 'Invalid' }),
        ],
      },
      ['ListenerNotProgrammed'],
    ],
    [
      'is only to be known where another certificate overlaps',
      { listener: [condition({ type: 'OverlappingTLSConfig', status: 'True', reason: 'OverlappingHostnames' })] },
      ['HostnameOverlaps'],
    ],
    [
      'is an error first, and what is only to be known after it',
      {
        listener: [condition({ type: 'OverlappingTLSConfig', status: 'True' })],
        route: [condition({ type: 'Accepted', reason: 'NoMatchingParent' })],
      },
      ['NoMatchingListener', 'HostnameOverlaps'],
    ],
    ['of an older generation does not count', { route: [...fine, condition({ type: 'ResolvedRefs', of: 2 })] }, []],
    [
      'by another controller does not count',
      { route: [condition({ type: 'Accepted', reason: 'NoMatchingParent' })], by: 'other.test/controller' },
      [],
    ],
    [
      'of another section of the ListenerSet does not count either',
      { route: [condition({ type: 'Accepted', reason: 'NoMatchingParent' })], section: 'other' },
      [],
    ],
    ['is nothing yet where it was said a moment ago', { set: [condition({ type: 'Accepted', seconds: 59 })] }, []],
    [
      'that is Unknown was said by nobody',
      { set: [condition({ type: 'Accepted', status: 'Unknown' })], madeSecondsAgo: 59 },
      [],
    ],
    [
      'is nothing at all after a minute: nobody serves it',
      { set: [condition({ type: 'Accepted', status: 'Unknown' })], madeSecondsAgo: 60 },
      ['EdgeSilent'],
    ],
    ['of a route alone may be missing too', { route: null, madeSecondsAgo: 60 }, ['EdgeSilent']],
    [
      'of a route is missed by nobody where its listeners are refused',
      { set: [condition({ type: 'Accepted', reason: 'NotAllowed' })], route: null },
      ['RouteNotAccepted'],
    ],
    [
      'is not waited for in vain while a refusal is new',
      { set: [condition({ type: 'Accepted', reason: 'NotAllowed', seconds: 1 })], route: null },
      [],
    ],
  ])('%s', (_, said, expected) => {
    expect(codesOf(said)).toEqual(expected);
  });

  it.each<[string, Said, RouteLook['controllers']]>([
    ['its Gateway has no class', {}, {}],
    ['only another Gateway has one', {}, { 'Gateway edge/second': controller }],
    ['only another controller says something', { by: 'other.test/controller' }, look.controllers],
    ['only what it was before is answered for', { route: [condition({ type: 'Accepted', of: 2 })] }, look.controllers],
  ])('is after a minute that nobody serves it where %s', (_, said, controllers) => {
    expect(codesOf(said, { controllers, silentSince: now - 59_999 })).toEqual([]);
    expect(codesOf(said, { controllers, silentSince: now - 60_000 })).toEqual(['EdgeSilent']);
  });

  it.each<[string, Said, Partial<RouteLook>, object]>([
    [
      'a new fault is told when it is a minute old',
      { set: [condition({ type: 'Accepted', seconds: 10 })] },
      {},
      { silentSince: null, dueAt: now + 50_000 },
    ],
    [
      'a new object that nobody answers for, a minute after it was made',
      { route: null, madeSecondsAgo: 20 },
      {},
      { silentSince: now - 20_000, dueAt: now + 40_000 },
    ],
    [
      'one that was changed and is not answered for again, a minute after that was seen',
      { route: [condition({ type: 'Accepted', status: 'True', of: 2 })] },
      {},
      { silentSince: now, dueAt: now + 60_000 },
    ],
    [
      'the same later: the time goes on',
      { route: [condition({ type: 'Accepted', status: 'True', of: 2 })] },
      { silentSince: now - 15_000 },
      { silentSince: now - 15_000, dueAt: now + 45_000 },
    ],
    [
      'nothing more is due where nobody is waited for',
      {},
      { silentSince: now - 15_000 },
      { silentSince: null, dueAt: null },
    ],
  ])('%s', (_, said, over, expected) => {
    expect(routes.findingsOf(objectsAfter(said), { ...look, ...over })).toMatchObject({ findings: [], ...expected });
  });
});

describe('the sentences', () => {
  const [conflict] = routes.findingsOf(
    objectsAfter({ listener: [condition({ type: 'Conflicted', status: 'True', reason: 'HostnameConflict' })] }),
    look,
  ).findings;

  it('name the Gateway and its reason, and nothing of the message, which may name what is another customer’s', () => {
    expect(conflict?.params).toMatchObject({
      name: 'www.example.com',
      edge: 'Gateway edge/customers',
      said: 'HostnameConflict',
    });
    expect(JSON.stringify(conflict)).not.toMatch(/pd-x/);
  });

  it.each<[string, DesiredRoute, Conditions, string, string]>([
    [
      'a Service is the customer’s',
      served,
      [condition({ type: 'ResolvedRefs', reason: 'BackendNotFound' })],
      'DeployProject',
      'shop',
    ],
    [
      'but for the redirector’s',
      { ...served, backend: { name: 'projectdomain-redirect', port: 8_080 } },
      [condition({ type: 'ResolvedRefs', reason: 'BackendNotFound' })],
      'WaitForPlatform',
      'projectdomain-redirect',
    ],
    [
      'a certificate is the platform’s',
      served,
      [condition({ type: 'ResolvedRefs', reason: 'InvalidCertificateRef' })],
      'CheckCertificate',
      'shop',
    ],
    [
      'but for one of the customer’s own',
      { ...served, secretName: 'pd-own-1' },
      [condition({ type: 'ResolvedRefs', reason: 'InvalidCertificateRef' })],
      'SendCertificate',
      'shop',
    ],
  ])('say who has to act: %s', (_, wanted, route, act, service) => {
    const [finding] = routes.findingsOf(objectsAfter({ route }, wanted), look).findings;
    expect(finding).toMatchObject({ act, params: { service } });
  });
});

describe('what a cache keeps of the statuses', () => {
  const keep = (objects: readonly KubernetesObject[]) =>
    objects.map(
      (object) =>
        Object.values(routes.kinds)
          .find(({ kind }) => kind.kind === object.kind)
          ?.keep?.(object) ?? object,
    );
  const cases: readonly Said[] = [
    {},
    { set: [condition({ type: 'Accepted', seconds: 10 })] },
    { listener: [condition({ type: 'Conflicted', status: 'True', reason: 'HostnameConflict' })] },
    { route: null, madeSecondsAgo: 61 },
    { route: [condition({ type: 'Accepted', status: 'True', of: 2 })] },
    { route: fine, by: 'other.test/controller', madeSecondsAgo: 61 },
  ];

  it.each(cases.map((said) => [JSON.stringify(said), said] as const))('is enough to find the same: %s', (_, said) => {
    const objects = objectsAfter(said);
    expect(routes.findingsOf(keep(objects), look)).toEqual(routes.findingsOf(objects, look));
  });

  it('is neither messages nor counts, and everything that is applied', () => {
    const set = objectsAfter({}).find(({ kind }) => kind === 'ListenerSet');
    const noisy = {
      ...set,
      status: {
        attachedRoutes: 2,
        conditions: fine,
        listeners: [{ name: 'https', attachedRoutes: 1, supportedKinds: [] }],
      },
    };
    const [kept] = keep([noisy as unknown as KubernetesObject]);
    expect(kept).toStrictEqual({
      ...set,
      status: {
        conditions: [{ type: 'Accepted', status: 'True', observedGeneration: generation }],
        listeners: [{ name: 'https' }],
      },
    });
  });

  it('of an object without a status is all of it', () => {
    const bare = routes.manifests(served) as unknown as readonly KubernetesObject[];
    expect(keep(bare)).toStrictEqual(bare);
  });
});
