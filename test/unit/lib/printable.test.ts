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
    ['halves of surrogate pairs', '\ud800a\udc00', '?a?'],
    ['private use, and what is no character', '\ue000\uffff', '??'],
  ])('has %s shown: %j as %j', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
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
