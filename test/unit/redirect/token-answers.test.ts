import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { RedirectSnapshot } from '../../../src/redirector/redirects/decide-redirect.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { tokenPath } from '../../../src/rules/domain-token.ts';
import { claim, domain, project } from '../../support/snapshot.ts';

/** The redirector answers for a published pair of hostname and nonce, and tells nothing else below the path. */

const token = { nonce: 'nonce-of-mine', answer: 'answer-of-mine' };
const published = domain({ status: { state: 'Unverified', check: { token } } });
const redirecting = domain({ spec: { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } } });

/** What the caches hold: domains, and whether the hostname is held. */
interface Scene {
  readonly domains?: readonly ProjectDomain[];
  readonly held?: boolean;
}

const snapshotOf = ({ domains = [], held = false }: Scene): RedirectSnapshot => ({
  claimOf: () => (held ? claim() : undefined),
  domain: () => domains[0],
  project: () => project,
  withNonce: (nonce) => domains.filter(({ status }) => status?.check?.token?.nonce === nonce),
  recent: () => null,
  wasPrimary: () => false,
  wasServed: () => false,
});

const ask = (scene: Scene, target: string, host = 'www.example.com') =>
  decideRedirect({ host, target, scheme: 'http' }, snapshotOf(scene));

const nobodys = ask({}, '/anything');

describe('a request for a token', () => {
  it('gets the answer of the published pair, and nobody may keep it', () => {
    expect(ask({ domains: [published] }, `${tokenPath}${token.nonce}`)).toEqual({
      status: 200,
      headers: { 'cache-control': 'no-store', 'content-type': 'text/plain' },
      body: `${token.answer}\n`,
    });
  });

  it('gets that of the domain whose nonce it is, whoever holds the hostname', () => {
    const other = domain({ status: { check: { token: { nonce: 'other', answer: 'others' } } } });
    expect(ask({ held: true, domains: [other, published] }, `${tokenPath}${token.nonce}`).body).toContain(token.answer);
  });

  it('gets it from a redirecting hostname too', () => {
    const both: ProjectDomain = { ...redirecting, status: { check: { token } } };
    expect(ask({ held: true, domains: [both] }, `${tokenPath}${token.nonce}`).status).toBe(200);
  });

  it.each<[string, Scene, string]>([
    ['of another nonce', { domains: [published] }, 'another'],
    ['of a part of the nonce', { domains: [published] }, token.nonce.slice(0, -1)],
    ['of the nonce and more', { domains: [published] }, `${token.nonce}/x`],
    ['of the nonce with a query', { domains: [published] }, `${token.nonce}?x`],
    ['of no nonce', { domains: [published] }, ''],
    ['of a domain without a published token', { domains: [domain()] }, token.nonce],
    ['of no nonce, of a domain without a published token', { domains: [domain()] }, 'undefined'],
    ['of a redirecting hostname', { held: true, domains: [redirecting] }, token.nonce],
    [
      'of a domain with another hostname',
      { domains: [{ ...published, spec: { ...published.spec, hostname: 'example.org' } }] },
      token.nonce,
    ],
    [
      'of a domain that is being deleted',
      { domains: [{ ...published, metadata: { ...published.metadata, deletionTimestamp: 'now' } }] },
      token.nonce,
    ],
  ])('%s is answered as for a hostname that nobody has added', (_, scene, nonce) => {
    expect(ask(scene, `${tokenPath}${nonce}`)).toEqual(nobodys);
  });
});
