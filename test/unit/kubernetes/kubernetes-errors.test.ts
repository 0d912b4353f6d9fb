import { describe, expect, it } from '@jest/globals';
import {
  isConflict,
  isGone,
  isNotFound,
  kubernetesError,
  retryAfterMs,
  TransportError,
} from '../../../src/kubernetes/kubernetes-errors.ts';

describe('Retry-After', () => {
  it.each([
    ['seconds', '7', 7_000],
    ['zero', '0', 0],
    ['absent', undefined, null],
    ['a date, which the API server never sends', 'Fri, 21 Nov 2025 00:00:00 GMT', null],
    ['negative', '-1', null],
  ])('%s', (_, header, ms) => {
    expect(retryAfterMs(header)).toBe(ms);
  });
});

describe('an error of the API server', () => {
  it('says status, reason and message of its Status object', () => {
    const body = JSON.stringify({ kind: 'Status', reason: 'Conflict', message: 'the object has been modified' });
    const error = kubernetesError(409, body, '2');
    expect(error).toMatchObject({ status: 409, reason: 'Conflict', retryAfterMs: 2_000 });
    expect(error.message).toBe('409 Conflict: the object has been modified');
  });

  it('quotes the beginning of whatever stands in place of a Status object', () => {
    const error = kubernetesError(502, `<html>${'x'.repeat(10_000)}`, undefined);
    expect(error.reason).toBe('Status502');
    expect(error.message).toContain('<html>xxx');
    expect(error.message.length).toBeLessThan(400);
  });

  it.each(['null', '"text"', '[]', '{}'])('is made of the JSON %s too', (body) => {
    expect(kubernetesError(500, body, undefined)).toMatchObject({ status: 500, reason: 'Status500' });
  });

  it.each([
    ['isNotFound', isNotFound, 404],
    ['isConflict', isConflict, 409],
    ['isGone', isGone, 410],
  ])('%s knows its status and nothing else', (_, is, status) => {
    expect(is(kubernetesError(status, '', undefined))).toBe(true);
    expect(is(kubernetesError(500, '', undefined))).toBe(false);
    expect(is(new TransportError('connection refused'))).toBe(false);
  });
});
