import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../use-cases/problem.ts';

/** What keeps a session to the browser that opened it, and its forms to our own pages. */

/** The prefix makes browsers refuse it unless it is Secure, for the whole host and for no other (RFC 6265bis). */
const cookieName = '__Host-projectdomain';

export const setCookie = (token: string, seconds: number): string =>
  `${cookieName}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;

export const clearCookie = (): string => setCookie('', 0);

/** The session's token as the cookie carries it; null without one. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName && value !== '') return value;
  }
  return null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What forms of a session carry: made from its token, which no page can read, and telling nothing of it. */
export const csrfOf = (token: string): string => digest(`csrf ${token}`);

export const agentOf = ({ headers }: IncomingMessage): string => digest(headers['user-agent'] ?? '');

/** Browsers say where a form comes from: whether it is one of another site's pages. */
export function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const own = origin === undefined || hostOf(origin) === headers.host;
  return !own || (site !== undefined && site !== 'same-origin' && site !== 'none');
}

/** Throws for a form of another site's pages. */
export function refuseForeign(request: IncomingMessage): void {
  if (!isForeign(request)) return;
  throw new Problem('cross-site', 'this form was sent by a page of another site; open the dashboard and send it there');
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

/** Throws unless the form carries what was made for its session. */
export function refuseForged(token: string, csrf: unknown): void {
  const wanted = Buffer.from(csrfOf(token));
  const given = Buffer.from(typeof csrf === 'string' ? csrf : '');
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Problem('cross-site', 'this form does not belong to your session; open the page again and send it there');
}

/** For every answer of the dashboard: nothing from elsewhere is loaded, framed or told where it came from. */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
