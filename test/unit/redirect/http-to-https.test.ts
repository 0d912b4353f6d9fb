import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { RedirectRequest, RedirectSnapshot } from '../../../src/redirector/redirects/decide-redirect.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { claim, domain, platformClaim } from '../../support/snapshot.ts';

const hostname = 'www.example.com';
const wildcard = '*.example.com';
const at = '2026-01-01T12:00:00Z';
const certificate = { notAfter: at };

const served = (changes: Partial<NonNullable<ProjectDomain['status']>> = {}, of = hostname): ProjectDomain => ({
  ...domain({ spec: { hostname: of }, status: { state: 'Live', certificate, ...changes } }),
  metadata: { name: of === hostname ? 'own' : 'above', namespace: 'acme', uid: of },
});
const held = (name: string, changes: Partial<HostnameClaim['spec']> = {}) =>
  claim({ holder: { namespace: 'acme', name }, ...changes });
const order = (outcome: 'Pending' | 'Issued' | 'Failed') => ({ request: outcome, at, outcome });
const platformWith = (...orders: ReturnType<typeof order>[]) => platformClaim({ orders });
const leaving = <T extends { readonly metadata: object }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: at },
});

interface Scene {
  readonly claim?: HostnameClaim;
  readonly domain?: ProjectDomain;
  readonly wildcardClaim?: HostnameClaim;
  readonly wildcard?: ProjectDomain;
}

interface Asked {
  readonly target?: string;
  readonly scheme?: RedirectRequest['scheme'];
}

function answer(scene: Scene, { target = '/a%2Fb?q=%20', scheme = 'http' }: Asked = {}) {
  const claims = new Map([
    [hostname, scene.claim],
    ['wc--wildcard.example.com', scene.wildcardClaim],
    ['app.example.com', scene.wildcardClaim],
  ]);
  const domains = [scene.domain, scene.wildcard];
  const snapshot: RedirectSnapshot = {
    claimOf: (name) => claims.get(name),
    domain: (namespace, name) =>
      domains.find((one) => one?.metadata.namespace === namespace && one.metadata.name === name),
    project: () => undefined,
    withNonce: () => [],
    recent: () => null,
    wasPrimary: () => false,
    wasServed: () => false,
  };
  return decideRedirect({ host: hostname, target, scheme }, snapshot);
}

const own = { claim: held('own'), domain: served() };
const below = { wildcardClaim: held('above', { wildcard: true }), wildcard: served({}, wildcard) };

/** Fails when a visitor stays on http although the hostname is served over HTTPS, or is sent to a warning because it is not. */
describe('a visitor over http', () => {
  it('is led to the same host, path and query over HTTPS, for five minutes at most', () => {
    expect(answer(own)).toEqual({
      status: 301,
      headers: { location: 'https://www.example.com/a%2Fb?q=%20', 'cache-control': 'max-age=300' },
      body: '',
    });
  });

  const unserved = domain({ status: { state: 'Verified' } });
  it.each<[string, Scene, number]>([
    ['of a hostname that is degraded', { ...own, domain: served({ state: 'Degraded' }) }, 301],
    ['of one whose route is probed anew', { ...own, domain: served({ state: 'Verified' }) }, 301],
    ['of one that nobody added', {}, 404],
    ['of one whose certificate is not there yet', { claim: held(unserved.metadata.name), domain: unserved }, 404],
    ['of one that is suspended', { ...own, domain: served({ state: 'Suspended' }) }, 503],
    ['of one that was removed', { ...own, claim: held('own', { phase: 'Tombstone' }) }, 404],
    ['of one that is being deleted', { ...own, domain: leaving(served()) }, 404],
    ['of one below a wildcard', below, 301],
    [
      'of one below a wildcard, before it has its own certificate',
      { ...below, claim: held(unserved.metadata.name), domain: unserved },
      301,
    ],
    [
      'of one below a wildcard without a certificate',
      { ...below, wildcard: domain({ spec: { hostname: wildcard } }) },
      404,
    ],
    ['of a platform hostname that the edge has a certificate for', { claim: platformClaim() }, 301],
    ['of one that is being deleted with its claim', { claim: leaving(platformClaim()) }, 404],
    ['of a platform hostname whose certificate is awaited', { claim: platformWith(order('Pending')) }, 404],
    ['of one whose certificate was refused', { claim: platformWith(order('Failed')) }, 404],
    ['of one that is renewed', { claim: platformWith(order('Issued'), order('Pending')) }, 301],
  ])('%s', (_, scene, status) => {
    expect(answer(scene).status).toBe(status);
  });

  it('of a redirect that waits for its destination is led to what is served over HTTPS meanwhile', () => {
    const redirecting = domain({ spec: { hostname, role: 'Redirect', redirect: { to: 'example.com' } } });
    const waiting = { ...served(), spec: redirecting.spec };
    expect(answer({ claim: held('own'), domain: waiting })).toMatchObject({ status: 301 });
    expect(answer({ claim: held('own'), domain: waiting }, { scheme: 'https' })).toMatchObject({ status: 503 });
  });

  it.each(['/.well-known/acme-challenge/abc', '/.well-known/projectdomain/abc'])(
    'is an authority or a probe, which is answered there: %s',
    (target) => {
      expect(answer(own, { target }).status).toBe(404);
    },
  );
});

describe('a redirect', () => {
  const redirecting = {
    ...served(),
    spec: { ...served().spec, role: 'Redirect', redirect: { to: 'app.example.com' } },
  } as const;
  const destination = { ...served({}, wildcard), spec: { ...served().spec, hostname: 'app.example.com' } };
  const scene = { claim: held('own'), domain: redirecting, wildcardClaim: held('above'), wildcard: destination };

  it.each([
    ['https', 'max-age=2592000'],
    ['http', undefined],
    [null, undefined],
  ] as const)('over %s leads straight on, with Strict-Transport-Security %s', (scheme, strictly) => {
    const { status, headers } = answer(scene, { scheme });
    expect([status, headers.location]).toEqual([301, 'https://app.example.com/a%2Fb?q=%20']);
    expect(headers['strict-transport-security']).toBe(strictly);
  });
});

it.each(['https', null] as const)('over %s nothing leads to HTTPS: that would be a circle', (scheme) => {
  const { status, headers } = answer(own, { scheme });
  expect([status, headers['strict-transport-security']]).toEqual([404, undefined]);
});
