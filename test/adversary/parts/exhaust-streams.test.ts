import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Heard } from '../../browser/raw.ts';
import { listen } from '../../browser/raw.ts';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A customer opens event streams without end, by both doors and all keys. An account has ten at a time together; one that
 * ends gives its place back, and opening each spends the account's budget.
 */

const part = attackPart();
let account: string;
let keys: readonly MadeKey[];
let browser: Browser;
const heard: Heard[] = [];

beforeEach(async () => {
  account = part.fresh('account');
  part.api.account(account, { requestsPerMinute: 100 });
  keys = Array.from({ length: 3 }, () => part.api.key(account));
  browser = part.api.browser();
  await browser.signIn(keys[0]?.key ?? '');
});

afterEach(() => heard.splice(0).forEach((one) => one.close()));

const restPath = () => `/v1/projects/shop/domains/www.${account}.example/events`;
const pagePath = '/dashboard/projects/shop/events?since=0';

const byRest = (index: number) =>
  listen(`${part.api.url}${restPath()}`, { authorization: `Bearer ${keys[index % 3]?.key}` });
const byPage = () => listen(`${part.api.url}${pagePath}`, { cookie: browser.cookie, 'user-agent': browser.agent });

const open = () => heard.filter((one) => one.text().startsWith('event:') && !one.ended()).length;

async function flood(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) heard.push(index % 2 === 0 ? byRest(index) : byPage());
  await eventually('all are answered', 8_000, () =>
    Promise.resolve(
      expectThat(
        heard.every((one) => one.text() !== ''),
        'not yet',
      ),
    ),
  );
}

describe('whoever opens streams without end', () => {
  it('has ten of them, by REST and dashboard and over all keys together', async () => {
    await flood(40);
    expect(open()).toBe(10);
  });

  it('leaves another account its own ten', async () => {
    await flood(30);
    const other = part.fresh('other');
    part.api.account(other);
    const path = `/v1/projects/shop/domains/www.${other}.example/events`;
    const one = listen(`${part.api.url}${path}`, { authorization: `Bearer ${part.api.key(other).key}` });
    heard.push(one);
    await eventually('it speaks', 5_000, () => Promise.resolve(expectThat(one.text().startsWith('event:'), 'not yet')));
  });

  it('gets each place back, and spends for each opening', async () => {
    await flood(20);
    heard.splice(0).forEach((one) => one.close());
    await eventually('the places are free', 5_000, async () => {
      const one = byRest(0);
      heard.push(one);
      await eventually('answered', 2_000, () => Promise.resolve(expectThat(one.text() !== '', 'not yet')));
      expectThat(one.text().startsWith('event:'), one.text());
    });
    const { headers } = await part.api.rest(keys[1]?.key ?? '', '/v1/account');
    // Ten by REST, the one above and this request; pages are paid from their own budget.
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThanOrEqual(88);
  });
});
