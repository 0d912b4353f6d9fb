import { describe, expect, it } from '@jest/globals';
import {
  KubernetesError,
  TransportError,
  HistoryChangedError,
  needsNewList,
  isEarlier,
} from '../../../src/kubernetes/kubernetes-errors.ts';

/** When a version cannot be gone on from. */

const answered = (status: number, message: string) =>
  new KubernetesError({ status, reason: 'Scripted', message, retryAfterMs: null });

describe('a version', () => {
  it.each<[string | null, string | null, boolean, string]>([
    ['9', '10', true, 'they are numbers, not text'],
    ['10', '9', false, 'it is later'],
    ['10', '10', false, 'it is the same'],
    ['9007199254740992', '9007199254740993', true, 'it may be larger than what JavaScript counts exactly'],
    ['abc', '10', false, 'one of them is no number'],
    ['', '10', false, 'an empty one says nothing'],
    ['9', null, false, 'nothing was known'],
    [null, '9', false, 'nothing was said'],
  ])('%s beside %s: earlier is %s, because %s', (version, than, wanted) => {
    expect(isEarlier(version, than)).toBe(wanted);
  });

  it.each<[string, unknown, boolean]>([
    ['is gone', answered(410, 'too old resource version'), true],
    ['lies in the future', answered(504, 'Too large resource version: 900, current: 40'), true],
    ['is doubted', new HistoryChangedError('the kube-apiserver was unavailable'), true],
    ['was asked for in vain', answered(504, 'etcdserver: request timed out'), false],
    ['was refused for its number of requests', answered(429, 'too many requests'), false],
    ['was cut off', new TransportError('socket hang up'), false],
  ])('that %s', (_, error, wanted) => {
    expect(needsNewList(error)).toBe(wanted);
  });
});
