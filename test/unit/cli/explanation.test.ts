import { describe, expect, it } from '@jest/globals';
import type { Explanation } from '../../../src/cli/check/explanation.ts';
import { printExplanation } from '../../../src/cli/check/explanation.ts';

/** What `projectdomain check --explain` shows of a name: each server's answer, its TTL where there is one, and not more values than a person reads. */

const answer = { server: 'ns1 (192.0.2.53)', type: 'A', outcome: 'records', ttl: 300, values: ['192.0.2.1'] };
const explained = (answers: Explanation['names'][number]['answers'], zone: string | null = 'example.com') =>
  printExplanation({ delegation: [], names: [{ name: 'www.example.com', zone, answers }] }, []).join('\n');

describe('an explanation', () => {
  it.each<[string, Explanation['names'][number]['answers'], RegExp]>([
    ['has the seconds of a TTL', [answer], /ns1 \(192\.0\.2\.53\)\s+A\s+records\s+300 s\s+192\.0\.2\.1/],
    ['has a dash where there is none', [{ ...answer, outcome: 'timeout', ttl: null, values: [] }], /timeout\s+-/],
    ['has eight values', [{ ...answer, values: [...'12345678'] }], /1, 2, 3, 4, 5, 6, 7, 8\s*$/m],
    ['and says that there are more', [{ ...answer, values: [...'123456789'] }], /7, 8, …\s*$/m],
    ['says that nobody was asked', [], /no server was queried/],
  ])('%s', (_, answers, shown) => {
    expect(explained(answers)).toMatch(shown);
  });

  it.each([
    ['example.com', 'in zone example.com'],
    ['', 'in zone .'],
    [null, 'whose zone was not found'],
  ])('names the zone %j', (zone, said) => {
    expect(explained([], zone)).toContain(`www.example.com, ${said}:`);
  });
});
