import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { AccountKey } from '../../../src/acme/account-key.ts';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import { createAcmeClient } from '../../../src/acme/acme-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { LimitsProxy } from '../../support/limits-proxy.ts';
import { startLimitsProxy } from '../../support/limits-proxy.ts';
import type { TestPebble } from '../../support/pebble.ts';
import { pebbleDeadlineMs, startTestPebble } from '../../support/pebble.ts';
import { issueAtPebble } from '../../support/pebble-orders.ts';
import { orderLimits } from '../../support/snapshot.ts';

/** What stands before Pebble in a campaign counts as Let's Encrypt does: fails where it lets through what is refused there, or changes an order. */

let pebble: TestPebble;
let proxy: LimitsProxy;
const dir = temporaryFolder('limits-proxy');

beforeAll(async () => {
  pebble = await startTestPebble({ env: { PEBBLE_AUTHZREUSE: '0', PEBBLE_WFE_NONCEREJECT: '15' } });
  mkdirSync(dir, { recursive: true });
  const caFile = join(dir, 'pebble.pem');
  writeFileSync(caFile, pebble.ca);
  const limits = {
    ...orderLimits,
    orders: { count: 5, seconds: 600 },
    registeredDomain: { count: 100, seconds: 600 },
    exactSet: { count: 1, seconds: 600 },
    failures: { count: 1, seconds: 600 },
  };
  const { address, server } = pebble;
  proxy = await startLimitsProxy({ dir, address, port: 14_001, directory: server, caFile, limits });
}, pebbleDeadlineMs);

afterAll(async () => {
  await proxy.stop();
  await pebble.stop();
  rmSync(dir, { recursive: true, force: true });
}, pebbleDeadlineMs);

async function asAccount(act: (account: AcmeAccount, key: AccountKey) => Promise<void>): Promise<void> {
  const ca = readFileSync(proxy.caFile, 'utf8');
  const client = createAcmeClient({ server: proxy.directory, ca, now: systemClock.now });
  const key = readAccountKey(createAccountKey());
  try {
    await act(await client.register(key, { email: null, externalAccount: null }), key);
  } finally {
    await client.close();
  }
}

const order = (hostname: string) => ({ names: [hostname], profile: null, replaces: null, before: null });

describe('limits before Pebble', () => {
  it(
    'let an order through to its certificate, and refuse the same name again',
    () =>
      asAccount(async (account, key) => {
        const { chain } = await issueAtPebble(pebble, { account, key }, 'same.example.com');
        expect(chain).toContain('BEGIN CERTIFICATE');
        await expect(account.newOrder(order('same.example.com'))).rejects.toMatchObject({
          type: 'rateLimited',
          status: 429,
          detail: expect.stringMatching(/exact set of identifiers.*retry after \d{4}-/),
        });
        expect(proxy.orders.get('same.example.com')).toBe(1);
        expect(Object.fromEntries(proxy.refusals())).toEqual({ exactSet: 1 });
      }),
    pebbleDeadlineMs,
  );

  it(
    'refuse a name whose authorization failed',
    () =>
      asAccount(async (account, key) => {
        const failing = issueAtPebble({ answers: new Map() }, { account, key }, 'failing.example.com');
        await expect(failing).rejects.toThrow();
        expect(proxy.failed.size).toBe(1);
        await expect(account.newOrder(order('failing.example.com'))).rejects.toThrow(/too many failed authorizations/);
      }),
    pebbleDeadlineMs,
  );

  it(
    'refuse an account beyond its orders, and no other account',
    async () => {
      await asAccount(async (account) => {
        for (let index = 0; index < 5; index += 1) await account.newOrder(order(`n${index}.example.com`));
        await expect(account.newOrder(order('n5.example.com'))).rejects.toThrow(/too many new orders \(5\)/);
      });
      await asAccount(async (account) => {
        const { value } = await account.newOrder(order('n5.example.com'));
        expect(value.status).toBe('pending');
      });
    },
    pebbleDeadlineMs,
  );
});
