import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { linkTokens, placeOf } from '../../../src/dashboard/links/redis-handover-links.ts';
import { linkSecretBytes } from '../../../src/use-cases/handover-links-port.ts';
import { handoverPath } from '../../../src/rules/handover-path.ts';
import type { MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * Strangers want to see more than the records that they were sent, or to see any at all: by guesses, by writing to
 * Redis, by a link that has ended, and by so many views that its owner cannot work.
 */

const part = attackPart();
let writer: Redis;

beforeAll(() => {
  writer = new Redis(part.redis.url);
});

afterAll(() => writer.disconnect());

interface Owner extends MadeKey {
  readonly account: string;
  readonly hostname: string;
}

function owner(): Owner {
  const account = part.fresh('owner');
  part.api.account(account);
  return { ...part.api.key(account), account, hostname: `www.${account}.example` };
}

const linksOf = ({ hostname }: Owner): string => `/v1/projects/shop/domains/${hostname}/handover-links`;

async function linkOf({ key, ...rest }: Owner): Promise<{ readonly id: string; readonly path: string }> {
  const made = await part.api.rest(key, linksOf({ key, ...rest }), { method: 'POST', json: { days: 1 } });
  expect(made.status).toBe(201);
  return JSON.parse(made.body) as { id: string; path: string };
}

async function usedBy({ key }: Owner): Promise<number> {
  const { body } = await part.api.rest(key, '/v1/account/usage');
  return (JSON.parse(body) as { day: { used: number } }).day.used;
}

const view = (path: string, from = '127.0.0.1') => part.api.rest(null, path, { from });

describe('whoever has a link', () => {
  it('sees the records, and is refused everything else that the address could lead to', async () => {
    const victim = owner();
    const { path } = await linkOf(victim);
    const page = await view(path, '127.0.1.1');
    expect(page.status).toBe(200);
    const shown = page.body.replaceAll('<wbr>', '');
    expect(shown).toContain(victim.hostname);
    expect(shown.replaceAll(victim.hostname, '')).not.toContain(victim.account);
    const token = path.split('/').at(-1) ?? '';
    for (const [status, call] of [
      [401, { headers: { authorization: `Bearer ${token}` } }],
      [401, { headers: { 'x-api-key': token } }],
    ] as const)
      expect((await part.api.rest(null, '/v1/projects', { ...call, from: '127.0.1.2' })).status).toBe(status);
    const browser = part.api.browser('127.0.1.3');
    browser.cookie = `__Host-projectdomain=${token}`;
    expect((await browser.get('/dashboard/projects')).status).toBe(401);
    expect((await browser.post(path, { days: '1' })).status).toBe(405);
    expect((await browser.get(`${path}/links`)).status).toBe(404);
  });

  it('sees nothing any more as soon as it is revoked, or its key is deleted', async () => {
    const victim = owner();
    const [first, second] = [await linkOf(victim), await linkOf(victim)];
    const ended = await part.api.rest(victim.key, `${linksOf(victim)}/${first.id}`, { method: 'DELETE' });
    expect(ended.status).toBe(204);
    expect((await view(first.path, '127.0.2.1')).status).toBe(404);
    expect((await view(second.path, '127.0.2.1')).status).toBe(200);
    const key = part.api.stores.apiKeys.get({ namespace: '', name: victim.name });
    if (key) part.api.stores.apiKeys.drop(key);
    expect((await view(second.path, '127.0.2.1')).status).toBe(404);
  });

  it('cannot use up its owner’s quota, however often the page is opened', async () => {
    const victim = owner();
    const { path } = await linkOf(victim);
    const before = await usedBy(victim);
    const statuses: number[] = [];
    for (let count = 0; count < 90; count += 1) statuses.push((await view(path, `127.0.3.${(count % 3) + 1}`)).status);
    expect(statuses.slice(0, 60).filter((status) => status !== 200)).toEqual([]);
    expect(statuses.slice(-10).filter((status) => status !== 429)).toEqual([]);
    expect(await usedBy(victim)).toBeLessThanOrEqual(before);
  });
});

describe('whoever has none', () => {
  it('guesses without an answer that differs, and runs out of budget', async () => {
    const victim = owner();
    const { path } = await linkOf(victim);
    const { body: none } = await view(handoverPath('none'), '127.0.4.1');
    const uid = part.api.stores.domains.get({ namespace: victim.account, name: victim.hostname })?.metadata.uid ?? '';
    const foreign = linkTokens(Buffer.alloc(32, 9)).make(placeOf(uid), Buffer.alloc(linkSecretBytes, 1)).token;
    for (const guess of [handoverPath(foreign), path.slice(0, -1), `${path}A`, path.toUpperCase()]) {
      const { status, body } = await view(guess, '127.0.4.1');
      expect([guess === path.toUpperCase() || body === none, status]).toEqual([true, 404]);
    }
    let last = 0;
    for (let count = 0; count < 70; count += 1) last = (await view(handoverPath(`x${count}`), '127.0.4.2')).status;
    expect(last).toBe(429);
  });

  it('makes none by writing to Redis, not even with a copy of a real record', async () => {
    const victim = owner();
    await linkOf(victim);
    const uid = part.api.stores.domains.get({ namespace: victim.account, name: victim.hostname })?.metadata.uid ?? '';
    const hash = `pd:links:{${placeOf(uid)}}`;
    const [record = ''] = Object.values(await writer.hgetall(hash));
    const own = linkTokens(Buffer.alloc(32, 7)).make(placeOf(uid), Buffer.alloc(linkSecretBytes, 2));
    const before = part.api.forgeries();
    await writer.hset(hash, own.id, record);
    expect((await view(handoverPath(own.token), '127.0.5.1')).status).toBe(404);
    expect(part.api.forgeries()).toBeGreaterThan(before);
  });

  it('has none made by a key that may only read, or of another account', async () => {
    const victim = owner();
    const reader = part.api.key(victim.account, { scopes: ['domains:read'] });
    const stranger = owner();
    const call = { method: 'POST', json: { days: 30 } };
    expect((await part.api.rest(reader.key, linksOf(victim), call)).status).toBe(403);
    expect((await part.api.rest(stranger.key, linksOf(victim), call)).status).toBe(404);
    expect((await part.api.rest(victim.key, linksOf(victim), { method: 'POST', json: { days: 365 } })).status).toBe(
      400,
    );
  });
});
