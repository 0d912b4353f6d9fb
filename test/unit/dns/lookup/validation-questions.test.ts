import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import { validationQuestions } from '../../../../src/dns/lookup/validation-questions.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const request = { hostname, target, txtName: null, txtRequired: false, caa: false, dnssec: { platformAddresses: [] } };
const withCuts = (facts_: NameFacts, ...zones: readonly string[]): NameFacts => ({
  ...facts_,
  cuts: zones.map((zone) => ({ zone, servers: 2, agreeing: 2 })),
});

describe('where signatures can be at fault', () => {
  it.each<[string, NameFacts[], string[][]]>([
    [
      'from the registry’s delegation down, for each name on the way',
      [
        withCuts(name(hostname, [addresses('-> o.gl.example.org')]), '', 'com', 'example.com'),
        withCuts(name('o.gl.example.org', [addresses(`-> ${target}`)]), '', 'org', 'example.org', 'gl.example.org'),
      ],
      [['example.com'], ['example.org', 'gl.example.org'], ['example.net']],
    ],
    [
      'at the registry’s delegation where the walk found nothing',
      [name(hostname, [addresses(`-> ${target}`)])],
      [['example.com'], ['example.net']],
    ],
    [
      'at no cut that is not above the name',
      [withCuts(name(hostname, [addresses(`-> ${target}`)]), '', 'com', 'example.com', 'other.example.com')],
      [['example.com'], ['example.net']],
    ],
  ])('%s', (_, names, paths) => {
    const [question] = validationQuestions(facts(hostname, names), request);
    expect(question?.paths).toEqual(paths);
  });
});
