import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createAccountKey, keyAuthorization, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import type { OrderProgress } from '../../../src/controllers/acme-order/advance-order.ts';
import type { AcmeOrder } from '../../../src/controllers/acme-order/order-record.ts';
import type { OrderPorts } from '../../../src/controllers/acme-order/place-order.ts';
import { advanceOrder } from '../../../src/controllers/acme-order/advance-order.ts';
import { withoutOrder } from '../../../src/controllers/acme-order/decide-acme-order.ts';
import { giveUpProofs } from '../../../src/controllers/acme-order/order-end.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { challengePath } from '../../../src/rules/domain-token.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { createRedirectServer } from '../../../src/redirector/redirects/redirect-server.ts';
import { answeredEverywhere } from '../../../src/routing/challenge-probe.ts';
import type { ActLog } from '../../support/killed-process.ts';
import { countOf, did, mortal, unlessKilled } from '../../support/killed-process.ts';
import type { TestPebble } from '../../support/pebble.ts';
import { asAcmeProcess, pebbleDeadlineMs, startTestPebble } from '../../support/pebble.ts';
import { wantedOverHttp } from '../../support/pebble-orders.ts';
import { claim } from '../../support/snapshot.ts';

/**
 * Orders at a real Pebble, whose challenges a real redirector answers by what is remembered of each order. A process may be killed
 * after anything that it does; the next one knows nothing but that.
 */

const key = readAccountKey(createAccountKey());
const remembered = new Map<string, AcmeOrder>();
/** What each ended with, kept outside of processes, too. */
const ends = new Map<string, Ended>();
type Ended = Exclude<OrderProgress, { kind: 'Waiting' }>;
/** Hostnames whose holder has lost them, or never had them. */
const unheld = new Set<string>();
let pebble: TestPebble;
let accountUrl: string;

const redirector = createRedirectServer({
  answer: (asked) =>
    decideRedirect(asked, {
      claimOf(hostname) {
        const acme = remembered.get(hostname);
        if (acme === undefined || unheld.has(hostname)) return undefined;
        return claim({ orders: [{ request: 'r', at: '2026-11-01T00:00:00Z', outcome: 'Pending', acme }] });
      },
      domain: () => undefined,
      project: () => undefined,
      withNonce: () => [],
      recent: () => null,
      wasPrimary: () => false,
      wasServed: () => false,
    }),
  served: () => undefined,
  stopping: () => false,
});

beforeAll(async () => {
  pebble = await startTestPebble({ env: { PEBBLE_AUTHZREUSE: '100' }, web: redirector });
  accountUrl = await asAcmeProcess(pebble, async (client) => {
    const { url } = await client.register(key, { email: null, externalAccount: null });
    return url;
  });
}, pebbleDeadlineMs);

afterAll(() => pebble.stop(), pebbleDeadlineMs);

/** One process: takes the order as far as it gets, and gives up its proofs once its end is kept. Undefined where it is killed. */
function once(hostname: string, log: ActLog): Promise<OrderProgress | 'done' | undefined> {
  return asAcmeProcess(pebble, (client) =>
    unlessKilled(async () => {
      const account = mortal(client.account(key, accountUrl), log);
      const end = ends.get(hostname);
      if (end === undefined) return advance(hostname, account, log);
      await giveUpProofs(remembered.get(hostname) ?? unplaced, account);
      return 'done' as const;
    }),
  );
}

const unplaced: AcmeOrder = { account: '', thumbprint: '', placed: 0 };

async function advance(hostname: string, account: AcmeAccount, log: ActLog): Promise<OrderProgress> {
  const wanted = wantedOverHttp(hostname);
  const ports: OrderPorts = {
    account,
    thumbprint: key.thumbprint,
    async remember(order) {
      remembered.set(hostname, order);
      await Promise.resolve();
      did(log, 'remember');
    },
    async answered(tokens) {
      const answers = tokens.map(
        (token) => [`${challengePath}${token}`, keyAuthorization(token, key.thumbprint)] as const,
      );
      const redirectors = { addresses: [pebble.address], port: 80 };
      const ingresses = [{ address: pebble.address, ports: { http: 80, https: 443 } }];
      const seen = await answeredEverywhere({ redirectors, ingresses }, hostname, new Map(answers));
      return new Set(tokens.filter((token) => seen.has(`${challengePath}${token}`)));
    },
    triggered: new Set(),
    now: systemClock.now,
  };
  const known = remembered.get(hostname) ?? null;
  const progress = await advanceOrder(known, wanted, ports, new AbortController().signal);
  if (progress.kind !== 'Waiting') ends.set(hostname, progress);
  return progress;
}

