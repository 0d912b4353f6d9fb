import { check } from '../lib/check.ts';
import type { Counts } from '../lib/jest-report.ts';
import { noCounts, sumOf } from '../lib/jest-report.ts';
import { orEnd } from '../lib/or-end.ts';
import { itemsOf, testFiles } from './lanes.ts';
import { root } from './report.ts';
import type { Outcome } from './run-items.ts';
import { settings, workersOf } from './settings.ts';

/**
 * Lint, types and unit tests, which need nothing but the packages and are never tried again. Tests begin when a processor has no tool of lint
 * left to run.
 */
export async function runCheckLane(): Promise<Outcome> {
  const startedAt = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1_000)} s`;
  const files = itemsOf('check', testFiles(root)).map(({ file }) => file);
  let tests: Promise<Counts> | undefined;
  const beginTests = () => (tests ??= orEnd(settings.processes.run(files, workersOf('processes'))));
  const linted = await orEnd(check([], beginTests));
  console.log(`lint and types: ${linted ? 'ok' : 'failed'} after ${seconds()}`);
  const counts = await beginTests();
  console.log(`unit tests, ${files.length} files: ${counts.passed} passed, ${counts.failed} failed after ${seconds()}`);
  const lint: Counts = linted ? noCounts : { ...noCounts, failed: 1, failures: ['lint and types'] };
  return { ...sumOf([lint, counts]), flaky: [] };
}
