import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createAccountKey, keyAuthorization, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import type { OrderStep } from '../../../src/issuing/acme/order-step.ts';
import { orderStep } from '../../../src/issuing/acme/order-step.ts';
import type { TestPebble } from '../../support/pebble.ts';
import { asAcmeProcess, pebbleDeadlineMs, startTestPebble } from '../../support/pebble.ts';
import { signingRequestDer } from '../../support/signing-request.ts';

/**
 * Orders by their steps at Pebble. Between two steps everything is forgotten but the order's URL, as by a process that is killed
 * after each of them and followed by another one.
 */

const key = readAccountKey(createAccountKey());
let pebble: TestPebble;
let accountUrl: string;

beforeAll(async () => {
  pebble = await startTestPebble({ env: { PEBBLE_AUTHZREUSE: '0' } });
  accountUrl = await asAcmeProcess(pebble, async (client) => {
    const { url } = await client.register(key, { email: null, externalAccount: null });
    return url;
  });
}, pebbleDeadlineMs);

afterAll(() => pebble.stop(), pebbleDeadlineMs);

/** What is remembered outside of processes: the order's URL, and what the web server answers. */
interface Remembered {
  orderUrl: string | null;
  chain: string | null;
}

interface Wanted {
  readonly hostname: string;
  /** what the web server answers */
  readonly answerTo: (token: string) => string;
}

/** One process: reads the order, takes its next step, and is gone. */
function takeStep(remembered: Remembered, { hostname, answerTo }: Wanted): Promise<OrderStep> {
  return asAcmeProcess(pebble, async (client) => {
    const account = client.account(key, accountUrl);
    const next = orderStep(await snapshotOf(account, remembered.orderUrl));
    switch (next.step) {
      case 'Place':
        remembered.orderUrl = (
          await account.newOrder({ names: [hostname], profile: null, replaces: null, before: null })
        ).url;
        break;
      case 'Answer':
        for (const token of next.tokens) pebble.answers.set(token, answerTo(token));
        break;
      case 'Trigger':
        for (const url of next.challenges) await account.triggerChallenge(url);
        break;
      case 'Finalize':
        await account.finalize(next.url, signingRequestDer({ names: `DNS:${hostname}` }));
        break;
      case 'Download':
        remembered.chain = await account.chain(next.url, null);
        break;
      case 'Wait':
        await untilItMovesOn(account, remembered.orderUrl);
        break;
      case 'Fail':
      case 'Lost':
    }
    return next;
  });
}

const untilItMovesOn = (account: AcmeAccount, url: string | null): Promise<void> =>
  eventually('the authority is through with it', 30_000, async () => {
    const { step } = orderStep(await snapshotOf(account, url));
    expectThat(step !== 'Wait', 'it waits');
  });

async function snapshotOf(account: AcmeAccount, url: string | null) {
  const order = url === null ? null : (await account.order(url)).value;
  const unread = order?.status === 'pending' || order?.status === 'invalid' ? order.authorizations : [];
  const authorizations = await Promise.all(unread.map(async (one) => (await account.authorization(one)).value));
  return { order, authorizations, kind: 'http-01', answered: new Set(pebble.answers.keys()) } as const;
}

/** Steps until there is a chain or a failure: all of them, waits once. */
async function stepsOf(wanted: Wanted): Promise<{ steps: readonly OrderStep[]; chain: string | null }> {
  const remembered: Remembered = { orderUrl: null, chain: null };
  const steps: OrderStep[] = [];
  for (let count = 0; count < 200 && remembered.chain === null && steps.at(-1)?.step !== 'Fail'; count += 1) {
    const next = await takeStep(remembered, wanted);
    if (next.step !== 'Wait' || steps.at(-1)?.step !== 'Wait') steps.push(next);
  }
  return { steps, chain: remembered.chain };
}

it('an order whose processes are killed after each step is placed once, finalized once and ends with its chain', async () => {
  const hostname = 'www.example.com';
  const { steps, chain } = await stepsOf({ hostname, answerTo: (token) => keyAuthorization(token, key.thumbprint) });
  const taken = steps.map(({ step }) => step).filter((step) => step !== 'Wait');
  expect(taken).toEqual(['Place', 'Answer', 'Trigger', 'Finalize', 'Download']);
  expect(new X509Certificate(chain ?? '').subjectAltName).toBe(`DNS:${hostname}`);
});

it('an order whose challenge is answered wrongly fails with what the authority saw', async () => {
  const { steps } = await stepsOf({ hostname: 'wrong.example.com', answerTo: () => 'something else' });
  expect(steps.at(-1)).toMatchObject({ step: 'Fail', problem: { type: 'unauthorized' } });
});
