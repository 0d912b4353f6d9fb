import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../../src/server/api-call.ts';
import { hasDoneNothing, keptText, repeatedAnswer } from '../../../../src/server/idempotency/kept-answer.ts';
import { KubernetesError } from '../../../../src/kubernetes/kubernetes-errors.ts';
import { Problem } from '../../../../src/use-cases/problem.ts';

async function* stream() {
  yield await Promise.resolve('data');
}

describe('an answer', () => {
  it.each<[string, Answer, Answer]>([
    [
      'that something was made, with where it is',
      { status: 201, body: { name: 'shop' }, headers: { location: '/v1/projects/shop' } },
      { status: 201, json: '{"name":"shop"}', headers: { location: '/v1/projects/shop' } },
    ],
    ['that a check was asked for', { status: 202, body: {} }, { status: 202, json: '{}', headers: {} }],
    ['that is JSON already', { status: 200, json: '{"a":1}' }, { status: 200, json: '{"a":1}', headers: {} }],
    ['without a body', { status: 204 }, { status: 204, headers: {} }],
    [
      'with characters that nobody sees, written as they are sent',
      { status: 200, body: '\u202e' },
      { status: 200, json: String.raw`"\u202e"`, headers: {} },
    ],
  ])('%s is kept as it is, and says that it is a repeated one', (_, given, again) => {
    const headers = { ...again.headers, 'idempotency-replayed': 'true' };
    expect(repeatedAnswer(keptText(given) ?? '')).toEqual({ ...again, headers });
  });

  it.each<[string, Answer]>([
    ['a redirect', { status: 303 }],
    ['a refusal', { status: 409, body: {} }],
    ['a fault', { status: 503, body: {} }],
    ['an interim one', { status: 100 }],
    ['a stream', { status: 200, events: stream() }],
  ])('is not kept where it is %s', (_, given) => {
    expect(keptText(given)).toBeNull();
  });
});

const fromCluster = (status: number, reason: string) =>
  new KubernetesError({ status, reason, message: 'scripted', retryAfterMs: null });

describe('a request that failed', () => {
  it.each<[string, unknown]>([
    ['was refused by a rule', new Problem('hostname-in-use', 'it is')],
    ['had too many others before it', new Problem('too-many-writes', 'there are')],
    ['was over its quota', new Problem('quota-exceeded', 'it was')],
    ['met a conflict in the cluster', fromCluster(409, 'Conflict')],
    ['is forbidden by the cluster', fromCluster(403, 'Forbidden')],
  ])('has done nothing where it %s', (_, error) => {
    expect(hasDoneNothing(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['the cluster does not answer', fromCluster(503, 'ServiceUnavailable')],
    ['its client left', new Problem('starting', 'it did')],
    ['nobody knows why', new TypeError('a fault of ours')],
    ['the cluster was too slow', fromCluster(504, 'Timeout')],
  ])('may have done something where %s', (_, error) => {
    expect(hasDoneNothing(error)).toBe(false);
  });
});
