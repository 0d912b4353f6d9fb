import { describe, expect, it, jest } from '@jest/globals';
import { isOwnershipText } from '../../../../src/dns/verdict/ownership-verdict.ts';

const proof = 'projectdomain-verify=x';

describe('white space around the text of a record', () => {
  it.each([
    ['none', proof],
    ['blanks', `  ${proof}   `],
    ['a tab and a line end, escaped', `\\009${proof}\\013\\010`],
    ['both', ` \\009 ${proof}`],
  ])('%s: it is ours', (_, value) => {
    expect(isOwnershipText(value)).toBe(true);
  });

  // One pattern for the end was tried from each blank of the run: 64 texts took 175 ms, for each name server.
  it.each([
    ['blanks', ' '],
    ['escaped tabs', '\\009'],
  ])('a thousand %s inside it are not looked at', (_, blank) => {
    const looked = jest.spyOn(RegExp.prototype, 'exec');
    const isOurs = isOwnershipText(`x${blank.repeat(1_022)}x`);
    const lengths = looked.mock.calls.map(([text]) => text.length);
    looked.mockRestore();
    expect(isOurs).toBe(false);
    expect(lengths).toEqual([4, 4]);
  });
});
