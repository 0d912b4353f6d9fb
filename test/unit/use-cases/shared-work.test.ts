import { describe, expect, it } from '@jest/globals';
import { createSharedWork } from '../../../src/use-cases/writes/shared-work.ts';

const never = new AbortController().signal;

describe('identical requests at the same time', () => {
  it('are one piece of work with one result; a later one is new work', async () => {
    const shared = createSharedWork();
    let begun = 0;
    const begin = () => Promise.resolve((begun += 1));
    const [first, second] = [shared.join('a', never, begin), shared.join('a', never, begin)];
    expect([first.first, second.first]).toEqual([true, false]);
    expect(await Promise.all([first.result, second.result])).toEqual([1, 1]);
    expect(await shared.join('a', never, begin).result).toBe(2);
  });

  it('fail together, and the next one tries again', async () => {
    const shared = createSharedWork();
    const fails = () => Promise.reject(new Error('refused'));
    const both = [shared.join('a', never, fails).result, shared.join('a', never, fails).result];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.join('a', never, () => Promise.resolve('done')).result).toBe('done');
  });

  it('go on for those who stay, and end when everybody has gone', async () => {
    const shared = createSharedWork();
    const [one, two] = [new AbortController(), new AbortController()];
    let signal = never;
    const begin = (given: AbortSignal) => {
      signal = given;
      return new Promise<string>(() => undefined);
    };
    const results = [shared.join('a', one.signal, begin).result, shared.join('a', two.signal, begin).result];
    one.abort();
    await expect(results[0]).rejects.toThrow('the request ended');
    expect(signal.aborted).toBe(false);
    two.abort();
    await expect(results[1]).rejects.toThrow('the request ended');
    expect(signal.aborted).toBe(true);
  });

  it('are new work where everybody else has gone, even while the old work is still ending', async () => {
    const shared = createSharedWork();
    const gone = new AbortController();
    const ended = Promise.withResolvers<string>();
    const first = shared.join('a', gone.signal, () => ended.promise);
    gone.abort();
    await expect(first.result).rejects.toThrow('the request ended');
    const work = Promise.withResolvers<string>();
    const second = shared.join('a', never, () => work.promise);
    ended.resolve('cut short');
    await ended.promise;
    const third = shared.join('a', never, () => Promise.resolve('a third'));
    work.resolve('whole');
    expect([second.first, third.first]).toEqual([true, false]);
    expect(await Promise.all([second.result, third.result])).toEqual(['whole', 'whole']);
  });
});
