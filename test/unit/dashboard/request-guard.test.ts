import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { csrfOf, refuseForeign, refuseForged, tokenOf, setCookie } from '../../../src/dashboard/request-guard.ts';

/** What keeps a session to its browser and its forms to our own pages. */

const asked = (headers: Record<string, string>) =>
  ({ headers: { host: 'dash.example', ...headers } }) as unknown as IncomingMessage;

describe('a form', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['of our own page', { origin: 'https://dash.example', 'sec-fetch-site': 'same-origin' }, true],
    ['of our own page, of a browser that says nothing of sites', { origin: 'https://dash.example' }, true],
    ['sent by a program', {}, true],
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
    ['of another site, of an old browser', { origin: 'https://evil.example' }, false],
    ['of a neighbour below the same domain', { origin: 'https://dash.example', 'sec-fetch-site': 'same-site' }, false],
    ['of the same host at another port', { origin: 'https://dash.example:8443' }, false],
    ['of a sandboxed frame', { origin: 'null' }, false],
    ['with an origin that is none', { origin: 'dash.example' }, false],
  ])('%s: %j is let in: %s', (_, headers, letIn) => {
    const refuse = () => refuseForeign(asked(headers));
    if (letIn) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(/another site/);
  });

  it('is let in only with the token of its own session', () => {
    expect(() => refuseForged('mine', csrfOf('mine'))).not.toThrow();
    for (const token of [undefined, '', 'x', csrfOf('yours'), [csrfOf('mine')], `${csrfOf('mine')}x`])
      expect(() => refuseForged('mine', token)).toThrow(/does not belong to your session/);
  });
});

describe('the cookie', () => {
  it('is for this host, for the server and for our own pages alone', () => {
    const cookie = setCookie('secret', 60);
    expect(cookie).toBe('__Host-projectdomain=secret; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Strict');
  });

  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['__Host-projectdomain=abc', 'abc'],
    ['a=b; __Host-projectdomain=abc; c=d', 'abc'],
    ['projectdomain=abc', null],
    ['__Host-projectdomain=', null],
    ['x__Host-projectdomain=abc', null],
  ])('in %j carries %j', (cookie, secret) => {
    expect(tokenOf(asked(cookie === undefined ? {} : { cookie }))).toBe(secret);
  });

  it('tells nothing of itself by the token that pages carry', () => {
    expect(csrfOf('secret')).not.toContain('secret');
    expect(csrfOf('secret')).not.toBe(csrfOf('secret2'));
  });
});
