import { describe, expect, it } from '@jest/globals';
import type { ValidatingResolver } from '../../../src/dns/dnssec-facts.ts';
import { opinionOf } from '../../../src/dns/dnssec-facts.ts';
import { resolver, says } from '../../support/dnssec-facts.ts';

/** When resolvers are believed that a name is bogus: when an authority would refuse it, and two of them say so. */

const valid = resolver(says('valid'));
const bogus = resolver(says('bogus'));
const silent = resolver(says('unanswered'));
const noRecords = says('valid', 'AAAA', false);

describe('resolvers together', () => {
  it.each<[string, readonly ValidatingResolver[], string]>([
    ['two that validate', [valid, valid], 'valid'],
    ['one that validates beside a silent one', [valid, silent], 'valid'],
    ['two that say bogus', [bogus, bogus], 'bogus'],
    ['two of three that say bogus', [bogus, valid, bogus], 'bogus'],
    ['one that says bogus beside one that validates', [bogus, valid], 'uncertain'],
    ['one that says bogus beside a silent one', [bogus, silent], 'uncertain'],
    ['one that says bogus, alone', [bogus], 'uncertain'],
    ['two silent ones', [silent, silent], 'uncertain'],
    ['none', [], 'uncertain'],
  ])('%s', (_, resolvers, opinion) => {
    expect(opinionOf(resolvers)).toBe(opinion);
  });
});

describe('a resolver', () => {
  const climb = (...steps: readonly Parameters<typeof says>[]) => steps.map((step) => says(...step));
  it.each<[string, ValidatingResolver, string]>([
    ['addresses of one family are enough', resolver(says('valid'), says('bogus', 'AAAA')), 'valid'],
    ['a family without records does not replace one that is bogus', resolver(says('bogus'), noRecords), 'bogus'],
    [
      'bogus CAA above the first set does not matter',
      resolver(says('valid'), ...climb(['valid', 'CAA'], ['bogus', 'CAA'])),
      'valid',
    ],
    [
      'bogus CAA below the first set does',
      resolver(says('valid'), ...climb(['bogus', 'CAA'], ['valid', 'CAA'])),
      'bogus',
    ],
    [
      'bogus CAA where the name itself has none',
      resolver(says('valid'), ...climb(['valid', 'CAA', false], ['bogus', 'CAA'])),
      'bogus',
    ],
    ['a bogus ownership record', resolver(says('valid'), says('bogus', 'TXT')), 'bogus'],
    ['no answer to one question', resolver(says('valid'), says('unanswered', 'CAA')), 'uncertain'],
    ['bogus beside no answer', resolver(says('unanswered'), says('bogus', 'CAA')), 'bogus'],
  ])('%s', (_, one, opinion) => {
    expect(opinionOf([one, one])).toBe(opinion);
  });
});
