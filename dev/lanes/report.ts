import { join } from 'node:path';
import { printFailures } from '../lib/jest-report.ts';
import { checkedOut } from './deep-runs.ts';
import { recordFlakyTests } from './flaky-tests.ts';
import type { Outcome } from './run-items.ts';

export const root = join(import.meta.dirname, '../..');

/**
 * Says last what failed, what failed at first, how long it took, and `N passed, N failed, N skipped`; notes what failed at first in
 * test/flaky-tests.json. Gives the exit status.
 */
export function conclude({ passed, failed, skipped, failures, flaky }: Outcome, startedAt: number): 0 | 1 {
  const commit = checkedOut(root);
  if (commit !== null) recordFlakyTests(root, flaky, commit);
  for (const one of flaky) console.log(`flaky: failed at first, passed alone: ${one}`);
  if (flaky.length > 0)
    console.log('flaky tests are in test/flaky-tests.json now: commit it, with the cause where it is known');
  printFailures(failures);
  console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
