import { afterEach, describe, expect, it } from '@jest/globals';
import { NotSeen, eventually, expectThat, within } from '../../../dev/lib/eventually.ts';

const patience = process.env.PROJECTDOMAIN_PATIENCE;

afterEach(() => {
  if (patience === undefined) delete process.env.PROJECTDOMAIN_PATIENCE;
  else process.env.PROJECTDOMAIN_PATIENCE = patience;
});

const never = (): Promise<never> => Promise.reject(new Error('not yet'));

/** Fails when a test run is no more patient than it says, or when a time that is meant is stretched with the others. */
describe('waiting', () => {
  it.each<[string, typeof eventually, string, string]>([
    ['what must come is waited for as many times longer as is asked', eventually, '4', '0.4 s'],
    ['without a wish, it is waited for as long as the caller says', eventually, '1', '0.1 s'],
    ['a time that is meant is kept', within, '4', '0.1 s'],
  ])('%s', async (_, wait, wished, expected) => {
    process.env.PROJECTDOMAIN_PATIENCE = wished;
    const failure = await wait('it', 100, never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotSeen);
    expect(String(failure)).toContain(`it: not seen within ${expected}; last: not yet`);
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
