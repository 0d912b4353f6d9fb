import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { Redirect, RedirectSnapshot } from '../../../src/redirector/redirects/decide-redirect.ts';
import { decideRedirect, hostnameOf, pathOf } from '../../../src/redirector/redirects/decide-redirect.ts';
import { createRecentRedirects } from '../../../src/redirector/redirects/recent-redirects.ts';
import { claim, domain, platformClaim, project } from '../../support/snapshot.ts';

const apex = (changes: Partial<ProjectDomain> = {}): ProjectDomain => ({
  ...domain({ spec: { hostname: 'example.com', role: 'Redirect', redirect: { to: 'www.example.com' } } }),
  ...changes,
});
/** It was a redirect until now. */
const primaryApex = domain({ spec: { hostname: 'example.com' } });
const apexClaim = (changes: Partial<HostnameClaim['spec']> = {}) => ({
  ...claim(changes),
  metadata: { name: 'example.com' },
});

const inState = (
  state: 'Live' | 'Degraded' | 'Verified' | 'Unverified' | 'Suspended',
  spec: Partial<ProjectDomain['spec']> = {},
): ProjectDomain => ({
  ...domain({ spec, status: { state } }),
  metadata: { name: 'primary', namespace: 'acme', uid: 'u-primary' },
});

const suspended = (one: HostnameClaim | ReturnType<typeof apexClaim>) => ({
  ...one,
  metadata: { ...one.metadata, annotations: { 'projectdomain.io/suspend': 'abuse' } },
});

/** The destination became a redirect to where the visitor is. */
const tradingPlaces = (state: 'Live' | 'Suspended') =>
  inState(state, { role: 'Redirect', redirect: { to: 'example.com' } });

const leaving = <T extends { readonly metadata: object }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

const servedAs = { role: 'Redirect', redirect: { to: 'www.example.com', status: 301 } } as const;
const expectedOf = (status: number) => [status, status === 301 ? 'https://www.example.com/a?b' : undefined, 'no-store'];

interface Scene {
  readonly claim?: HostnameClaim | undefined;
  readonly domains?: readonly ProjectDomain[];
  readonly destination?: ProjectDomain;
  readonly destinationClaim?: HostnameClaim | undefined;
  readonly platform?: HostnameClaim | undefined;
  /** of *.example.com */
  readonly wildcard?: HostnameClaim;
  readonly former?: Redirect;
  /** the destination was a primary until recently */
  readonly wasPrimary?: boolean;
  /** the destination was served until recently */
  readonly wasServed?: boolean;
  readonly project?: ReturnType<RedirectSnapshot['project']>;
}

function answer(scene: Scene = {}, target = '/a?b', host: string | null = 'example.com') {
  const destination = scene.destination ?? inState('Live');
  const { namespace = '', name } = destination.metadata;
  const claims = new Map([
    ['shop.apps.example.net', 'platform' in scene ? scene.platform : platformClaim()],
    ['wc--wildcard.example.com', scene.wildcard],
    ['example.com', 'claim' in scene ? scene.claim : apexClaim()],
    ['www.example.com', 'destinationClaim' in scene ? scene.destinationClaim : claim({ holder: { namespace, name } })],
  ]);
  const cached = [...(scene.domains ?? [apex()]), destination];
  const snapshot: RedirectSnapshot = {
    claimOf: (hostname) => claims.get(hostname),
    domain: (inNamespace, named) =>
      cached.find(({ metadata }) => metadata.namespace === inNamespace && metadata.name === named),
    project: () => scene.project ?? project,
    withNonce: () => [],
    recent: () => scene.former ?? null,
    wasPrimary: ({ metadata }) => scene.wasPrimary === true && metadata.name === 'primary',
    wasServed: ({ metadata }) => scene.wasServed === true && metadata.name === 'primary',
  };
  return decideRedirect({ host, target, scheme: null }, snapshot);
}

