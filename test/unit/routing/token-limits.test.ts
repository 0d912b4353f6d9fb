import { describe, expect, it } from '@jest/globals';
import { createTokenLimits, tokenShares } from '../../../src/routing/token-probe/token-limits.ts';

/** Whoever has ten thousand domains floods nobody with our requests, and takes no place of another account's. */

function limitsAt(start = 0) {
  let now = start;
  const limits = createTokenLimits(
    (address) => address.startsWith('cdn'),
    () => now,
  );
  /** how many of the requests are made; each is over at once unless it is `held` */
  const made = (count: number, { address, payer, held = false }: { address: string; payer: string; held?: boolean }) =>
    Array.from({ length: count }, () => limits.take({ address, payer })).filter((release) => {
      if (!held) release?.();
      return release !== null;
    }).length;
  return { limits, made, pass: (ms: number) => (now += ms) };
}

describe('requests for tokens', () => {
  it('to one address are few, however many accounts lead there', () => {
    const { made, pass } = limitsAt();
    const { burst, perSecond } = tokenShares.address;
    let count = 0;
    for (let account = 0; account < 1_000; account += 1) count += made(10, { address: 'victim', payer: `a${account}` });
    expect(count).toBe(burst);
    pass(10_000);
    for (let account = 0; account < 1_000; account += 1) count += made(10, { address: 'victim', payer: `a${account}` });
    expect(count).toBe(burst + Math.min(burst, perSecond * 10));
  });

  it('to one network of IPv6 are as few as to one address, and leave other networks alone', () => {
    const { made } = limitsAt();
    let [count, others] = [0, 0];
    for (let host = 1; host <= 100; host += 1) {
      count += made(1, { address: `2001:db8:0:7::${host.toString(16)}`, payer: `a${host}` });
      others += made(1, { address: `2001:db8:0:${(host + 8).toString(16)}::1`, payer: `b${host}` });
    }
    expect([count, others]).toEqual([tokenShares.address.burst, 100]);
  });

  it('that wait for an answer are remembered, however many others there are', () => {
    const { limits, made } = limitsAt();
    for (let held = 0; held < tokenShares.account.inFlight; held += 1)
      made(1, { address: `host${held}`, payer: 'slow', held: true });
    for (let other = 0; other <= tokenShares.remembered; other += 1)
      limits.take({ address: 'x', payer: `a${other}` })?.();
    const before = made(1, { address: 'another', payer: 'slow' });
    expect(before).toBe(0);
  });

  it('of one account are bounded over all addresses, and leave those of another alone', () => {
    const { made } = limitsAt();
    let count = 0;
    for (let host = 0; host < 10_000; host += 1) count += made(1, { address: `host${host}`, payer: 'loud' });
    expect(count).toBe(tokenShares.account.burst);
    expect(made(1, { address: 'host1', payer: 'quiet' })).toBe(1);
  });

  it('of one account to a CDN leave room for another there', () => {
    const { made } = limitsAt();
    made(10_000, { address: 'cdn', payer: 'loud' });
    expect(made(1, { address: 'cdn', payer: 'quiet' })).toBe(1);
  });

  it('are bounded by those that wait for an answer, and a place that is given back is free', () => {
    const { limits, made, pass } = limitsAt();
    const releases = [];
    for (let host = 0; host < 1_000; host += 1) {
      pass(1_000);
      const release = limits.take({ address: `host${host}`, payer: 'slow' });
      if (release) releases.push(release);
    }
    expect(releases).toHaveLength(tokenShares.account.inFlight);
    expect(made(1, { address: 'other', payer: 'quick', held: true })).toBe(1);
    releases[0]?.();
    expect(made(1, { address: 'another', payer: 'slow' })).toBe(1);
  });

  it('of all accounts together are bounded', () => {
    const { limits } = limitsAt();
    let count = 0;
    for (let account = 0; account < 1_000; account += 1)
      if (limits.take({ address: `host${account}`, payer: `a${account}` })) count += 1;
    expect(count).toBe(tokenShares.inFlight);
  });
});
