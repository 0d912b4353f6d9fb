import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';
import { check } from '../../../src/server/request-validation.ts';
import { listAccountDomainsCall } from '../../../src/server/calls/account-domains-call.ts';

/** What may be asked of the list of an account's domains, as Node.js' parser of queries gives it: a parameter that is repeated is a list. */

const { query } = listAccountDomainsCall;
const read = (given: object) => query && check(query, given, 'query');

describe('a query for domains', () => {
  it.each<[string, object, object]>([
    ['of nothing', {}, { limit: 50, sort: 'hostname' }],
    ['of one state', { state: 'live' }, { state: ['live'] }],
    ['of several states', { state: ['live', 'degraded'] }, { state: ['live', 'degraded'] }],
    ['of a reason', { reason: 'record-missing' }, { reason: ['record-missing'] }],
    ['of labels', { label: ['customer:cus_1', 'region'] }, { label: ['customer:cus_1', 'region'] }],
    ['of a label without a value', { label: 'note:' }, { label: ['note:'] }],
    ['of a label whose value has colons', { label: 'url:https://a' }, { label: ['url:https://a'] }],
    ['of what needs action', { needsAction: 'true' }, { needsAction: true }],
    ['of what needs none', { needsAction: 'false' }, { needsAction: false }],
    ['of the newest', { sort: '-createdAt', limit: '100' }, { sort: '-createdAt', limit: 100 }],
  ])('%s is read', (_, given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });

  it.each<[string, object, string]>([
    ['a state that there is not', { state: 'Lively' }, 'write states such as pending'],
    ['states with commas', { state: 'live,degraded' }, 'each in a parameter of its own'],
    ['no state', { state: '' }, 'write states such as pending'],
    ['more states than there are', { state: Array.from({ length: 7 }, () => 'live') }, 'write states'],
    ['a reason as resources have it', { reason: 'RecordMissing' }, 'reasons such as record-missing'],
    ['21 reasons', { reason: Array.from({ length: 21 }, () => 'a') }, 'up to 20 reasons'],
    ['six labels', { label: Array.from({ length: 6 }, () => 'a') }, 'up to 5 labels'],
    ['a label without a name', { label: ':cus_1' }, 'up to 5 labels such as customer:cus_1'],
    ['a label with an equals sign', { label: 'customer=cus_1' }, 'up to 5 labels'],
    ['a value that hides something', { label: 'a:\u202eb' }, 'up to 5 labels'],
    ['a label longer than any', { label: `a:${'v'.repeat(400)}` }, 'up to 5 labels'],
    ['an empty text', { q: '' }, 'q'],
    ['a text of 254 characters', { q: 'a'.repeat(254) }, 'q'],
    ['two texts', { q: ['a', 'b'] }, 'q'],
    ['two projects', { project: ['a', 'b'] }, 'project'],
    ['a role that there is not', { role: 'Primary' }, 'role'],
    ['yes', { needsAction: 'yes' }, 'needsAction'],
    ['an order that there is not', { sort: '-hostname' }, 'sort'],
    ['101 items', { limit: '101' }, 'limit'],
  ])('with %s is refused', (_, given, part) => {
    expect(() => read(given)).toThrow(
      expect.objectContaining({ code: 'malformed-request', message: expect.stringContaining(part) }),
    );
  });

  it('with a parameter that nobody knows is refused', () => {
    expect(() => read({ namespace: 'other' })).toThrow(expect.objectContaining({ code: 'unknown-field' }));
  });

  it('is described as lists where parameters may be repeated', () => {
    const { paths } = openApiDocument(apiCalls) as {
      paths: Record<
        string,
        { get: { parameters: { name: string; schema: { type?: string; $ref?: string; anyOf?: unknown } }[] } }
      >;
    };
    const parameters = paths['/v1/domains']?.get.parameters ?? [];
    const lists = parameters.filter(({ schema }) => schema.type === 'array').map(({ name }) => name);
    expect(lists).toEqual(['state', 'reason', 'label']);
    expect(parameters.filter(({ schema }) => schema.type === undefined && schema.$ref === undefined)).toEqual([]);
  });
});
