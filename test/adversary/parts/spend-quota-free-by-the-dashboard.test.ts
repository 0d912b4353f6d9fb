import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A customer whose API budget is used up goes on by the dashboard, with sessions without end; a program locks people out of it. Pages and
 * forms have a budget of their own, of the session and of the account, which serves nothing else.
 */

const part = attackPart();
let account: string;

beforeEach(() => {
  account = part.fresh('free');
  part.api.account(account, { requestsPerMinute: 60 });
});

async function useUp(key: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) await part.api.rest(key, '/v1/account');
  expect((await part.api.rest(key, '/v1/account')).status).toBe(429);
}

const atATime = 25;

/** Looks at the projects so many times, some at a time. */
async function views(browser: Browser, count: number): Promise<readonly { readonly status: number }[]> {
  const seen: { readonly status: number }[] = [];
  while (seen.length < count)
    seen.push(...(await Promise.all(Array.from({ length: atATime }, () => browser.get('/dashboard/projects')))));
  return seen;
}

const refusedOf = (answers: readonly { readonly status: number }[]) =>
  answers.filter(({ status }) => status === 429).length;

describe('whoever has used up the budget by REST', () => {
  it.each([
    ['the projects', '/dashboard/projects'],
    ['domains', '/dashboard/projects/shop'],
    ['keys', '/dashboard/keys'],
    ['the plan', '/dashboard/plan'],
  ])('still sees %s', async (_, path) => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    await useUp(key);
    const { status, headers } = await browser.get(path);
    expect(status).toBe(200);
    expect(headers['x-ratelimit-limit']).toBe('120');
    expect((await part.api.rest(key, '/v1/account')).status).toBe(429);
  });
});

describe('the dashboard', () => {
  it('has 120 requests a minute for a session, and is no way to the API’s', async () => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    expect(refusedOf(await views(browser, 150))).toBeGreaterThanOrEqual(150 - 1.1 * 120);
    const { headers, status } = await part.api.rest(key, '/v1/account');
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '59']);
  });

  it('still shows the plan and its usage to whoever has used up its budget, and lets them leave', async () => {
    const { key } = part.api.key(account);
    const browser = part.api.browser();
    await browser.signIn(key);
    await views(browser, 150);
    const plan = await browser.get('/dashboard/plan');
    expect(plan.status).toBe(200);
    expect(plan.headers['x-ratelimit-remaining']).toBe('0');
    expect((await browser.post('/dashboard/sign-out')).status).toBe(303);
    expect((await browser.get('/dashboard/plan')).status).not.toBe(200);
  });
});
