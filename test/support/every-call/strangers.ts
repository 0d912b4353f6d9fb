import { victim } from '../redirector.ts';
import type { Act } from './every-call.ts';
import { textOf } from './made-inputs.ts';
import type { Random } from './random.ts';
import type { Sent } from './send.ts';
import { send } from './send.ts';

interface Places {
  readonly port: number;
  readonly redirectorPort: number;
  readonly linkToken: string;
}

type Make = (random: Random, isFit: boolean) => Omit<Sent, 'port'>;

/** A head has 64 KiB at most; a header that is read for itself gets most of it. */
const longHeader = 30_000;
const header = (random: Random): string => encodeURIComponent(textOf(random, random(longHeader / 9)));
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** What nobody needs a key for. */
const ofApi: Readonly<Record<string, (places: Places) => Make>> = {
  'a path that is not there': () => (random) => ({
    method: 'GET',
    path: `/v1/${encodeURIComponent(textOf(random, 500))}${'/a'.repeat(random(2_000))}`,
    headers: { 'accept-language': 'x,'.repeat(random(longHeader / 2)), cookie: 'a=b; '.repeat(random(longHeader / 5)) },
  }),
  'a key that is none': () => (random) => ({
    method: 'GET',
    path: `/v1/account?${'a=1&'.repeat(random(2_000))}`,
    headers: { authorization: `Bearer ${header(random)}`, 'x-api-key': header(random) },
  }),
  'the OpenAPI document': () => (random) => ({
    method: 'GET',
    path: '/v1/openapi.json',
    headers: { 'if-none-match': '"x", '.repeat(random(longHeader / 10)), accept: 'a/b;q=0.1,'.repeat(random(2_000)) },
  }),
  'a page for signing in': () => (random) => ({
    method: 'GET',
    path: `/dashboard/sign-in?next=${encodeURIComponent(textOf(random, 500))}`,
    headers: { 'accept-language': 'de;q=0.1,'.repeat(random(3_000)) },
  }),
  'signing in with a key that is none': () => (random) => ({
    method: 'POST',
    path: '/dashboard/sign-in',
    headers: form,
    body: `key=${encodeURIComponent(textOf(random, 1_500))}`,
  }),
  'a hand-over page':
    ({ linkToken }) =>
    (random, isFit) => ({
      method: 'GET',
      path: `/dashboard/records/${isFit ? linkToken : encodeURIComponent(textOf(random, 400))}`,
      headers: {},
    }),
};

const redirect: Make = (random, isFit) => ({
  method: isFit ? 'GET' : 'POST',
  path: `/${isFit ? '%41'.repeat(random(4_000)) : encodeURIComponent(textOf(random, 900))}?${'a=%20&'.repeat(random(2_000))}`,
  headers: {
    host: isFit ? victim : `${'a.'.repeat(random(2_000))}example`,
    'x-forwarded-for': '1,'.repeat(random(1_000)),
  },
});

/** Requests of whoever has no key, to the API server and to the redirector. */
export function requestsOfStrangers(places: Places, random: () => Random): readonly Act[] {
  const actOf = (name: string, port: number, make: Make): Act => {
    const numbers = random();
    let made = 0;
    const act = () => send({ port, ...make(numbers, (made += 1) % 2 === 1) });
    return { name, kind: 'request', restore: () => Promise.resolve(), act };
  };
  return [
    ...Object.entries(ofApi).map(([name, make]) => actOf(name, places.port, make(places))),
    actOf('a redirect', places.redirectorPort, redirect),
  ];
}
