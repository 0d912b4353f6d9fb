import { describe, expect, it } from '@jest/globals';
import { isWholeHostname, wwwCounterpart } from '../../../src/rules/hostname.ts';

/** The two hostnames that visitors try for one site, and texts that are worth a look at DNS. */

describe('the other one of www and the bare domain', () => {
  it.each<[string, string | null, string]>([
    ['example.com', 'www.example.com', 'the bare domain has www'],
    ['www.example.com', 'example.com', 'www has the bare domain'],
    ['example.co.uk', 'www.example.co.uk', 'the public suffix decides what is bare, not the number of labels'],
    ['www.example.co.uk', 'example.co.uk', 'the same the other way round'],
    ['mine.github.io', 'www.mine.github.io', 'a private suffix counts: nobody owns github.io'],
    ['shop.example.com', null, 'a subdomain stands for itself'],
    ['www.shop.example.com', null, 'www of a subdomain too'],
    ['www.www.example.com', null, 'and www of www'],
    ['www.co.uk', 'www.www.co.uk', 'below a suffix www is a name like any other'],
    ['co.uk', null, 'nobody can add a suffix'],
    ['com', null, 'nor a top-level domain'],
    ['WWW.example.com', null, 'only the one spelling of hostnames is read'],
    ['', null, 'nothing has no counterpart'],
  ])('of %j is %j: %s', (hostname, other) => {
    expect(wwwCounterpart(hostname)).toBe(other);
  });

  it('is none where it would be longer than a hostname can be', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}`;
    const name = `${'d'.repeat(57)}.com`;
    expect(wwwCounterpart(name)).toBe(`www.${name}`);
    expect(wwwCounterpart(`${long}.${'d'.repeat(57)}.com`)).toBe(null);
  });
});

describe('a text that is being typed', () => {
  it.each([
    ['www.example.com', true],
    ['example.co.uk', true],
    ['www.example.c', false],
    ['www.example', false],
    ['www.', false],
    ['co.uk', false],
    ['*.example.com', false],
    ['192.0.2.1', false],
  ])('%j is a whole hostname: %s', (text, whole) => {
    expect(isWholeHostname(text)).toBe(whole);
  });
});
