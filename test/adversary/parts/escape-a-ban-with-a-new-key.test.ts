import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

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

/** Asks on and on; how many refusals there were before the ban, and how long it is. */
async function untilBanned(key: MadeKey): Promise<{ refused: number; seconds: number }> {
  for (let refused = 0; refused < 200;) {
    const { status, wait } = await ask(key);
    if (status === 403) return { refused, seconds: wait };
    if (status === 429) refused += 1;
  }
  return { refused: 200, seconds: 0 };
}

/** The API answers from memory, and tells Redis of it in a moment: until then the ban is not known to it either. Spends nothing. */
async function isReported(keyId: string): Promise<void> {
  const { id } = part.api.stores.accounts.get({ namespace: '', name: account })?.spec ?? {};
  const limits = { perMinute: 60, perDay: 1_000 };
  await eventually('Redis knows of all strikes', 10_000, async () => {
    const { kind } = await part.api.limiter.decide({ budget: `a:${id}`, key: keyId, limits, liftedAt: null, spend: 0 });
    expectThat(kind === 'banned', kind);
  });
}

describe('whoever changes keys when one is banned', () => {
  it('has each of them banned at its first strike, and for longer each time', async () => {
    const keys = Array.from({ length: 5 }, () => part.api.key(account));
    const bans: { refused: number; seconds: number }[] = [];
    for (const key of keys) bans.push(await untilBanned(key));
    // The first: one refusal, 50 forgiven, 20 strikes of which the last is the ban. The next: a single strike. Redis hears of every
    // twentieth at the latest.
    const most = [70, 51, 51, 51, 51].map((refused) => refused + 19);
    expect(bans.map(({ refused }, index) => refused > (most[index] ?? 0))).toEqual(Array(5).fill(false));
    [60, 300, 1_800, 7_200, 86_400].forEach((seconds, index) => {
      expect(Math.abs((bans[index]?.seconds ?? 0) - seconds)).toBeLessThanOrEqual(2);
    });
  });

  it('does not spread the strikes over many keys', async () => {
    const keys = Array.from({ length: 10 }, () => part.api.key(account));
    for (const key of keys) for (let count = 0; count < 1 + 50 + 5; count += 1) await ask(key);
    for (const { keyId } of keys.slice(5)) await isReported(keyId);
    // The first requests pass. Then five strikes a key: the sixth makes the twentieth, and each after it is banned at its first.
    const statuses: number[] = [];
    for (const key of keys) statuses.push((await ask(key)).status);
    expect(statuses.slice(5)).toEqual([403, 403, 403, 403, 403]);
  });

  it('does not stop the other key that waits as it is told', async () => {
    const [bad, good] = [part.api.key(account), part.api.key(account)];
    await untilBanned(bad);
    const { status, wait } = await ask(good);
    expect(status).toBe(429);
    expect(wait).toBeLessThanOrEqual(61);
    expect((await ask(bad)).code).toBe('abnormal-usage-detected');
    expect((await ask(good)).code).toBe('quota-exceeded');
  });

  it('does not touch another account', async () => {
    await untilBanned(part.api.key(account));
    const other = part.fresh('other');
    part.api.account(other, { requestsPerMinute: 60 });
    expect((await ask(part.api.key(other))).status).toBe(200);
  });
});
