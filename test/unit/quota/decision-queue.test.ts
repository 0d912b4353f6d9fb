import { expect, it } from '@jest/globals';
import { createDecisionQueue } from '../../../src/quota/decision-queue.ts';

// Would fail if an account with many requests could keep others out of the next batch.
it('takes one of each budget, then the next of each, in the order in which they came', () => {
  const queue = createDecisionQueue<string>();
  for (let index = 0; index < 5; index += 1) queue.add('busy', `busy ${index}`);
  queue.add('calm', 'calm 0');
  queue.add('quiet', 'quiet 0');
  expect(queue.take(4)).toEqual(['busy 0', 'calm 0', 'quiet 0', 'busy 1']);
  queue.add('calm', 'calm 1');
  expect(queue.size()).toBe(4);
  expect(queue.take(10)).toEqual(['busy 2', 'calm 1', 'busy 3', 'busy 4']);
  expect(queue.take(10)).toEqual([]);
  expect(queue.size()).toBe(0);
});
