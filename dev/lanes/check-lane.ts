import { tools } from '../lib/check.ts';
import type { Item } from './lanes.ts';
import type { Outcome } from './run-items.ts';
import { nothing, runItems, sumOutcomes } from './run-items.ts';
import type { Task } from './schedule.ts';

/** Runs lint and types beside items. */
export async function runWithLint(
  items: readonly Item[],
  options: Parameters<typeof runItems>[1] = {},
): Promise<Outcome> {
  const startedAt = Date.now();
  const checks = tools(false);
  let open = checks.length;
  let isClean = true;
  const beside = checks.map((tool): Task => ({
    ...{
      name: tool.name,
      // Early: whoever broke it wants to know.
      seconds: tool.seconds + 100,
      processors: 1,
      memoryBytes: 1e9,
      shares: null,
      isAlone: false,
    },
    run: async () => {
      isClean = (await tool.run()) && isClean;
      open -= 1;
      if (open > 0) return;
      const took = Math.round((Date.now() - startedAt) / 1_000);
      console.log(`lint and types: ${isClean ? 'ok' : 'failed'} after ${took} s`);
    },
  }));
  const outcome = await runItems(items, { ...options, beside });
  const lint: Outcome = isClean ? nothing : { ...nothing, failed: 1, failures: ['lint and types'] };
  return sumOutcomes([lint, outcome]);
}
