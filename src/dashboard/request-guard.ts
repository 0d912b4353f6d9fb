import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '../use-cases/problem.ts';

/** Binds a session to the browser that opened it, and its forms to our own pages. */

/** With this prefix browsers accept the cookie only if it is Secure, has Path=/ and no Domain (RFC 6265bis). */
const cookieName = '__Host-projectdomain';

export const setCookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;

export const clearCookie = (): string => setCookie('', 0);

/** Anybody may send 64 KiB of cookies, so that nothing is made of each of them. */
const sessionCookie = new RegExp(`(?:^|;)[ \\t]*${cookieName}=([^\\s;=]+)`);

/** The session token from the cookie; null without one. */
export const tokenOf = ({ headers }: IncomingMessage): string | null =>
  sessionCookie.exec(headers.cookie ?? '')?.[1] ?? null;

/**
 * Whether somebody sees the answer: false for what a page's own script asks for, as streams and looks ahead (Fetch Metadata, W3C). Browsers that do
 * not say so are taken to show it.
 */
export const isNavigation = ({ headers }: IncomingMessage): boolean =>
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The CSRF token of a session's forms: a hash of the session token, which pages cannot read. */
export const csrfOf = (token: string): string => digest(`csrf ${token}`);

export const agentOf = ({ headers }: IncomingMessage): string => digest(headers['user-agent'] ?? '');

/**
 * Whether a form was sent by a page of another site, according to the browser's headers. Our own is the public URL, where one is
 * configured; else it is whatever the Host header says, which a proxy may have rewritten.
 */
export function isForeign({ headers }: IncomingMessage, publicUrl: string | null): boolean {
  return !isOwnOrigin(headers, publicUrl) || !isOwnSite(headers);
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string | null): boolean {
  if (origin === undefined) return true;
  const sent = origin.length > maxOrigin ? null : URL.parse(origin);
  if (sent === null) return false;
  return publicUrl === null ? sent.host === host : sent.origin === new URL(publicUrl).origin;
}

function isOwnSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Throws for a form that was sent by a page of another site. */
export function refuseForeign(request: IncomingMessage, publicUrl: string | null): void {
  if (!isForeign(request, publicUrl)) return;
  if (request.headers['sec-fetch-site'] === 'same-origin')
    throw new Problem('cross-site', elsewhere(publicUrl), { members });
  throw new Problem('cross-site', 'this form was sent by a page of another site; open the dashboard and send it there');
}

const members = Object.freeze({ setting: 'api.publicUrl' });

/** An origin has a scheme, a hostname and a port (RFC 6454 section 6.1). */
const maxOrigin = 300;

/** The browser is right, so the platform's configuration is not. */
const elsewhere = (publicUrl: string | null): string =>
  publicUrl === null
    ? 'the dashboard is not told its own address, as a proxy in front of it rewrites the Host header; the platform has to set api.publicUrl'
    : 'the dashboard is at another address; open it there, or the platform has to change api.publicUrl';

/** The origin of our own pages, as the browser has it: a form tells it, and the session's cookie takes HTTPS. */
export const originOf = ({ headers }: IncomingMessage, publicUrl: string | null): string =>
  publicUrl === null ? (headers.origin ?? `https://${headers.host ?? ''}`) : new URL(publicUrl).origin;

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
