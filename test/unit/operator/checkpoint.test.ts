import { describe, expect, it } from '@jest/globals';
import { createUnfinishedWork } from '../../../src/controller-runtime/unfinished-work.ts';
import { createCheckpoint, latestOf } from '../../../src/operator/checkpoint.ts';

function sources(versions: (string | null)[], inherited: string | null = null) {
  const state = { versions, unfinished: createUnfinishedWork() };
  const { unfinished } = state;
  const checkpoint = createCheckpoint({ versions: () => state.versions, unfinished, inherited });
  return { state, checkpoint };
}

describe('a checkpoint', () => {
  it('is the earliest version of all caches, as numbers, once a sample has found nothing to do', () => {
    const { checkpoint } = sources(['1000', '999', '1001']);
    checkpoint.sample();
    expect(checkpoint.version()).toBeNull();
    checkpoint.sample();
    expect(checkpoint.version()).toBe('999');
  });

  it('waits for a cache that has no complete list', () => {
    const { state, checkpoint } = sources(['5', null]);
    checkpoint.sample();
    checkpoint.sample();
    expect(checkpoint.version()).toBeNull();
    state.versions = ['5', '6'];
    checkpoint.sample();
    checkpoint.sample();
    expect(checkpoint.version()).toBe('5');
  });

  it('waits for the work of the events before it, and not for that of later ones', () => {
    const { state, checkpoint } = sources(['5']);
    const before = state.unfinished.begin();
    checkpoint.sample();
    state.versions = ['7'];
    state.unfinished.begin();
    checkpoint.sample();
    expect(checkpoint.version()).toBeNull();
    state.unfinished.end(before);
    checkpoint.sample();
    expect(checkpoint.version()).toBe('5');
  });

  it('is that of its predecessor until it has one of its own: a second crash must not cost the memory of the first', () => {
    const { checkpoint } = sources(['9'], '5');
    expect(checkpoint.version()).toBe('5');
    checkpoint.sample();
    checkpoint.sample();
    expect(checkpoint.version()).toBe('9');
  });

  it('is forgotten when the history is another one, as after a restore of etcd', () => {
    const { state, checkpoint } = sources(['9']);
    checkpoint.sample();
    checkpoint.sample();
    state.versions = ['7'];
    const work = state.unfinished.begin();
    checkpoint.sample();
    expect(checkpoint.version()).toBeNull();
    state.unfinished.end(work);
    checkpoint.sample();
    expect(checkpoint.version()).toBe('7');
  });

  it('is none where a version is no number', () => {
    const { checkpoint } = sources(['9', 'a1']);
    checkpoint.sample();
    checkpoint.sample();
    expect(checkpoint.version()).toBeNull();
  });

  it('stays while work takes very long, and goes on afterwards', () => {
    const { state, checkpoint } = sources(['1']);
    checkpoint.sample();
    checkpoint.sample();
    const long = state.unfinished.begin();
    for (let version = 2; version < 500; version += 1) {
      state.versions = [String(version)];
      checkpoint.sample();
    }
    expect(Number(checkpoint.version())).toBeLessThanOrEqual(2);
    state.unfinished.end(long);
    checkpoint.sample();
    checkpoint.sample();
    expect(Number(checkpoint.version())).toBeGreaterThan(50);
  });

  it.each([
    [['5', null, '10', '9'], '10'],
    [[null], null],
    [[], null],
  ])('the latest of %j is %j', (versions, latest) => {
    expect(latestOf(versions)).toBe(latest);
  });
});
