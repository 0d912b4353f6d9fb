import { check } from '../lib/check.ts';
import type { Counts } from '../lib/jest.ts';
import { runJest } from '../lib/jest.ts';
import { findTools } from '../platform/tools.ts';

/**
 * `npm test`: lint, types and every test; the last line is `N passed, N failed, N skipped`. Arguments go to jest and
 * choose among the tests (`npm test -- test/unit`); lint is left out then.
 */
interface Group {
  readonly name: string;
  readonly paths: readonly string[];
  readonly workers: number;
}

/** What runs on real parts mostly waits, for certificates and for patience to end. */
const groups: readonly Group[] = [
  { name: 'unit and faults', paths: ['test/unit', 'test/faults'], workers: 2 },
  { name: 'attacks on single parts', paths: ['test/adversary/parts'], workers: 1 },
  { name: 'real parts', paths: ['test/cluster', 'test/e2e'], workers: 3 },
  { name: 'browser', paths: ['test/browser/short.test.ts'], workers: 1 },
];

const chosen = process.argv.slice(2);
const startedAt = Date.now();

const seconds = (since: number) => `${Math.round((Date.now() - since) / 1_000)} s`;

async function everything(): Promise<readonly Counts[]> {
  const linted = await check([]);
  console.log(`lint and types: ${linted ? 'ok' : 'failed'} after ${seconds(startedAt)}`);
  await findTools((line) => console.error(line));
  const counts: Counts[] = [{ passed: 0, failed: linted ? 0 : 1, skipped: 0 }];
  for (const { name, paths, workers } of groups) {
    const begun = Date.now();
    const count = await runJest(paths, workers);
    console.log(`${name}: ${count.passed} passed, ${count.failed} failed after ${seconds(begun)}`);
    counts.push(count);
  }
  return counts;
}

const counts = chosen.length > 0 ? [await runJest(chosen, 1)] : await everything();
const sum = (key: keyof Counts) => counts.reduce((total, count) => total + count[key], 0);
console.log(`took ${seconds(startedAt)}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
