import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';
import { untilBanned } from '../../support/until-banned.ts';

/**
 * A customer whose key is banned goes on with the next one, and the next. Strikes and the length of bans are the
 * account's, so a new key begins where the last one was stopped, while a key that waits as it is told keeps working.
 */

const part = attackPart();
let account: string;

beforeEach(() => {
  account = part.fresh('account');
  part.api.account(account, { requestsPerMinute: 60 });
});

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly wait: number;
}

async function ask({ key }: MadeKey): Promise<Refusal> {
  const { status, body, headers } = await part.api.rest(key, '/v1/account');
  const { code = '' } = JSON.parse(body) as { code?: string };
  return { status, code, wait: Number(headers['retry-after'] ?? 0) };
}

/** Takes the next key after so many requests; the bans in their order, in seconds. */
async function untilAllAreBanned(keys: readonly MadeKey[]): Promise<readonly number[]> {
  const bans = new Map<MadeKey, number>();
  await untilBanned(async () => {
    for (const key of keys.filter((one) => !bans.has(one))) {
      const { status, wait } = await ask(key);
      if (status === 403) bans.set(key, wait);
    }
    return { status: bans.size === keys.length ? 403 : 429 };
  });
  return [...bans.values()];
}

describe('whoever changes keys when one is banned', () => {
  // One after the other, or in turn: strikes are the account's, so five keys are banned as soon as one.
  it('has each of them banned, and for longer each time', async () => {
    const keys = Array.from({ length: 5 }, () => part.api.key(account));
    const bans = await untilAllAreBanned(keys);
    expect(bans).toHaveLength(5);
    [60, 300, 1_800, 7_200, 86_400].forEach((seconds, index) => {
      expect(Math.abs((bans[index] ?? 0) - seconds)).toBeLessThanOrEqual(5);
    });
  }, 120_000);

  it('does not stop the other key that waits as it is told', async () => {
    const [bad, good] = [part.api.key(account), part.api.key(account)];
    await untilBanned(() => ask(bad));
    const { status, wait } = await ask(good);
    expect(status).toBe(429);
    expect(wait).toBeLessThanOrEqual(61);
    expect((await ask(bad)).code).toBe('abnormal-usage-detected');
    expect((await ask(good)).code).toBe('quota-exceeded');
  }, 120_000);

  it('does not touch another account', async () => {
    const key = part.api.key(account);
    for (let count = 0; count <= 60; count += 1) await ask(key);
    expect((await ask(key)).status).toBe(429);
    const other = part.fresh('other');
    part.api.account(other, { requestsPerMinute: 60 });
    expect((await ask(part.api.key(other))).status).toBe(200);
  });
});
