import { describe, expect, it } from '@jest/globals';
import type { ComparedRequest } from '../../../../src/server/idempotency/request-text.ts';
import { requestText } from '../../../../src/server/idempotency/request-text.ts';

const request: ComparedRequest = {
  method: 'post',
  path: '/v1/projects/{project}/domains',
  params: { project: 'shop' },
  query: { dryRun: 'false' },
  ifMatch: undefined,
  body: { hostname: 'www.example.com', redirect: { to: 'example.com', status: 301 }, list: [1, 2] },
};
const text = requestText(request);

describe('two requests', () => {
  it.each<[string, Partial<ComparedRequest>]>([
    ['the same', {}],
    [
      'fields in another order',
      { body: { list: [1, 2], redirect: { status: 301, to: 'example.com' }, hostname: 'www.example.com' } },
    ],
  ])('are the same: %s', (_, other) => {
    expect(requestText({ ...request, ...other })).toBe(text);
  });

  it.each<[string, Partial<ComparedRequest>]>([
    ['method', { method: 'patch' }],
    ['path', { path: '/v1/projects/{project}/domain-config' }],
    ['parameter of the path', { params: { project: 'blog' } }],
    ['query', { query: {} }],
    ['body', { body: { hostname: 'www.example.com' } }],
    ['field inside the body', { body: { ...(request.body as object), redirect: { to: 'example.com', status: 302 } } }],
    ['order of a list', { body: { ...(request.body as object), list: [2, 1] } }],
    ['condition', { ifMatch: '"uid.1.hash"' }],
    ['no body', { body: undefined }],
    ['a number that is a text', { body: { ...(request.body as object), list: ['1', 2] } }],
    ['a text that is moved from one part to another', { params: {}, query: { project: 'shop', dryRun: 'false' } }],
  ])('are not the same with another %s', (_, other) => {
    expect(requestText({ ...request, ...other })).not.toBe(text);
  });
});
