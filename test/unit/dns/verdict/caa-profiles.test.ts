import { describe, expect, it } from '@jest/globals';
import { allCases } from '../../../caa/all-cases.ts';
import type { CaaCase } from '../../../caa/caa-case.ts';
import { inAWord, ourVerdict } from '../../../caa/caa-case.ts';
import { caaProfileOf } from '../../../../src/dns/verdict/caa-profile.ts';

const rows = allCases.map((one): [string, string, string, CaaCase] => [one.sentence, one.boulder, one.strict, one]);

/** Fails when one of the profiles reads CAA records in another way; `npm run campaign:caa` holds the first against Boulder. */
describe('CAA records by profile', () => {
  it.each(rows)('%s: boulder %s, strict %s', (_, boulder, strict, input) => {
    expect({ boulder: inAWord(ourVerdict(input, 'boulder')), strict: inAWord(ourVerdict(input, 'strict')) }).toEqual({
      boulder,
      strict,
    });
  });
});

/** Fails when an authority of which nothing is known would be taken for Boulder. */
describe('the profile of an authority', () => {
  it.each<[string, readonly string[], string]>([
    ["Let's Encrypt runs Boulder", ['letsencrypt.org'], 'boulder'],
    ['its domain is configured in another case', ['LetsEncrypt.org'], 'boulder'],
    ['an authority of which nothing is known', ['ca.test'], 'strict'],
    ['several domains, one of them unknown', ['letsencrypt.org', 'ca.test'], 'strict'],
    ['no domain', [], 'strict'],
    ['a domain below it', ['staging.letsencrypt.org'], 'strict'],
  ])('%s: %s is %s', (_, domains, profile) => {
    expect(caaProfileOf(domains)).toBe(profile);
  });
});
