import { describe, expect, it } from '@jest/globals';
import {
  printable,
  visible,
  visibleData,
  visibleJson,
  visibleLines,
  visibleMarkup,
} from '../../../src/lib/printable.ts';

/** Text of others, as each door to people shows it. */

describe('text that others wrote', () => {
  it.each<[sort: string, text: string, shown: string]>([
    ['plain text', 'www.example.com', 'www.example.com'],
    ['letters of any script', 'bücher, 日本, שלום, e\u0301', 'bücher, 日本, שלום, e\u0301'],
    ['a character outside of the basic plane', '🦊', '🦊'],
    ['spaces, as a record has them', 'v=spf1  -all', 'v=spf1  -all'],
    ['an escape', 'a\u001b[2Jb', 'a?[2Jb'],
    ['OSC 52, which writes the clipboard', '\u001b]52;c;cm0=\u0007', '?]52;c;cm0=?'],
    ['an escape of eight bits', '\u009b31m', '?31m'],
    ['null, backspace and delete', '\0\b\u007f', '???'],
    ['the ends of lines, of any kind', 'a\nb\rc\u0085d\u2028e\u2029f', 'a?b?c?d?e?f'],
    ['an override and its end', 'a\u202eb\u202c', 'a?b?'],
    ['isolates', '\u2066a\u2067b\u2068c\u2069', '?a?b?c?'],
    ['marks of direction', '\u200e\u200f\u061c', '???'],
    ['nothing of any width', '\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f', '???????'],
    ['fillers', '\u115f\u3164\uffa0', '???'],
    ['tags', '\u{e0001}\u{e0041}', '??'],
    ['variation selectors', '\ufe00\ufe0f\u{e0100}\u{e01ef}\u180b', '?????'],
    ['a Persian hostname, with the joiner that it is spelt with', 'نامه\u200cای.com', 'نامه\u200cای.com'],
    ['a joiner behind a vowel sign', 'خانهٔ\u200cما', 'خانهٔ\u200cما'],
    ['Hindi, with joiners behind a virama', 'क्\u200cष क्\u200dष', 'क्\u200cष क्\u200dष'],
    ['Bengali, with a joiner before a virama', 'র\u200d্যাব', 'র\u200d্যাব'],
    ['Malayalam, with a joiner at the end of a word', 'അവന്\u200d വന്നു', 'അവന്\u200d വന്നു'],
    ['Sinhala', 'ශ්\u200dරී', 'ශ්\u200dරී'],
    ['Tamil and Gujarati', 'க்\u200cஷ ક્\u200dષ', 'க்\u200cஷ ક્\u200dષ'],
    ['an emoji of several', '👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
    ['an emoji of several, with the colour of a skin', '👩🏽\u200d💻', '👩🏽\u200d💻'],
    ['an emoji with its selector', '❤\ufe0f 🏳\ufe0f\u200d🌈', '❤\ufe0f 🏳\ufe0f\u200d🌈'],
    ['a keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['joiners between letters that are not joined', 'a\u200cb pay\u200dpal日\u200d本', 'a?b pay?pal日?本'],
    ['a joiner between a joined letter and another', 'ن\u200cb a\u200cن', 'ن?b a?ن'],
    ['a joiner at the end of an Arabic word, or behind its comma', 'نامه\u200c ،\u200cن', 'نامه? ،?ن'],
    ['a joiner behind a mark of direction, though that is of its script', '\u061c\u200cن', '??ن'],
    ['joiners in a row', 'ن\u200c\u200cن क्\u200d\u200dष 👩\u200d\u200d👧', 'ن??ن क्\u200d?ष 👩??👧'],
    ['a joiner that joins an emoji to nothing', '👩\u200d a\u200d👩', '👩? a?👩'],
    ['selectors on what is no emoji, or twice', '1\ufe0f a\ufe0f ❤\ufe0f\ufe0f', '1? a? ❤\ufe0f?'],
    ['other selectors on an emoji', '❤\ufe0e❤\ufe00❤\u{e0100}', '❤?❤?❤?'],
    ['a joiner behind what is reserved for an emoji', '\u{1faff}\u200d👧', '??👧'],
    ['tags on a flag, which can be any text', '🏴\u{e0067}\u{e007f}', '🏴??'],
    ['an emoji between which text is hidden', '👩\u200d\u{e0041}\u200d👧', '👩???👧'],
    ['a Mongolian selector and separator', 'ᠠ\u180bᠠ\u180eᠠ', 'ᠠ?ᠠ?ᠠ'],
    ['halves of surrogate pairs', '\ud800a\udc00', '?a?'],
    ['private use, and what is no character', '\ue000\uffff', '??'],
  ])('has %s shown: %j as %j', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(visible(shown)).toBe(shown);
    expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
  });

  it('keeps its lines where it has lines, and white space where that is nothing but space', () => {
    expect(visibleLines('a\nb\r\u2028\tc')).toBe('a\nb???c');
    expect(visibleMarkup('a\nb\r\n\tc\u2028\u001b')).toBe('a\nb\r\n\tc??');
  });

  it.each<[string, string, number, string]>([
    ['is one space between words', 'a \t\n\u00a0\u2003b', 9, 'a b'],
    ['is cut between code points', '🦊🦊🦊', 2, '🦊🦊'],
    ['is not cut where it fits', '🦊🦊🦊', 3, '🦊🦊🦊'],
    ['hides nothing', 'a\u202eb', 9, 'a?b'],
    ['keeps no joiner at its cut end', 'نامه\u200cای', 5, 'نامه?'],
  ])('as a title %s', (_, text, atMost, shown) => {
    expect(printable(text, atMost)).toBe(shown);
  });

  it('is shown wherever it stands in data, and nothing else of it is changed', () => {
    const data = { a: ['\u001b', 1, null, { b: '\n' }], c: true };
    expect(visibleData(data)).toEqual({ a: ['?', 1, null, { b: '?' }], c: true });
  });

  it('is the same for whoever parses the JSON, in lines of which nothing is hidden', () => {
    const json = JSON.stringify({ a: '\u007f\u009b\u202e\u{e0041}\u2028é' }, null, 2);
    expect(visibleJson(json)).toBe('{\n  "a": "\\u007f\\u009b\\u202e\\udb40\\udc41\\u2028é"\n}');
  });
});
