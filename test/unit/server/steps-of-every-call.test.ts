import { afterAll, describe, expect, it } from '@jest/globals';
import type { Act } from '../../support/every-call/every-call.ts';
import { createStepCounter } from '../../support/every-call/steps.ts';
import { drawn, seedOfRun } from '../../support/property.ts';

/**
 * Every call, page and check has a bound on what it makes us do, with inputs at their bounds that are made by the grammar of the OpenAPI document,
 * of the forms and of DNS, in a project of 501 domains. Fails for one whose steps grow with more than what its account pays for, whoever adds it.
 * Steps are counted, as time would say how busy the machine is; `npm run bench:hold` reports the processor time of the same inputs.
 */

/** Of one request or check, and of each further request of its quota that it costs. Some 40,000 steps take a millisecond. */
interface Bound {
  readonly first: number;
  readonly further: number;
}

/**
 * The most that was seen: 236,000 of 40 chosen domains among 500, 17,000 for each domain that changes places with another, and 2,110,000 of a
 * check of DNS, whose 13 answers come in turns of their own.
 */
const bounds: Readonly<Record<Act['kind'], Bound>> = {
  request: { first: 300_000, further: 20_000 },
  check: { first: 2_500_000, further: 0 },
};
const inputs: Readonly<Record<Act['kind'], number>> = { request: drawn(9), check: 1 };
const seed = seedOfRun(3);

/** What their inputs name is not there: links, keys and certificates of one's own. Of all others one input at least is done to its end. */
const refused: readonly string[] = [
  'a path that is not there',
  'a key that is none',
  'signing in with a key that is none',
  'REST showCertificate',
  'REST removeCertificate',
  'REST revokeHandoverLink',
  'page dashboardRevokeLink',
  'page dashboardAutomaticCertificates',
];

// What is compiled before counting begins has no counters.
const steps = createStepCounter();
const { startEveryCall } = await import('../../support/every-call/every-call.ts');
const { base32 } = await import('../../../src/rules/dns-target.ts');
const every = await startEveryCall(seed);
afterAll(() => {
  steps.stop();
  every.stop();
});

describe(`steps are bounded, inputs of seed ${seed}`, () => {
  it.each(every.acts.map((act) => [act.name, act] as const))('of %s', async (name, { kind, restore, act }) => {
    const { first, further } = bounds[kind];
    const statuses: number[] = [];
    for (let input = 0; input < inputs[kind]; input += 1) {
      await restore();
      const before = every.spent();
      const taken = await steps.during(async () => void statuses.push((await act()) ?? 200));
      const paid = every.spent() - before;
      expect({ paid, isBounded: taken <= first + further * Math.max(0, paid - 1), taken }).toMatchObject({
        isBounded: true,
      });
    }
    expect(statuses.some((status) => status < 400)).toBe(!refused.includes(name));
  });

  it.each([1_000, 10_000])(
    'that are counted: %d bytes that are looked at one by one are as many steps',
    async (length) => {
      const bytes = Buffer.alloc(length);
      const taken = await steps.during(() => Promise.resolve(base32(bytes, 2 * length)));
      expect(taken).toBeGreaterThanOrEqual(length);
      expect(taken).toBeLessThan(4 * length);
    },
  );
});
