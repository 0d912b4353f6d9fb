import { describe, expect, it } from '@jest/globals';
import { domainSummary } from '../../../src/cli/domain-summary.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { drawApiKey } from '../../../src/use-cases/api-keys.ts';
import { domainView } from '../../../src/use-cases/describe-domain.ts';
import { isPastPending } from '../../../src/use-cases/domain-view.ts';
import { changedSpec } from '../../../src/use-cases/domain-spec.ts';
import { isVerificationOver, verificationRequest } from '../../../src/use-cases/verification-request.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What REST, dashboard and command line make alike. */

const domain = (changes: Partial<ProjectDomain> = {}): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: 'www', namespace: 'acme', uid: 'u-1' },
  spec: { project: 'shop', hostname: 'www.example.com' },
  ...changes,
});

describe('a domain is worded alike by REST and the command line', () => {
  const issue = {
    code: 'ForeignAddress',
    message: 'elsewhere',
    record: 'www.example.com. 60 IN A 192.0.2.1',
    fix: 'delete it',
  };
  const status: ProjectDomain['status'] = {
    state: 'Degraded',
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'ForeignAddress',
        message: 'elsewhere',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
    issues: [issue],
    certificate: { name: 'pd-x', notAfter: '2027-01-01T00:00:00Z', attempts: 2 },
  };
  const redirect = { to: 'example.com', status: 308 } as const;

  it.each<[string, ProjectDomain, object]>([
    ['a primary that does not say so', domain(), { role: 'primary', issues: [], certificate: null }],
    ['a redirect', domain({ spec: { ...domain().spec, role: 'Redirect', redirect } }), { role: 'redirect' }],
    [
      'one with a certificate and issues',
      domain({ status }),
      {
        state: 'Degraded',
        reason: 'ForeignAddress',
        issues: [issue],
        certificate: { notAfter: '2027-01-01T00:00:00Z' },
      },
    ],
  ])('%s', (_, given, expected) => {
    const api = createInMemoryApi();
    const asking = api.as(api.account('acme', 'pro'));
    expect(domainView(asking, given)).toMatchObject({ hostname: 'www.example.com', project: 'shop', ...expected });
    expect(domainSummary(given, Date.parse('2026-06-01T00:00:00Z'))).toMatchObject({
      hostname: 'www.example.com',
      project: 'shop',
      ...expected,
    });
  });

  it.each([
    [undefined, false],
    ['Pending', false],
    ['Unverified', true],
    ['Suspended', true],
  ] as const)('%s: accepted by the operator %s', (state, expected) => {
    expect(isPastPending(domain(state === undefined ? {} : { status: { state } }))).toBe(expected);
  });
});

describe('a change of a domain', () => {
  const primary = { project: 'shop', hostname: 'www.example.com' };
  const redirecting = { ...primary, role: 'Redirect', redirect: { to: 'example.com' } } as const;

  it.each([
    ['nothing said of a primary', primary, {}, { ...primary, role: 'Primary' }],
    [
      'nothing said of a redirect: its default is written down',
      redirecting,
      {},
      { ...redirecting, redirect: { to: 'example.com', status: 301 } },
    ],
    ['a redirect becomes a primary', redirecting, { role: 'primary' }, { ...primary, role: 'Primary' }],
    [
      'a primary becomes a redirect to the project’s primary',
      primary,
      { role: 'redirect' },
      { ...primary, role: 'Redirect', redirect: { to: 'shop.example.com', status: 301 } },
    ],
    [
      'null leads a redirect to the project’s primary',
      redirecting,
      { redirect: null },
      { ...redirecting, redirect: { to: 'shop.example.com', status: 301 } },
    ],
    [
      'a status without a destination leads to the project’s primary',
      primary,
      { role: 'redirect', redirect: { status: 308 } },
      { ...primary, role: 'Redirect', redirect: { to: 'shop.example.com', status: 308 } },
    ],
    ['null takes the destination of a primary away', primary, { redirect: null }, { ...primary, role: 'Primary' }],
  ] as const)('%s', (_, before, change, after) => {
    expect(changedSpec(before, change, () => 'shop.example.com')).toEqual(after);
  });

  it.each([
    ['a redirect without a destination, in a project without a primary', redirecting, { redirect: null }],
    ['a primary with one', primary, { redirect: { to: 'example.com', status: 301 } }],
    ['the only primary, which would redirect to nowhere', primary, { role: 'redirect' }],
  ] as const)('refuses %s', (_, before, change) => {
    expect(() => changedSpec(before, change, () => null)).toThrow(
      expect.objectContaining({ code: 'invalid-redirect' }),
    );
  });
});

describe('a check that is asked for', () => {
  const before = domain({ status: { state: 'Unverified' } });
  const request = verificationRequest(before, Date.parse('2026-11-22T10:00:00.123Z'));

  it('has another value than one that was written in the same millisecond', () => {
    const written = domain({});
    const annotations = { 'projectdomain.io/verify-requested-at': request.askedAt };
    const now = Date.parse(request.askedAt);
    const again = verificationRequest({ ...written, metadata: { ...written.metadata, annotations } }, now);
    expect(again.askedAt).toBe('2026-11-22T10:00:00.124Z');
  });

  it('is not led on by a clock that is ahead', () => {
    const written = domain({});
    const annotations = { 'projectdomain.io/verify-requested-at': '2999-01-01T00:00:00Z' };
    const now = Date.parse(request.askedAt);
    const again = verificationRequest({ ...written, metadata: { ...written.metadata, annotations } }, now);
    expect(again.askedAt).toBe(request.askedAt);
  });

  it('names the very object, so that a removed one is not made anew', () => {
    expect(request.intent.metadata).toMatchObject({ name: 'www', namespace: 'acme', uid: 'u-1' });
  });

  it.each([
    ['the operator has answered this request', { check: { verifySeen: '2026-11-22T10:00:00.123Z' } }, true],
    ['it has answered an earlier one', { check: { verifySeen: '2026-11-22T09:00:00.000Z' } }, false],
    ['it has answered none', {}, false],
    ['the state has changed, which a check that began before does, too', { state: 'Verified' }, false],
  ] as const)('%s: it is over %s', (_, status, expected) => {
    expect(isVerificationOver(request, before, domain({ status: { state: 'Unverified', ...status } }))).toBe(expected);
  });
});

describe('an API key that is drawn', () => {
  const request = { account: 'acme', scopes: ['domains:read', 'keys:write', 'domains:read'] } as const;
  const drawn = drawApiKey(() => 1, request);

  it('is kept as an object that holds its hash, each scope once and no more', () => {
    expect(drawn.object.metadata).toEqual({ name: `key-${drawn.keyId}` });
    expect(drawn.object.spec).toEqual({
      account: 'acme',
      keyId: drawn.keyId,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      scopes: ['domains:read', 'keys:write'],
    });
    expect(JSON.stringify(drawn.object)).not.toContain(drawn.key);
  });

  it('expires only if it is wished for', () => {
    const { object } = drawApiKey(() => 1, { ...request, expiresAt: '2027-01-01T00:00:00Z' });
    expect(object.spec.expiresAt).toBe('2027-01-01T00:00:00Z');
  });
});
