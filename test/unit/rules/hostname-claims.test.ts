import { describe, expect, it } from '@jest/globals';
import { formerHolders } from '../../../src/rules/hostname-claims.ts';
import { claim } from '../../support/snapshot.ts';

const heldBy = (namespace: string, former?: readonly string[]) =>
  claim({ holder: { namespace, name: 'www' }, ...(former && { formerHolders: [...former] }) }).spec;
const many = Array.from({ length: 8 }, (_, index) => `n${index}`);

describe('what a claim remembers of its former holders', () => {
  it.each([
    ['a first claim remembers nobody', undefined, 'acme', undefined],
    ['the same namespace again is no former holder', heldBy('acme'), 'acme', undefined],
    ['a name that moves remembers where it was', heldBy('acme'), 'beta', ['acme']],
    ['the latest is the last', heldBy('beta', ['acme']), 'gamma', ['acme', 'beta']],
    ['who takes it back is a former holder no longer', heldBy('beta', ['acme']), 'acme', ['beta']],
    [
      'who held it twice is remembered once, as the latest',
      heldBy('acme', ['acme', 'beta']),
      'gamma',
      ['beta', 'acme'],
    ],
    ['of more than eight the oldest is forgotten', heldBy('n8', many), 'n9', [...many.slice(1), 'n8']],
  ])('%s', (_, before, namespace, expected) => {
    expect(formerHolders(before, namespace)).toEqual(expected);
  });
});