describe('a redirect', () => {
  it.each([301, 302, 307, 308] as const)('answers %i with path and query as they came', (status) => {
    const redirect = { to: 'www.example.com', status };
    const domains = [apex({ spec: { ...apex().spec, redirect } })];
    expect(answer({ domains }, '/a%2Fb?q=%20')).toMatchObject({
      status,
      headers: { location: 'https://www.example.com/a%2Fb?q=%20', 'cache-control': 'max-age=300' },
    });
  });

  it.each<[string, Scene, number]>([
    ['stops while it is suspended', { domains: [apex({ status: { state: 'Suspended' } })] }, 503],
    [
      'of a hostname that serves the project is none, which answers 503 while that is suspended',
      { domains: [{ ...primaryApex, status: { state: 'Suspended' } }] },
      503,
    ],
    ['stops once an administrator suspends it, whatever its status says', { claim: suspended(apexClaim()) }, 503],
    [
      'of a hostname that was suspended and given up answers so, where a wildcard leads here because of that',
      { claim: suspended(apexClaim({ phase: 'Tombstone' })) },
      503,
    ],
    [
      'stops for a destination that an administrator suspends, whatever its status says',
      { destinationClaim: suspended(claim({ holder: { namespace: 'acme', name: 'primary' } })) },
      503,
    ],
    [
      'stops for a destination that is suspended with a wildcard',
      { wildcard: suspended(claim({ wildcard: true })) },
      503,
    ],
    ['goes on beside a wildcard that is served', { wildcard: claim({ wildcard: true }) }, 301],
    ['stops with its claim', { claim: undefined }, 404],
    ['stops when the claim is a tombstone', { claim: apexClaim({ phase: 'Tombstone' }) }, 404],
    ['stops while the name moves to another account', { claim: apexClaim({ phase: 'Releasing' }) }, 404],
    [
      'is nobody’s who does not hold the claim',
      { claim: apexClaim({ holder: { namespace: 'rival', name: 'www' } }) },
      404,
    ],
    [
      'stops when it is being deleted',
      { domains: [apex({ metadata: { ...apex().metadata, deletionTimestamp: 'now' } })] },
      404,
    ],
    ['stops with its claim, whatever keeps the object', { claim: leaving(apexClaim()) }, 404],
    ['stops with its project, whatever keeps the object', { project: leaving(project) }, 404],
    ['waits for a destination that is being deleted', { destination: leaving(inState('Live')) }, 503],
    [
      'waits for a destination whose claim is being deleted',
      { destinationClaim: leaving(claim({ holder: { namespace: 'acme', name: 'primary' } })) },
      503,
    ],
    [
      'goes on to a destination that was served a moment ago',
      { destination: inState('Verified'), wasServed: true },
      301,
    ],
    [
      'waits for one that was served a moment ago and is being deleted',
      { destination: leaving(inState('Verified')), wasServed: true },
      503,
    ],
    ['waits for a destination that is not verified', { destination: inState('Unverified') }, 503],
    ['waits for a destination that is suspended', { destination: inState('Suspended') }, 503],
    ['goes on to a destination that is degraded', { destination: inState('Degraded') }, 301],
    ['waits for a destination that nobody holds', { destinationClaim: undefined }, 503],
    ['waits for a destination that somebody else holds', { destinationClaim: claim() }, 503],
    [
      'waits for a destination whose claim is on its way to another account',
      { destinationClaim: claim({ holder: { namespace: 'acme', name: 'primary' }, phase: 'Releasing' }) },
      503,
    ],
    [
      'never leads to another redirect',
      { destination: inState('Live', { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } }) },
      503,
    ],
    [
      'never leads to another redirect, not even one that was a primary until now',
      {
        destination: inState('Live', { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } }),
        wasPrimary: true,
      },
      503,
    ],
    ['never leads to one that has long redirected back', { destination: tradingPlaces('Live') }, 503],
    [
      'goes on while its destination changes places with it',
      { destination: tradingPlaces('Live'), wasPrimary: true },
      301,
    ],
    [
      'stops for a destination that changes places with it but is suspended',
      { destination: tradingPlaces('Suspended'), wasPrimary: true },
      503,
    ],
    ['waits for a destination of another project', { destination: inState('Live', { project: 'blog' }) }, 503],
    [
      'waits for a destination of another account',
      { destination: { ...inState('Live'), metadata: { name: 'primary', namespace: 'rival', uid: 'u-rival' } } },
      503,
    ],
    [
      'waits for a destination whose holder has another hostname',
      { destination: inState('Live', { hostname: 'shop.example.com' }) },
      503,
    ],
    [
      'stops when its holder has another hostname',
      { domains: [apex({ spec: { ...apex().spec, hostname: 'example.org' } })] },
      404,
    ],
    ['is none for a primary', { domains: [primaryApex] }, 404],
    [
      'goes on for a moment where the hostname has just become a primary',
      { domains: [primaryApex], former: { to: 'old.example.com' } },
      301,
    ],
    [
      'is not remembered once its claim is lost',
      { claim: undefined, domains: [primaryApex], former: { to: 'old.example.com' } },
      404,
    ],
  ])('%s', (_, scene, status) => {
    expect(answer(scene).status).toBe(status);
  });

  it('that waits asks to come back in five seconds and is not cached', () => {
    const { headers, body } = answer({ destination: inState('Unverified') });
    expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store', 'content-type': 'text/plain' });
    expect(headers).not.toHaveProperty('location');
    expect(body).not.toBe('');
  });

  it('is not cached while its destination changes places with it', () => {
    expect(answer({ destination: tradingPlaces('Live'), wasPrimary: true }).headers).toEqual({
      location: 'https://www.example.com/a?b',
      'cache-control': 'no-store',
    });
  });

  it('that is only remembered leads where it led and is not cached', () => {
    const former = { to: 'old.example.com', status: 308 } as const;
    expect(answer({ domains: [primaryApex], former })).toMatchObject({
      status: 308,
      headers: { location: 'https://old.example.com/a?b', 'cache-control': 'no-store' },
    });
  });

  it.each<[string, NonNullable<ProjectDomain['status']>, ReturnType<typeof expectedOf>]>([
    ['Live', { state: 'Live', servedAs }, expectedOf(301)],
    ['Degraded, as for seven days', { state: 'Degraded', servedAs }, expectedOf(301)],
    ['Suspended', { state: 'Suspended', servedAs }, expectedOf(503)],
    ['accepted as a primary, too', { state: 'Live', servedAs: { role: 'Primary' } }, expectedOf(404)],
  ])(
    'leads on, uncached, while its domain asks to be a primary and is not accepted, if that is %s',
    (_, status, expected) => {
      const { status: code, headers } = answer({ domains: [{ ...primaryApex, status }] });
      expect([code, headers.location, headers['cache-control']]).toEqual(expected);
    },
  );

  it('of a request without one host is refused', () => {
    expect(answer({}, '/', null).status).toBe(400);
  });

  it.each<[string, HostnameClaim | undefined, number]>([
    ['is followed while the project holds that', platformClaim(), 301],
    ['waits while nobody has claimed that: the status alone proves nothing', undefined, 503],
    ['waits where another account has that', platformClaim({ holder: { namespace: 'rival', name: 'shop' } }), 503],
    ['waits where another project has that', platformClaim({ holder: { namespace: 'acme', name: 'blog' } }), 503],
    ['waits once that was given up', platformClaim({ phase: 'Tombstone' }), 503],
    ['waits while that is suspended', suspended(platformClaim()), 503],
  ])('to the platform hostname %s', (_title, platform, status) => {
    const domains = [apex({ spec: { ...apex().spec, redirect: { to: 'shop.apps.example.net' } } })];
    expect(answer({ domains, platform, destination: inState('Unverified') }).status).toBe(status);
  });

  it('never swallows a challenge of the certificate authority', () => {
    expect(answer({}, '/.well-known/acme-challenge/x').status).toBe(404);
    expect(answer({}, 'http://example.com/.well-known/acme-challenge/x').status).toBe(404);
    expect(answer({}, '/.well-known/other').status).toBe(301);
  });

  it.each<[string, string | null]>([
    ['/a', '/a'],
    ['http://example.com/a?b', '/a?b'],
    ['HTTPS://example.com', '/'],
    ['/caf\u00e9?\u00ff', '/caf\u00e9?\u00ff'],
    ['http://example.com//x/../y?', '//x/../y?'],
    ['http:///a', null],
    ['a/b', null],
    ['\\a', null],
    ['http://example.com?b', '/?b'],
    ['*', null],
    ['example.com:443', null],
    ['', null],
    ['ftp://example.com/', null],
  ])('of the target %s goes on with %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
    if (path === null) expect(answer({}, target).status).toBe(400);
  });

  it.each<[string, string | null]>([
    ['Example.COM', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com.', 'example.com'],
    ['user@example.com', null],
    ['[::1]', null],
    ['', null],
  ])('knows the host %s as %s', (authority, host) => {
    expect(hostnameOf(authority)).toBe(host);
  });
});

