import type { Steps } from './counted-slices.ts';
import type { WorkQueue } from '../../src/controller-runtime/work-queue.ts';
import { turnsOfLoop } from './turns-of-loop.ts';

/** Resolves once no sweep gives a piece any more: one that is under way does so in each turn of the event loop. */
export async function swept(steps: Steps): Promise<void> {
  for (let before = -1; before !== steps.count();) {
    before = steps.count();
    await turnsOfLoop(3);
  }
}

const last = 'last/last';

/** Takes everything out of a queue that was added to it by now. A key is due within a millisecond, and one that is added last not before the others. */
export async function keysIn(queue: WorkQueue): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const keys: string[] = [];
  queue.add(last, { priority: 'low' });
  for (let isLastSeen = false; !isLastSeen || queue.depth() > 0;) {
    const key = (await queue.take(signal)) ?? last;
    queue.done(key);
    if (key === last) isLastSeen = true;
    else keys.push(key);
  }
  return keys;
}
