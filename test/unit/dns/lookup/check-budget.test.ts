import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { UnknownCause } from '../../../../src/dns/dns-facts.ts';
import { permittedRule } from '../../../../src/dns/lookup/address-safety.ts';
import { checkLimits } from '../../../../src/dns/lookup/check-budget.ts';
import { createDnsClient } from '../../../../src/dns/lookup/dns-client.ts';
import type { Exchange } from '../../../../src/dns/wire/dns-exchange.ts';
import type { Response } from '../../../../src/dns/wire/dns-message.ts';
import { messageLimits } from '../../../../src/dns/wire/dns-message.ts';
import { createServerMemory } from '../../../../src/dns/lookup/server-memory.ts';
import { createServerRates, serverRates } from '../../../../src/dns/lookup/server-rate.ts';
import { createSilence, silenceLimits } from '../../../../src/dns/lookup/silent-servers.ts';

/** What one look, and all looks together, cost at most: the numbers that docs/security.md publishes. */

const answer: Response = {
  rcode: 'NOERROR',
  authoritative: true,
  truncated: false,
  answers: [],
  authorities: [],
  additionals: [],
};
const own = '127.0.0.1';
const tooMuch = 'bounds-exceeded';

/** Asks one server after another until something is refused; how many questions were answered before. */
async function asked(exchange: Exchange, serverOf: (index: number) => string, clock = () => 0): Promise<number> {
  const client = createDnsClient({
    exchange,
    allowed: () => true,
    unbounded: permittedRule([own]),
    rates: { waitFor: () => 0, answered: () => undefined },
    silence: createSilence(),
    memory: createServerMemory(),
    signal: new AbortController().signal,
    now: clock,
  });
  for (let index = 0; index < 1_000; index += 1) {
    const question = { name: `n${index}.example.com`, type: 'A', recursive: false } as const;
    if ((await client.query({ address: serverOf(index), port: 53 }, question)) === tooMuch) return index;
  }
  return Infinity;
}

const others = (index: number) => `8.${index >> 8}.${index & 255}.1`;
const says =
  (response: Response | UnknownCause, cost: { readonly packets?: number; readonly bytes?: number } = {}): Exchange =>
  (_server, _question, { allowance }) => {
    for (let more = 0; more < (cost.packets ?? 0); more += 1) if (!allowance.packet()) return Promise.resolve(tooMuch);
    return Promise.resolve(allowance.bytes(cost.bytes ?? 0) ? response : tooMuch);
  };
const record = { name: 'x', type: 'A', ttl: 60, value: '192.0.2.1' } as const;

describe('one look at a hostname', () => {
  it('is bounded by these numbers', () => {
    expect({ ...checkLimits, perSet: messageLimits.recordsPerSet }).toEqual({
      aliases: 8,
      serversPerZone: 13,
      addressesPerServer: 4,
      gluelessLookups: 4,
      packets: 100,
      packetsPerServer: 40,
      records: 4_096,
      bytes: 512 * 1_024,
      ms: 6_000,
      perSet: 64,
    });
  });

  it.each<[string, Exchange, (index: number) => string, number]>([
    ['a hundred packets', says(answer), others, 100],
    ['fewer questions where each is tried again, or over TCP', says(answer, { packets: 1 }), others, 50],
    ['forty packets to one server', says(answer), () => '8.0.0.1', 40],
    ['more of them to a server of a permitted range', says(answer), () => own, 100],
    ['half a megabyte', says(answer, { bytes: 64 * 1_024 }), others, 8],
    ['4,096 records', says({ ...answer, answers: Array.from({ length: 64 }, () => record) }), others, 64],
  ])('sends and reads %s at most', async (_, exchange, serverOf, most) => {
    expect(await asked(exchange, serverOf)).toBe(most);
  });

  it('is over after six seconds', async () => {
    let now = 0;
    const slow: Exchange = (...given) => {
      now += 1_000;
      return says(answer)(...given);
    };
    expect(await asked(slow, others, () => now)).toBe(6);
  });
});

describe('one look whose server never answers', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is over after six seconds', async () => {
    const silent: Exchange = (_server, _question, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('timeout')));
    let isOver = false;
    const over = asked(silent, others).finally(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(5_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
    expect(await over).toBe(1);
  });
});

const at = (now: number) => ({ now, until: Infinity });

/** The wait of the packet that goes after so many at the same moment. */
function waitAfter(packets: number, isProven: boolean): number | null {
  const rates = createServerRates();
  if (isProven) rates.answered('8.0.0.1');
  for (let sent = 0; sent < packets; sent += 1) rates.waitFor('8.0.0.1', at(10_000));
  return rates.waitFor('8.0.0.1', at(10_000));
}

describe('all looks together', () => {
  it.each<[string, number, boolean, number]>([
    ['the twentieth to a stranger goes at once', 19, false, 0],
    ['the fortieth to a stranger a second later', 39, false, 1_000],
    ['the 200th to a server that has answered goes at once', 199, true, 0],
    ['the 400th to a server that has answered a second later', 399, true, 1_000],
  ])('send so many packets a second to a server: %s', (_, before, isProven, wait) => {
    expect(waitAfter(before, isProven)).toBeCloseTo(wait, 6);
  });

  it('take no slot for a packet that would be too late, so that refused ones delay nobody', () => {
    const rates = createServerRates();
    for (let sent = 0; sent < 40; sent += 1) rates.waitFor('8.0.0.1', at(10_000));
    const refused = Array.from({ length: 100 }, () => rates.waitFor('8.0.0.1', { now: 10_000, until: 11_000 }));
    expect(refused.every((wait) => wait === null)).toBe(true);
    expect(rates.waitFor('8.0.0.1', at(10_000))).toBeCloseTo(1_050, 6);
  });

  it('remember so many servers, and forget the one that was asked longest ago', () => {
    expect(serverRates.addresses).toBe(10_000);
    const rates = createServerRates();
    rates.answered('8.0.0.1');
    for (let index = 0; index < serverRates.addresses; index += 1) rates.waitFor(`other ${index}`, at(0));
    for (let sent = 0; sent < 20; sent += 1) rates.waitFor('8.0.0.1', at(10_000));
    expect(rates.waitFor('8.0.0.1', at(10_000))).toBeGreaterThan(0);
  });

  it('leave a server that was silent twice in a row alone for two seconds, doubling to thirty', () => {
    expect(silenceLimits.entries).toBe(20_000);
    const silence = createSilence();
    let at = 0;
    const pauses = Array.from({ length: 7 }, () => {
      silence.note('8.0.0.1', 'example.com', { answered: false, at });
      const began = at;
      while (silence.holds('8.0.0.1', 'example.com', at)) at += 1_000;
      return (at - began) / 1_000;
    });
    expect(pauses).toEqual([0, 2, 4, 8, 16, 30, 30]);
    expect(silence.holds('8.0.0.1', 'example.org', 0)).toBe(false);
  });
});
