import { describe, expect, it } from '@jest/globals';
import { behaviourFiles } from '../../support/run-conformance.ts';

/** Which behaviours an edge is to show. Fails when tests of another kind run on its platform, where they find nothing of theirs. */
describe('behaviours', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['are all without a name', [], ['test/conformance']],
    ['have the name in that of their file', ['suspended'], ['test/conformance/suspended.test.ts']],
    [
      'are each named once',
      ['own-certificate', 'test/conformance/own-certificate.test.ts'],
      ['test/conformance/own-certificate.test.ts'],
    ],
  ])('%s', (_, names, files) => {
    expect(behaviourFiles(names)).toEqual(files);
  });

  it('of a name that none has are none', () => {
    expect(() => behaviourFiles(['suspended', 'suspnded'])).toThrow(/no behaviour has 'suspnded' in its name/);
  });
});
