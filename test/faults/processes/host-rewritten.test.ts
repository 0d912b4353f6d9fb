import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { askRaw } from '../../browser/raw.ts';
import type { RawAnswer } from '../../browser/raw.ts';
import type { AttackApi } from '../../support/attack-api.ts';
import { startAttackApi } from '../../support/attack-api.ts';
import type { TestProxy } from '../../support/authorize-proxies.ts';
import { startHostRewritingProxy } from '../../support/host-rewriting-proxy.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** The dashboard behind a real proxy that rewrites Host, with and without its public URL. Fails where our own forms are refused as another site's, or another site's are let in. */

const publicUrl = 'https://domains.acme.example';
const agent = 'Mozilla/5.0';

interface Place {
  readonly api: AttackApi;
  readonly proxy: TestProxy;
  readonly key: string;
}

let redis: TestRedis;
const folders: string[] = [];
const places: Place[] = [];

async function place(settings: { readonly publicUrl?: string }): Promise<Place> {
  const api = await startAttackApi({ url: redis.url, passwordFile: null, caFile: null }, settings);
  api.account('acme', { requestsPerMinute: 1_000 });
  const dir = temporaryFolder('host-rewritten');
  folders.push(dir);
  const made = { api, proxy: await startHostRewritingProxy({ to: api.url, dir }), key: api.key('acme').key };
  places.push(made);
  return made;
}

let told: Place;
let untold: Place;

beforeAll(async () => {
  redis = await startRedis();
  [told, untold] = [await place({ publicUrl }), await place({})];
}, 120_000);

afterAll(async () => {
  for (const { api, proxy } of places) {
    await proxy.stop();
    await api.close();
  }
  await redis.stop();
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

interface Sent {
  readonly path?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As a browser sends it that has the page of the public URL open. */
const send = ({ proxy }: Place, { path = '/sign-in', form = {}, headers = {} }: Sent): Promise<RawAnswer> =>
  askRaw(`http://127.0.0.1:${proxy.port}/dashboard${path}`, {
    method: 'POST',
    form,
    headers: {
      host: new URL(publicUrl).host,
      'user-agent': agent,
      origin: publicUrl,
      ...headers,
    },
  });

const ownPage = { 'sec-fetch-site': 'same-origin' } as const;
const signIn = (where: Place, headers: Sent['headers'] = ownPage) => send(where, { form: { key: where.key }, headers });
const cookieOf = ({ headers }: RawAnswer): string => String(headers['set-cookie']).split(';')[0] ?? '';

describe('the dashboard behind a proxy that rewrites Host', () => {
  it('lets people in who have its public URL open, and takes their forms', async () => {
    const entered = await signIn(told);
    expect([entered.status, entered.headers.location]).toEqual([303, expect.stringContaining('/dashboard')]);
    const headers = { host: new URL(publicUrl).host, 'user-agent': agent, cookie: cookieOf(entered) };
    const page = await askRaw(`http://127.0.0.1:${told.proxy.port}/dashboard/keys`, { headers });
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect([page.status, csrf]).toEqual([200, expect.stringMatching(/./)]);
    const out = await send(told, { path: '/sign-out', form: { csrf }, headers: { cookie: headers.cookie } });
    expect(out.status).toBe(303);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another site, as an old browser tells it', { origin: 'https://evil.example' }],
    ['another site that claims the Host', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }],
    ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }],
    ['the address that the proxy asks', { origin: 'http://127.0.0.1' }],
  ])('refuses a form of %s', async (_, headers) => {
    expect((await signIn(told, headers)).status).toBe(403);
  });

  it('without its public URL says which setting is missing', async () => {
    const { status, body } = await signIn(untold);
    expect([status, body.includes('api.publicUrl')]).toEqual([403, true]);
  });
});