/** Processes, one after the other, until the order has ended and its proofs are given up. */
async function untilEnded(hostname: string, log: ActLog): Promise<Ended> {
  const seen = await eventually(`${hostname} ends`, 30_000, async () => {
    // What fails is no reason to look again.
    const progress = await once(hostname, log).catch((cause: unknown) => new Error(`${hostname} failed`, { cause }));
    if (progress instanceof Error) return progress;
    const found = ends.get(hostname);
    expectThat(progress === 'done' && found !== undefined, log.acts.join(', '));
    return found;
  });
  if (seen instanceof Error) throw seen;
  return seen;
}

const subjectOf = (progress: OrderProgress): string | undefined =>
  progress.kind === 'Issued' ? new X509Certificate(progress.chain).subjectAltName : undefined;

describe('an order', () => {
  it('is placed, answered by the redirector, finalized and given up as a proof, by as many processes as it takes', async () => {
    const log: ActLog = { acts: [], killAfter: null };
    const progress = await untilEnded('www.example.com', log);
    expect(subjectOf(progress)).toBe('DNS:www.example.com');
    const written = log.acts.filter((act) => act !== 'order' && act !== 'authorization');
    expect(written.toSorted()).toEqual(
      ['remember', 'newOrder', 'remember', 'triggerChallenge', 'finalize', 'chain', 'deactivate'].toSorted(),
    );
    expect(remembered.get('www.example.com')).toMatchObject({ account: accountUrl, placed: 1 });
  }, 60_000);

  it('leaves no proof behind: an authority that reuses proofs asks for a new one', async () => {
    const log: ActLog = { acts: [], killAfter: null };
    await untilEnded('again.example.com', log);
    remembered.delete('again.example.com');
    ends.delete('again.example.com');
    await untilEnded('again.example.com', log);
    expect(countOf(log, 'triggerChallenge')).toBe(2);
  }, 60_000);

  it('whose process is killed after any act is never finalized twice, and no order of it is uncounted', async () => {
    const whole: ActLog = { acts: [], killAfter: null };
    await untilEnded('whole.example.com', whole);
    for (let killAfter = 1; killAfter <= whole.acts.length; killAfter += 1) {
      const hostname = `killed-${killAfter}.example.com`;
      const log: ActLog = { acts: [], killAfter };
      const progress = await untilEnded(hostname, log);
      expect(subjectOf(progress)).toBe(`DNS:${hostname}`);
      expect(countOf(log, 'finalize')).toBe(1);
      const placed = countOf(log, 'newOrder');
      expect(placed).toBeLessThanOrEqual(2);
      expect(remembered.get(hostname)?.placed).toBeGreaterThanOrEqual(placed);
    }
  }, 240_000);

  it('waits, and triggers nothing, while the redirector does not answer', async () => {
    const hostname = 'unheld.example.com';
    unheld.add(hostname);
    const log: ActLog = { acts: [], killAfter: null };
    for (let count = 0; count < 5; count += 1) expect(await once(hostname, log)).toMatchObject({ kind: 'Waiting' });
    expect(countOf(log, 'newOrder')).toBe(1);
    expect(countOf(log, 'triggerChallenge')).toBe(0);
    unheld.delete(hostname);
    expect((await untilEnded(hostname, log)).kind).toBe('Issued');
  }, 60_000);

  it.each<[string, string, (known: AcmeOrder) => Promise<AcmeOrder>]>([
    [
      'does not have',
      'unknown.example.com',
      (known) => Promise.resolve({ ...known, order: known.order?.replace(/[^/]+$/, 'nothing') ?? '' }),
    ],
    [
      'has without its proof, which was given up',
      'given-up.example.com',
      async (known) => {
        await asAcmeProcess(pebble, (client) => giveUpProofs(known, client.account(key, accountUrl)));
        return known;
      },
    ],
  ])(
    'that the authority %s is lost, which is no refusal, and is issued once it is placed anew',
    async (_, hostname, lose) => {
      const log: ActLog = { acts: [], killAfter: null };
      unheld.add(hostname);
      await once(hostname, log);
      remembered.set(hostname, await lose(remembered.get(hostname) ?? unplaced));
      expect(await once(hostname, log)).toMatchObject({ kind: 'Lost' });
      unheld.delete(hostname);
      ends.delete(hostname);
      remembered.set(hostname, withoutOrder(remembered.get(hostname) ?? unplaced));
      expect((await untilEnded(hostname, log)).kind).toBe('Issued');
      expect(remembered.get(hostname)?.placed).toBe(2);
    },
    60_000,
  );

  it('for a name that the authority does not issue for ends with what it says', async () => {
    const progress = await untilEnded('www.refused.example', { acts: [], killAfter: null });
    expect(progress).toMatchObject({ kind: 'Refused', refusal: { code: 'NameRefused', isFinal: true } });
  }, 60_000);
});
