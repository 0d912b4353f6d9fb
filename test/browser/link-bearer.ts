import { pages } from '../../src/dashboard/page-table.ts';
import { apiCalls } from '../../src/server/call-table.ts';
import type { RawCall } from './raw.ts';
import { askRaw } from './raw.ts';

/** What somebody who was sent a hand-over link tries with it, at every address of the dashboard and of the REST API. */
export interface Attempt {
  readonly what: string;
  readonly status: number;
  /** where the answer leads; empty if nowhere */
  readonly location: string;
}

interface Link {
  /** origin of the dashboard and the API */
  readonly url: string;
  readonly path: string;
}

interface Try {
  readonly what: string;
  readonly path: string;
  readonly call: RawCall;
}

const values: Readonly<Record<string, string>> = { project: 'shop', hostname: 'www.pair.com' };

/** A route's address, with the names of what the link is about. */
const filled = (route: string): string =>
  route.replaceAll(/:(\w+)|\{(\w+)\}/g, (_, one?: string, other?: string) => values[one ?? other ?? ''] ?? 'x');

/** Every route of the tables, with the link's secret wherever a secret can be shown, and below the link's own page. */
function triesOf({ path }: Link): readonly Try[] {
  const token = path.split('/').at(-1) ?? '';
  const cookie = `__Host-projectdomain=${token}`;
  return [
    ...pages.flatMap(({ method, path: route }) => [
      {
        what: `${method} ${route} with the token as a session`,
        path: `/dashboard${filled(route)}`,
        call: {
          method: method.toUpperCase(),
          headers: { cookie },
          ...(method === 'post' ? { form: { csrf: token } } : {}),
        },
      },
      { what: `get ${route} below the link`, path: `${path}${filled(route)}`, call: {} },
    ]),
    ...apiCalls.flatMap(({ method, path: route }) => [
      {
        what: `${method} ${route} with the token as a key`,
        path: filled(route),
        call: { method: method.toUpperCase(), headers: { authorization: `Bearer ${token}` } },
      },
    ]),
    { what: 'post to the link itself', path, call: { method: 'POST', form: { days: '1' } } },
    { what: 'the link with more at its end', path: `${path}A`, call: {} },
    { what: 'the link with less at its end', path: path.slice(0, -1), call: {} },
  ];
}

/** Each comes from an address of its own, so that no budget of an address hides what would be answered. */
export async function tryEverything(link: Link): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const [index, { what, path, call }] of triesOf(link).entries()) {
    const from = `127.9.${Math.floor(index / 200)}.${(index % 200) + 1}`;
    const { status, headers } = await askRaw(link.url + path, { ...call, from });
    attempts.push({ what, status, location: String(headers.location ?? '') });
  }
  return attempts;
}

/** 401, 404 or 405; or the way to the sign-in form. */
export const isRefused = ({ status, location }: Attempt): boolean =>
  [401, 403, 404, 405].includes(status) || (status === 303 && location === '/dashboard/sign-in');
