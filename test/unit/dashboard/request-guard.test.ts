import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  csrfOf,
  originOf,
  refuseForeign,
  refuseForged,
  tokenOf,
  setCookie,
} from '../../../src/dashboard/request-guard.ts';

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
    const refuse = () => refuseForeign(asked(headers), null);
    if (letIn) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(/another site/);
  });

  it.each<[string, Record<string, string>, RegExp | null]>([
    ['of our own page', { origin: 'https://dash.public', 'sec-fetch-site': 'same-origin' }, null],
    ['of our own page, with the port that https has', { origin: 'https://dash.public:443' }, null],
    ['sent by a program', {}, null],
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, /another site/],
    ['of the host that the proxy asks', { origin: 'https://dash.example' }, /another site/],
    ['of another scheme', { origin: 'http://dash.public' }, /another site/],
    ['of another port', { origin: 'https://dash.public:8443' }, /another site/],
    ['of a sandboxed frame', { origin: 'null' }, /another site/],
    ['with an origin that is none', { origin: 'dash.public' }, /another site/],
    ['of a neighbour', { origin: 'https://dash.public', 'sec-fetch-site': 'same-site' }, /another site/],
    [
      'that a proxy claims to be of the host it says',
      { origin: 'https://evil.example', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      /another site/,
    ],
    [
      'of a second address',
      { origin: 'https://dash.example', 'sec-fetch-site': 'same-origin' },
      /has to change api\.publicUrl/,
    ],
  ])('%s behind a proxy that rewrites Host, with a public URL: %j', (_, headers, refusal) => {
    const refuse = () => refuseForeign(asked(headers), 'https://dash.public');
    if (refusal === null) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(refusal);
  });

  it('of our own page behind a proxy that rewrites Host says which setting is missing', () => {
    const sent = asked({ origin: 'https://dash.public', 'sec-fetch-site': 'same-origin' });
    expect(() => refuseForeign(sent, null)).toThrow(/has to set api\.publicUrl/);
  });

  it.each<[string, Record<string, string>, string | null, string]>([
    ['is the public URL', { origin: 'https://evil.example' }, 'https://dash.public', 'https://dash.public'],
    ['is what the browser says, without one', { origin: 'https://dash.example' }, null, 'https://dash.example'],
    ['is what the Host header says, without either', {}, null, 'https://dash.example'],
  ])('leads to an address which %s', (_, headers, publicUrl, origin) => {
    expect(originOf(asked(headers), publicUrl)).toBe(origin);
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
