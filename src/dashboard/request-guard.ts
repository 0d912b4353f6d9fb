import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../use-cases/problem.ts';

/** Binds a session to the browser that opened it, and its forms to our own pages. */

/** With this prefix browsers accept the cookie only if it is Secure, has Path=/ and no Domain (RFC 6265bis). */
const cookieName = '__Host-projectdomain';

export const setCookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;

export const clearCookie = (): string => setCookie('', 0);

/** The session token from the cookie; null without one. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName && value !== '') return value;
  }
  return null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The CSRF token of a session's forms: a hash of the session token, which pages cannot read. */
export const csrfOf = (token: string): string => digest(`csrf ${token}`);

export const agentOf = ({ headers }: IncomingMessage): string => digest(headers['user-agent'] ?? '');

/** Whether a form was sent by a page of another site, according to the browser's headers. */
export function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const own = origin === undefined || hostOf(origin) === headers.host;
  return !own || (site !== undefined && site !== 'same-origin' && site !== 'none');
}

/** Throws for a form that was sent by a page of another site. */
export function refuseForeign(request: IncomingMessage): void {
  if (!isForeign(request)) return;
  throw new Problem('cross-site', 'this form was sent by a page of another site; open the dashboard and send it there');
}

/** The origin of our own pages, as the browser has it: a form tells it, and the session's cookie takes HTTPS. */
export const originOf = ({ headers }: IncomingMessage): string => headers.origin ?? `https://${headers.host ?? ''}`;

/** An origin has a scheme, a hostname and a port (RFC 6454 section 6.1). */
const maxOrigin = 300;

const hostOf = (origin: string): string | null =>
  origin.length > maxOrigin ? null : (URL.parse(origin)?.host ?? null);

/** Throws unless the form carries the CSRF token of its session. */
export function refuseForged(token: string, csrf: unknown): void {
  const wanted = Buffer.from(csrfOf(token));
  const given = Buffer.from(typeof csrf === 'string' ? csrf : '');
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Problem('cross-site', 'this form does not belong to your session; open the page again and send it there');
}

/** For every response of the dashboard: nothing is loaded from, framed by or sent as a referrer to another origin. */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
