import type { UnfinishedWork } from '../../src/controller-runtime/unfinished-work.ts';
import { turnsOfLoop } from './turns-of-loop.ts';

/** Resolves once every sweep has ended that has begun by now. */
export async function swept(sweeps: UnfinishedWork): Promise<void> {
  const epoch = sweeps.nextEpoch();
  while (!sweeps.isDone(epoch)) await turnsOfLoop(1);
}
