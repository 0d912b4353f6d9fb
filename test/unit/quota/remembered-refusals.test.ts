import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Figures } from '../../../src/quota/quota-decision.ts';
import { decisionOf } from '../../../src/quota/quota-decision.ts';
import { quotaHeaders } from '../../../src/quota/quota-port.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import { RememberedRefusals } from '../../../src/quota/remembered-refusals.ts';
import { fc } from '../../support/property.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };
const day = Math.floor(noon / 86_400_000);
const refused: Figures = {
  kind: 'limited',
  nowMs: noon,
  used: 60,
  minuteResetsAtMs: noon + 40_000,
  day,
  dayCount: 60,
  bannedUntil: 0,
  step: 0,
  banBegins: false,
};
const banned: Figures = { ...refused, kind: 'banned', bannedUntil: noon / 1_000 + 60, step: 1, banBegins: true };

let refusals: RememberedRefusals;

beforeEach(() => {
  refusals = new RememberedRefusals();
  refusals.learn(ask, refused);
});

describe('a refusal', () => {
  it('answers the same request without Redis', () => {
    expect(refusals.recall(ask, noon + 5_000)).toMatchObject({ kind: 'limited', now: noon + 5_000 });
  });

  it.each<[string, Partial<Ask>, number]>([
    ['another key', { key: 'k2' }, 1],
    ['another plan', { limits: { perMinute: 300, perDay: 1_000 } }, 1],
    ['a ban that was lifted', { liftedAt: noon }, 1],
    ['a look at the quota', { spend: 0 }, 1],
    ['what comes ten seconds later', {}, 10_000],
  ])('says nothing about %s', (_, changes, laterMs) => {
    expect(refusals.recall({ ...ask, ...changes }, noon + laterMs)).toBeNull();
  });

  it('of a request that costs ten says nothing about one that costs one', () => {
    refusals.learn({ ...ask, key: 'k3', spend: 10 }, refused);
    expect(refusals.recall({ ...ask, key: 'k3' }, noon + 1)).toBeNull();
    expect(refusals.recall({ ...ask, key: 'k3', spend: 10 }, noon + 1)).not.toBeNull();
    expect(refusals.recall({ ...ask, spend: 10 }, noon + 1)).not.toBeNull();
  });

  it('is not relied on for the last moment, as Redis’ clock is an estimate', () => {
    refusals.learn(ask, { ...refused, minuteResetsAtMs: noon + 900 });
    expect(refusals.recall(ask, noon + 849)).not.toBeNull();
    expect(refusals.recall(ask, noon + 850)).toBeNull();
  });

  it('is over once a request is admitted', () => {
    refusals.learn(ask, { ...refused, kind: 'allowed' });
    expect(refusals.recall(ask, noon + 1)).toBeNull();
  });
});

describe('an answer from memory', () => {
  // Would fail if one was given again after a second had passed of any time that it tells.
  it('has the headers of that moment', () => {
    const endsAt = fc.integer({ min: 1, max: 400_000 });
    const steps = fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 30 });
    fc.assert(
      fc.property(endsAt, fc.boolean(), steps, (minuteEndsIn, isBanned, waits) => {
        const figures = { ...(isBanned ? banned : refused), banBegins: false, minuteResetsAtMs: noon + minuteEndsIn };
        refusals = new RememberedRefusals();
        refusals.learn(ask, figures);
        let nowMs = noon;
        for (const wait of waits) {
          nowMs += wait;
          const told = refusals.recall(ask, nowMs);
          if (told) expect(quotaHeaders(told)).toEqual(quotaHeaders(decisionOf({ ...figures, nowMs }, ask)));
        }
      }),
    );
  });

  it('is the same object while it says the same, so that nothing has to be rendered anew', () => {
    const first = refusals.recall(ask, noon + 10);
    expect(refusals.recall(ask, noon + 999)).toBe(first);
    expect(refusals.recall(ask, noon + 1_000)).not.toBe(first);
  });

  it('says once that a ban begins, where a report began it', () => {
    refusals.learn({ ...ask, spend: 0 }, banned);
    expect([1, 2, 3].map((later) => refusals.recall(ask, noon + later)?.banBegins)).toEqual([true, false, false]);
  });
});

describe('requests that were answered from memory', () => {
  it('are reported as the first and the last, once', () => {
    for (const later of [100, 150, 240]) refusals.recall(ask, noon + later);
    expect(refusals.reports()).toEqual([
      { ask: { ...ask, spend: 0 }, disregarded: { firstMs: noon + 100, lastMs: noon + 240 } },
    ]);
    expect(refusals.reports()).toEqual([]);
  });

  it('ask nothing of Redis, however many they are', () => {
    for (let count = 1; count <= 1_000; count += 1) expect(refusals.recall(ask, noon + count)).not.toBeNull();
    expect(refusals.disregardedBefore(ask, noon + 1_000)).toEqual({ firstMs: noon + 1, lastMs: noon + 1_000 });
    expect(refusals.disregardedBefore(ask, noon + 1_000)).toBeNull();
  });

  it('go with the next request that Redis decides', () => {
    refusals.recall(ask, noon + 9_000);
    expect(refusals.recall(ask, noon + 10_000)).toBeNull();
    expect(refusals.disregardedBefore(ask, noon + 10_000)).toEqual({ firstMs: noon + 9_000, lastMs: noon + 9_000 });
    expect(refusals.recall(ask, noon + 9_500)).toBeNull();
  });

  it('are reported again where Redis was not told, with what came since', () => {
    refusals.recall(ask, noon + 100);
    const [told] = refusals.reports();
    refusals.recall(ask, noon + 300);
    if (!told) throw new Error('nothing was reported');
    refusals.giveBack(ask, told.disregarded);
    expect(refusals.reports()).toMatchObject([{ disregarded: { firstMs: noon + 100, lastMs: noon + 300 } }]);
    refusals.learn(ask, { ...refused, kind: 'allowed' });
    refusals.giveBack(ask, told.disregarded);
    expect(refusals.reports()).toEqual([]);
  });

  it('are reported of no address, as only keys are banned', () => {
    refusals.learn({ ...ask, key: null }, refused);
    for (let count = 0; count < 50; count += 1) expect(refusals.recall({ ...ask, key: null }, noon + 1)).not.toBeNull();
    expect(refusals.reports()).toEqual([]);
  });
});

describe('a ban', () => {
  it('that a report began is told to begin by the next answer alone', () => {
    refusals.learn({ ...ask, spend: 0 }, banned);
    expect(refusals.recall(ask, noon + 1)).toMatchObject({ kind: 'banned', banBegins: true });
    expect(refusals.recall(ask, noon + 2)).toMatchObject({ kind: 'banned', banBegins: false });
  });

  it('that a report began is told although Redis has refused another request since', () => {
    refusals.learn({ ...ask, spend: 0 }, banned);
    refusals.learn(ask, { ...banned, banBegins: false });
    expect(refusals.recall(ask, noon + 1)).toMatchObject({ banBegins: true });
    expect(refusals.recall(ask, noon + 2)).toMatchObject({ banBegins: false });
  });

  it('that a request began was told by its answer', () => {
    refusals.learn(ask, banned);
    expect(refusals.recall(ask, noon + 1)).toMatchObject({ kind: 'banned', banBegins: false });
  });

  it('is not lengthened, so nothing of what comes meanwhile is reported', () => {
    refusals.learn(ask, banned);
    for (let count = 0; count < 50; count += 1) refusals.recall(ask, noon + count);
    expect(refusals.reports()).toEqual([]);
  });
});
