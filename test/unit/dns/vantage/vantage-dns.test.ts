import { describe, expect, it } from '@jest/globals';
import type { CheckRequest, Dns } from '../../../../src/dns/dns-facts.ts';
import { withBreaker, createVantageDns } from '../../../../src/dns/vantage/vantage-dns.ts';
import type { Silence, VantagePoint } from '../../../../src/dns/vantage/vantage-point.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { fullCheck, rightFacts } from '../../../support/vantage.ts';

const signal = new AbortController().signal;

/** A point that says one thing after the other, the last of them again and again; null are facts. */
function scripted(name: string, ...says: readonly (Silence | null)[]) {
  const asked: CheckRequest[] = [];
  const point: VantagePoint = {
    name,
    ask(request) {
      const silence = says[Math.min(asked.length, says.length - 1)] ?? null;
      asked.push(request);
      return Promise.resolve(silence === null ? { facts: rightFacts, silence } : { facts: null, silence });
    },
  };
  return { point, asked };
}

const local: Dns = { check: () => Promise.resolve(rightFacts) };

describe('a check from several places', () => {
  it('asks every one of them the same, and says what each found', async () => {
    const [b, c] = [scripted('b', null), scripted('c', 'timeout')];
    const observed: unknown[] = [];
    const dns = createVantageDns({ local, points: [b.point, c.point], observe: (answer) => observed.push(answer) });
    expect(await dns.check(fullCheck, signal)).toEqual({
      ...rightFacts,
      elsewhere: [
        { vantagePoint: 'b', facts: rightFacts },
        { vantagePoint: 'c', facts: null },
      ],
    });
    expect([b.asked, c.asked]).toEqual([[fullCheck], [fullCheck]]);
    expect(observed).toEqual([
      { vantagePoint: 'b', silence: null },
      { vantagePoint: 'c', silence: 'timeout' },
    ]);
  });

  it('is local where it only confirms', async () => {
    const b = scripted('b', null);
    const dns = createVantageDns({ local, points: [b.point] });
    expect(await dns.check({ ...fullCheck, isConfirmation: true }, signal)).toBe(rightFacts);
    expect(b.asked).toEqual([]);
  });

  it('without other places is the local one', async () => {
    expect(await createVantageDns({ local, points: [] }).check(fullCheck, signal)).toBe(rightFacts);
  });

  it('that fails here leaves nothing waiting there', async () => {
    const ended = Promise.withResolvers<void>();
    const waiting: VantagePoint = {
      name: 'b',
      ask: (_, both) =>
        new Promise((done) =>
          both.addEventListener('abort', () => {
            ended.resolve();
            done({ facts: null, silence: 'unreachable' });
          }),
        ),
    };
    const failing: Dns = { check: () => Promise.reject(new Error('a fault of ours')) };
    const dns = createVantageDns({ local: failing, points: [waiting] });
    await expect(dns.check(fullCheck, signal)).rejects.toThrow('a fault of ours');
    await ended.promise;
  });
});

/** Fails when each check waits for a place that is down, or one customer's answers keep it from being asked. */
describe('a vantage point that is down', () => {
  it('is not asked for ten seconds after three failures in a row, then once', async () => {
    const clock = createFakeClock();
    const { point, asked } = scripted('b', 'timeout');
    const breaking = withBreaker(point, clock);
    for (let check = 0; check < 10; check += 1)
      expect(await breaking.ask(fullCheck, signal)).toEqual({ facts: null, silence: 'timeout' });
    expect(asked).toHaveLength(3);
    await clock.advance(10_000);
    await Promise.all([1, 2, 3].map(() => breaking.ask(fullCheck, signal)));
    expect(asked).toHaveLength(4);
  });

  it('is asked again by everybody after its first answer', async () => {
    const clock = createFakeClock();
    const { point, asked } = scripted('b', 'timeout', 'timeout', 'timeout', null);
    const breaking = withBreaker(point, clock);
    for (let check = 0; check < 4; check += 1) await breaking.ask(fullCheck, signal);
    await clock.advance(10_000);
    for (let check = 0; check < 4; check += 1) expect((await breaking.ask(fullCheck, signal)).facts).toBe(rightFacts);
    expect(asked).toHaveLength(7);
  });

  it.each<Silence>(['malformed', 'busy', 'failed'])(
    'is not one that says something of use to nobody: %s',
    async (says) => {
      const { point, asked } = scripted('b', says);
      const breaking = withBreaker(point, createFakeClock());
      for (let check = 0; check < 10; check += 1) await breaking.ask(fullCheck, signal);
      expect(asked).toHaveLength(10);
    },
  );

  it('is not one whose check was ended here', async () => {
    const { point, asked } = scripted('b', 'unreachable');
    const breaking = withBreaker(point, createFakeClock());
    for (let check = 0; check < 10; check += 1) await breaking.ask(fullCheck, AbortSignal.abort());
    expect(asked).toHaveLength(10);
  });
});
