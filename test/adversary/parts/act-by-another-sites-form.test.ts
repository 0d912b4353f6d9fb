import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A page of another site sends forms in a visitor's name, signs him in as somebody else, or leads him elsewhere. Forms
 * carry what only our pages know, browsers say where they come from, and no address of ours leads anywhere but to us.
 */

const part = attackPart();
let key: MadeKey;
let browser: Browser;

beforeAll(async () => {
  part.api.account('acme', { requestsPerMinute: 1_000 });
  key = part.api.key('acme');
  browser = part.api.browser();
  await browser.signIn(key.key);
});

const keysOf = () => part.api.stores.apiKeys.byIndex('account', 'acme').length;

const sent = (path: string, form: Record<string, string>, headers: Record<string, string>) =>
  part.api.rest(null, path, {
    method: 'POST',
    form,
    headers: { cookie: browser.cookie, 'user-agent': browser.agent, ...headers },
  });

const origin = 'https://evil.example';
const ways: readonly [string, () => [Record<string, string>, Record<string, string>]][] = [
  ['without a token', () => [{}, {}]],
  ['with a token that is made up', () => [{ csrf: 'A'.repeat(43) }, {}]],
  ['from a foreign origin', () => [{ csrf: browser.csrf }, { origin }]],
  ['from an origin that is hidden', () => [{ csrf: browser.csrf }, { origin: 'null' }]],
  ['from another site, as the browser says', () => [{ csrf: browser.csrf }, { 'sec-fetch-site': 'cross-site' }]],
  ['from a sister host, as the browser says', () => [{ csrf: browser.csrf }, { 'sec-fetch-site': 'same-site' }]],
];

describe('a form sent by another site', () => {
  it.each(ways)('%s makes no key', async (_, way) => {
    const before = keysOf();
    const [form, headers] = way();
    const { status } = await sent('/dashboard/keys', { scopes: 'domains:read', expiresAt: '', ...form }, headers);
    expect(status).toBe(403);
    expect(keysOf()).toBe(before);
  });

  it.each(ways)('%s signs nobody out', async (_, way) => {
    const [form, headers] = way();
    expect((await sent('/dashboard/sign-out', form, headers)).status).toBe(403);
    expect((await browser.get('/dashboard/plan')).status).toBe(200);
  });

  it.each(ways.slice(2))('%s signs nobody in with the attacker’s key', async (_, way) => {
    const [form, headers] = way();
    const answer = await sent('/dashboard/sign-in', { ...form, key: key.key }, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

describe('a link that is to lead elsewhere', () => {
  it.each([
    '/dashboard/sign-in?next=https://evil.example',
    '/dashboard/sign-in?to=//evil.example',
    '/dashboard//evil.example',
    '/dashboard/%2f%2fevil.example',
    '/dashboard/?next=https://evil.example',
    '/dashboard/projects/..%2f..%2fevil.example',
  ])('%s leads nowhere but to us', async (path) => {
    const stranger = part.api.browser();
    const { headers } = await stranger.get(path);
    expect(headers['location'] ?? '/dashboard/').toMatch(/^\/dashboard\//);
    const entered = await part.api.rest(null, path, { method: 'POST', form: { key: key.key } });
    expect(entered.headers['location'] ?? '/dashboard/projects').toBe('/dashboard/projects');
  });

  it('and is not shown within another page', async () => {
    for (const path of ['/dashboard/sign-in', '/dashboard/nothing']) {
      const { headers } = await part.api.browser().get(path);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});
