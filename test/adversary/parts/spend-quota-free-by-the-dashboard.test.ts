import { beforeEach, describe, expect, it } from '@jest/globals';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A customer whose API budget is used up goes on by the dashboard, with sessions without end. Pages and forms spend the
 * account's one budget by the same rules.
 */

const part = attackPart();
let account: string;

beforeEach(() => {
  account = part.fresh('free');
  part.api.account(account, { requestsPerMinute: 60 });
});

const keysOf = () => part.api.stores.apiKeys.byIndex('account', account).length;

async function useUp(key: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) await part.api.rest(key, '/v1/account');
  expect((await part.api.rest(key, '/v1/account')).status).toBe(429);
}

describe('whoever has used up the budget by REST', () => {
  it('makes not one key more by six sessions of the dashboard, and each refusal carries the quota', async () => {
    const { key } = part.api.key(account);
    const browsers = Array.from({ length: 6 }, () => part.api.browser());
    for (const browser of browsers) expect((await browser.signIn(key)).status).toBe(303);
    await useUp(key);
    const before = keysOf();
    const answers = await Promise.all(
      browsers.flatMap((browser) =>
        Array.from({ length: 100 }, () => browser.post('/dashboard/keys', { scopes: 'domains:read', expiresAt: '' })),
      ),
    );
    expect(keysOf() - before).toBe(0);
    for (const { status, headers } of answers) {
      expect([429, 403, 401]).toContain(status);
      expect(headers).toHaveProperty('x-ratelimit-remaining');
    }
  });

  it.each([
    ['looking at the projects', '/dashboard/projects'],
    ['looking at domains', '/dashboard/projects/shop'],
    ['looking at keys', '/dashboard/keys'],
    ['opening a stream of changes', '/dashboard/projects/shop/events?since=0'],
    ['asking for pages that are not there', '/dashboard/nothing'],
  ])('gets nothing by %s', async (_, path) => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    await useUp(key);
    const { status, headers } = await browser.get(path);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['x-ratelimit-limit']).toBe('60');
  });

  it('is banned for going on by the dashboard as for going on by REST', async () => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    await useUp(key);
    for (let count = 0; count < 90; count += 1) await browser.get('/dashboard/projects');
    const { status, body } = await part.api.rest(key, '/v1/account');
    expect({ status, code: (JSON.parse(body) as { code: string }).code }).toEqual({
      status: 403,
      code: 'abnormal-usage-detected',
    });
  });
});

describe('whoever uses up the budget by the dashboard', () => {
  it('has none left by REST', async () => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    for (let count = 0; count < 70; count += 1) await browser.get('/dashboard/projects');
    expect((await part.api.rest(key, '/v1/account')).status).toBe(429);
  });

  it('still sees the plan and its usage, and may leave', async () => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    await useUp(key);
    const plan = await browser.get('/dashboard/plan');
    expect(plan.status).toBe(200);
    expect(plan.headers['x-ratelimit-remaining']).toBe('0');
    expect((await browser.post('/dashboard/sign-out')).status).toBe(303);
    expect((await browser.get('/dashboard/plan')).status).not.toBe(200);
  });
});