describe('a hostname that became a primary', () => {
  it('keeps its redirect for a minute, unless it is deleted', () => {
    let now = 0;
    const former = createRecentRedirects(() => now);
    const primary = { ...domain(), metadata: apex().metadata };
    former.learn({ type: 'modified', object: primary, previous: apex() });
    expect(former.of(primary)).toEqual({ to: 'www.example.com' });
    now = 60_000;
    expect(former.of(primary)).toBeNull();
    former.learn({ type: 'modified', object: primary, previous: apex() });
    former.learn({ type: 'deleted', object: primary, previous: undefined });
    expect(former.of(primary)).toBeNull();
  });

  it('keeps it through what else changes, and forgets it on becoming a redirect again', () => {
    const former = createRecentRedirects(() => 0);
    const primary = { ...domain(), metadata: apex().metadata };
    former.learn({ type: 'modified', object: primary, previous: apex() });
    former.learn({ type: 'modified', object: primary, previous: primary });
    expect(former.of(primary)).toEqual({ to: 'www.example.com' });
    former.learn({ type: 'modified', object: apex(), previous: primary });
    expect(former.of(primary)).toBeNull();
  });
});

describe('a hostname that became a redirect', () => {
  it('is known as a former primary for a minute, unless it becomes one again or is deleted', () => {
    let now = 0;
    const recent = createRecentRedirects(() => now);
    const primary = { ...domain(), metadata: apex().metadata };
    recent.learn({ type: 'modified', object: apex(), previous: primary });
    recent.learn({ type: 'modified', object: apex(), previous: apex() });
    expect(recent.wasPrimary(apex())).toBe(true);
    now = 60_000;
    expect(recent.wasPrimary(apex())).toBe(false);
    recent.learn({ type: 'modified', object: apex(), previous: primary });
    recent.learn({ type: 'modified', object: primary, previous: apex() });
    expect(recent.wasPrimary(primary)).toBe(false);
    recent.learn({ type: 'modified', object: apex(), previous: primary });
    recent.learn({ type: 'deleted', object: apex(), previous: apex() });
    expect(recent.wasPrimary(apex())).toBe(false);
  });

  it('is not, where it never was a primary', () => {
    const recent = createRecentRedirects(() => 0);
    recent.learn({ type: 'added', object: apex(), previous: undefined });
    expect(recent.wasPrimary(apex())).toBe(false);
  });
});

