import { describe, expect, it } from '@jest/globals';
import { fill, parameterNames, pluralForm } from '../../../../src/dashboard/words/message.ts';

/** Fails when a text loses a part, changes the order of its parameters, or shows a brace to a customer. */
describe('a text is filled in order', () => {
  it.each([
    ['a text without parameters', 'Sign out', {}, ['Sign out']],
    ['an empty text', '', {}, []],
    ['a parameter at the end', 'Expires on {date}', { date: 'D' }, ['Expires on ', 'D']],
    ['a parameter at the start', '{count} domains', { count: 3 }, [3, ' domains']],
    ['two parameters side by side', '{one}{two}', { one: 1, two: 2 }, [1, 2]],
    ['one parameter twice', '{a} and {a}', { a: 'x' }, ['x', ' and ', 'x']],
    ['a value that looks like a parameter', 'At {host}', { host: '{date}' }, ['At ', '{date}']],
    ['braces that name no parameter', 'Write {} or { }', {}, ['Write {} or { }']],
  ] as const)('%s', (_, text, params, parts) => {
    expect(fill<unknown>(text, params)).toEqual(parts);
  });

  it('a missing parameter is an error, so that no page shows half a sentence', () => {
    expect(() => fill('Expires on {date}', {})).toThrow('the parameter date of "Expires on {date}" is missing');
  });

  it('names the parameters of a text in order', () => {
    expect(parameterNames('{a} of {b}')).toEqual(['a', 'b']);
  });
});

/** Fails when a number meets the form of another one. */
describe('the form of a text follows its number', () => {
  const english = new Intl.PluralRules('en');
  const polish = new Intl.PluralRules('pl');
  const domains = { one: '{count} domain', other: '{count} domains' };
  const domeny = { one: '{count} domena', few: '{count} domeny', other: '{count} domen' };

  it.each([
    ['English, none', domains, english, 0, '{count} domains'],
    ['English, one', domains, english, 1, '{count} domain'],
    ['English, many', domains, english, 21, '{count} domains'],
    ['Polish, few', domeny, polish, 3, '{count} domeny'],
    ['Polish, a category without a text of its own', domeny, polish, 5, '{count} domen'],
    ['a text without forms', 'Sign out', english, undefined, 'Sign out'],
  ] as const)('%s', (_, message, rules, count, form) => {
    expect(pluralForm(message, rules, count)).toBe(form);
  });
});
