import { describe, expect, it } from '@jest/globals';
import { bothForms, unicodeOf } from '../../../src/use-cases/unicode-hostname.ts';

describe('a hostname of other letters than ours', () => {
  it.each([
    ['xn--mnchen-3ya.example.com', 'münchen.example.com'],
    ['www.xn--bcher-kva.example', 'www.bücher.example'],
    ['*.xn--mnchen-3ya.example.com', '*.münchen.example.com'],
    ['xn--fsqu00a.xn--0zwm56d', '例子.测试'],
  ])('%s is written as %s, beside its A-labels', (hostname, expected) => {
    expect(unicodeOf(hostname)).toBe(expected);
    expect(bothForms(hostname)).toBe(`${expected} (${hostname})`);
  });

  it.each([
    ['has no A-label', 'www.example.com'],
    ['has a label that is no A-label', 'xn--zzzzzzzzzzzz99999.example.com'],
    ['has a label that no text leads to', 'xn--a.example.com'],
    ['is no hostname', '<script>xn--'],
  ])('that %s stays as it is', (_, hostname) => {
    expect(unicodeOf(hostname)).toBeNull();
    expect(bothForms(hostname)).toBe(hostname);
  });
});