describe('a destination that is served no more', () => {
  const after = (state: Parameters<typeof inState>[0]) => {
    let now = 0;
    const recent = createRecentRedirects(() => now);
    recent.learn({ type: 'modified', object: inState(state), previous: inState('Live') });
    return { recent, pass: (ms: number) => (now += ms) };
  };

  it('counts as served for ten minutes, as what ended its state may be over by then', () => {
    const { recent, pass } = after('Verified');
    pass(599_999);
    expect(recent.wasServed(inState('Verified'))).toBe(true);
    pass(1);
    expect(recent.wasServed(inState('Verified'))).toBe(false);
  });

  it('does not where it was withdrawn, at once or later, or is gone', () => {
    expect(after('Suspended').recent.wasServed(inState('Suspended'))).toBe(false);
    const { recent } = after('Verified');
    recent.learn({ type: 'modified', object: inState('Suspended'), previous: inState('Verified') });
    expect(recent.wasServed(inState('Suspended'))).toBe(false);
    const gone = after('Verified').recent;
    gone.learn({ type: 'deleted', object: inState('Verified'), previous: undefined });
    expect(gone.wasServed(inState('Verified'))).toBe(false);
  });

  it('does not where it never was served', () => {
    const recent = createRecentRedirects(() => 0);
    recent.learn({ type: 'modified', object: inState('Verified'), previous: inState('Unverified') });
    expect(recent.wasServed(inState('Verified'))).toBe(false);
  });
});
