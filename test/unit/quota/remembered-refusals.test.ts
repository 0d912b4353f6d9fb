import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Figures } from '../../../src/quota/quota-decision.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
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
  nextStrikeMs: noon + 60_000,
};
const banned: Figures = {
  ...refused,
  nextStrikeMs: 0,
  kind: 'banned',
  bannedUntil: noon / 1_000 + 60,
  step: 1,
  banBegins: true,
};

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

  it('of what needs ten says nothing about what needs one, nor the other way round', () => {
    refusals.learn({ ...ask, key: 'k3', spend: 10, needs: 10 }, refused);
    expect(refusals.recall({ ...ask, key: 'k3', spend: 10 }, noon + 1)).toBeNull();
    expect(refusals.recall({ ...ask, key: 'k3', spend: 10, needs: 10 }, noon + 1)).not.toBeNull();
    expect(refusals.recall({ ...ask, spend: 10, needs: 10 }, noon + 1)).toBeNull();
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
});

describe('a key that goes on', () => {
  const until = { ...refused, nextStrikeMs: noon + 2_001 };

  // Would fail if memory answered what Redis has to hear of, or asked it about what changes nothing.
  it('is answered from memory until its next strike, which Redis has to count', () => {
    refusals.learn(ask, until);
    for (let later = 0; later <= 2_000; later += 1) expect(refusals.recall(ask, noon + later)).not.toBeNull();
    expect(refusals.recall(ask, noon + 2_001)).toBeNull();
  });

  it('is answered from memory again once Redis has counted the strike', () => {
    refusals.learn(ask, until);
    refusals.learn(ask, { ...until, nowMs: noon + 2_100, nextStrikeMs: noon + 3_100 });
    expect(refusals.recall(ask, noon + 3_099)).not.toBeNull();
    expect(refusals.recall(ask, noon + 3_100)).toBeNull();
  });

  it('has the end of the refusal where that comes first', () => {
    refusals.learn(ask, { ...until, minuteResetsAtMs: noon + 1_000 });
    expect(refusals.recall(ask, noon + 950)).toBeNull();
  });

  // Only keys are banned.
  it('is not asked of Redis where there is no key', () => {
    refusals.learn({ ...ask, key: null }, { ...refused, nextStrikeMs: 0 });
    expect(refusals.recall({ ...ask, key: null }, noon + 9_999)).not.toBeNull();
  });

  it('has what Redis answered the memory with, step by step, as if it had been asked each time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 80 }), (pauses) => {
        refusals = new RememberedRefusals();
        let [asked, always, now] = [nothingSpent, nothingSpent, noon];
        const few: Ask = { ...ask, limits: { perMinute: 2, perDay: null } };
        for (const pause of pauses) {
          now += pause;
          const direct = decideQuota(always, few, now);
          always = direct.after;
          const told = refusals.recall(few, now);
          if (told) {
            const expected = decisionOf(direct.figures, few);
            expect(quotaHeaders(told)).toEqual(quotaHeaders(expected));
            expect([told.kind, told.ban, told.banBegins]).toEqual([expected.kind, expected.ban, expected.banBegins]);
            continue;
          }
          const { figures, after } = decideQuota(asked, few, now);
          asked = after;
          refusals.learn(few, figures);
          expect(figures).toEqual(direct.figures);
        }
      }),
    );
  });
});

describe('a ban', () => {
  it('is told to begin by the answer of the request that began it alone', () => {
    refusals.learn(ask, banned);
    expect(refusals.recall(ask, noon + 1)).toMatchObject({ kind: 'banned', banBegins: false });
  });

  it('is not lengthened, so Redis is asked nothing of what comes meanwhile', () => {
    refusals.learn(ask, banned);
    for (let count = 0; count < 50; count += 1) expect(refusals.recall(ask, noon + count)).not.toBeNull();
  });
});
