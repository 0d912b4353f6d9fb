import { describe, expect, it } from '@jest/globals';
import { english } from '../../../../src/dashboard/words/catalogue.ts';
import { createWords } from '../../../../src/dashboard/words/words.ts';

const at = new Date('2026-11-22T16:04:59Z');

/** Fails when pages of a language write dates, numbers or texts as another language does. */
describe('words of a language', () => {
  const words = createWords(english);

  it('keep a parameter that is no text as it is, for templates to escape', () => {
    const element = { text: '<b>x</b>' };
    expect(words.say('time.utc', { time: element })).toEqual([element, ' UTC']);
  });

  it('are one string where an attribute needs one', () => {
    expect(words.text('time.utc', { time: '16:04' })).toBe('16:04 UTC');
  });

  it.each([
    ['a minute', words.minute(at), '22 Nov 2026, 16:04'],
    ['a day', words.day(at), '22 Nov 2026'],
    ['a number', words.number(100_000), '100,000'],
    ['a number inside a text', words.text('time.utc', { time: 1_000 }), '1,000 UTC'],
  ])('write %s in the manner of the language', (_, written, expected) => {
    expect(written).toBe(expected);
  });

  it('are German where the catalogue says so', () => {
    const german = createWords({ ...english, language: 'de' });
    expect([german.number(1_000.5), german.minute(at)]).toEqual(['1.000,5', '22.11.2026, 16:04']);
  });
});
