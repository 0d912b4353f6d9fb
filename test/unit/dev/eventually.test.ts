import { describe, expect, it } from '@jest/globals';
import { Ended, NotSeen, eventually, expectThat, within } from '../../../dev/lib/eventually.ts';

const never = (): Promise<never> => Promise.reject(new Error('not yet'));

/** Fails when what must come is given up as soon as on a machine with nothing else to do, or a time that is meant is stretched as well. */
describe('waiting', () => {
  it.each<[string, typeof eventually, string]>([
    ['what must come is waited for six times as long as it may take', eventually, '0.6 s'],
    ['a time that is meant is kept', within, '0.1 s'],
  ])('%s', async (_, wait, expected) => {
    const failure = await wait('it', 100, never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotSeen);
    expect(String(failure)).toContain(`it: not seen within ${expected}; last: not yet`);
  });

  it('ends at once where what it would come from has ended', async () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      return Promise.reject(new Ended('it is gone'));
    };
    await expect(eventually('it', 60_000, look)).rejects.toThrow('it is gone');
    expect(looks).toBe(1);
  });

  it('gives what was seen, at the first look that does not complain', async () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      expectThat(looks === 3, 'too early');
      return Promise.resolve(looks);
    };
    expect(await eventually('the third look', 60_000, look)).toBe(3);
  });
});
