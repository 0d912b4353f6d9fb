import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { check } from '../../../src/server/request-validation.ts';
import { domainChange, domainNew, pageQuery, sentTime } from '../../../src/server/schemas.ts';
import { projectNew } from '../../../src/server/calls/project-calls.ts';
import { keyNew } from '../../../src/server/calls/key-calls.ts';
import { Problem } from '../../../src/use-cases/problem.ts';

/** What is wrong with an input is said in our words, with where (RFC 6901) and a code. Fails for a sentence of the library that finds it. */

function problemWith(schema: z.ZodType, given: unknown, place: 'body' | 'query' = 'body'): Problem {
  try {
    check(schema, given, place);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const key = { scopes: ['domains:read'] };

describe('a faulty body', () => {
  it.each<[string, z.ZodType, unknown, string, object]>([
    [
      'lacks a field',
      domainNew,
      {},
      'malformed-request',
      { pointer: '/hostname', code: 'required', message: 'it is required' },
    ],
    [
      'is another thing',
      domainNew,
      [],
      'malformed-request',
      { pointer: '', code: 'wrong-type', message: 'send an object' },
    ],
    [
      'has a field of another type',
      domainNew,
      { hostname: 7 },
      'malformed-request',
      { pointer: '/hostname', code: 'wrong-type', message: 'send a text' },
    ],
    [
      'has an unknown value',
      domainChange,
      { role: 'Primary' },
      'malformed-request',
      { pointer: '/role', code: 'unknown-value', message: 'send one of primary, redirect' },
    ],
    [
      'has a status that no redirect has',
      domainChange,
      { redirect: { status: 300 } },
      'invalid-redirect',
      { pointer: '/redirect/status', code: 'unknown-value', message: 'send one of 301, 302, 307, 308' },
    ],
    [
      'has an unknown field, however it is called',
      domainChange,
      { redirect: { status: 301, 'a/b~c': 1 } },
      'unknown-field',
      { pointer: '/redirect/a~1b~0c', code: 'unknown-field', message: 'take it out: there is no such field' },
    ],
    [
      'has a hostname that is too long',
      domainNew,
      { hostname: 'a'.repeat(254) },
      'invalid-hostname',
      { pointer: '/hostname', code: 'too-long', message: 'send at most 253 characters' },
    ],
    [
      'has an empty list',
      keyNew,
      { scopes: [] },
      'malformed-request',
      { pointer: '/scopes', code: 'too-short', message: 'send at least 1 items' },
    ],
    [
      'has something of a list that is unknown',
      keyNew,
      { scopes: ['domains:read', 'all'] },
      'malformed-request',
      { pointer: '/scopes/1', code: 'unknown-value' },
    ],
    [
      'has a time in another form',
      keyNew,
      { ...key, expiresAt: 'tomorrow' },
      'malformed-request',
      { pointer: '/expiresAt', code: 'wrong-form', message: 'send a time in RFC 3339, such as 2026-01-31T12:00:00Z' },
    ],
    [
      'has a number that is too large',
      projectNew,
      { name: 'shop', service: { name: 'web', port: 70_000 } },
      'malformed-request',
      { pointer: '/service/port', code: 'too-large', message: 'send at most 65535' },
    ],
    [
      'has a form of which its schema says what it is',
      projectNew,
      { name: 'Shop', service: { name: 'web', port: 80 } },
      'malformed-request',
      {
        pointer: '/name',
        code: 'wrong-form',
        message: 'write one DNS label: lower case letters, digits and inner hyphens',
      },
    ],
  ])('that %s', (_, schema, given, code, error) => {
    const problem = problemWith(schema, given);
    expect(problem.code).toBe(code);
    expect(problem.members.errors).toEqual([expect.objectContaining(error)]);
  });

  it('names twenty of its faults at most, each with a bounded name', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'x'.repeat(500)}${at}`, 1]));
    const { members, message } = problemWith(domainChange, many);
    expect(members.errors).toHaveLength(20);
    expect(message.length).toBeLessThan(2_000);
  });

  it('is told what no sentence of ours is for in general words', () => {
    const odd = z.strictObject({ at: sentTime, odd: z.number().multipleOf(5) });
    const { members } = problemWith(odd, { at: '2026-01-01T00:00:00Z', odd: 3 });
    expect(members.errors).toEqual([
      { pointer: '/odd', code: 'wrong-form', message: 'it has a form that is not allowed here' },
    ]);
  });
});

it('a faulty query is told by the names of its parameters', () => {
  const { code, members, message } = problemWith(pageQuery, { limit: '500' }, 'query');
  expect([code, message]).toEqual(['malformed-request', 'the query, limit: send at most 100']);
  expect(members.errors).toEqual([{ parameter: 'limit', code: 'too-large', message: 'send at most 100' }]);
});

describe('a hostname is taken', () => {
  it.each([
    ['in upper case', 'WWW.Example.COM', 'www.example.com'],
    ['with a final dot', 'www.example.com.', 'www.example.com'],
    ['in Unicode', 'München.example.com', 'xn--mnchen-3ya.example.com'],
    ['as a wildcard', '*.Example.com', '*.example.com'],
    ['as it is, where it is none', 'not a hostname', 'not a hostname'],
  ])('%s', (_, sent, hostname) => {
    expect(check(domainNew, { hostname: sent, redirect: { to: sent } }, 'body')).toMatchObject({
      hostname,
      redirect: { to: hostname },
    });
  });
});
