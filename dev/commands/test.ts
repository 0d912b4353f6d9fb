import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { runWithLint } from '../lanes/check-lane.ts';
import { chosenOnce } from '../lanes/choose-items.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';
import { finalOutcome, runItems } from '../lanes/run-items.ts';
import { runJest } from '../lib/jest.ts';

/**
 * `npm test`: lint, types, unit tests, and on real parts what has to hold before every landing; the last line is
 * `N passed, N failed, N skipped`, before it each test that failed. What else there is runs in shards (`npm run test:shard`) or all at once
 * (`npm run test:all`). Arguments choose among all tests by their paths (`npm test -- test/unit`), and lint is left out then; with options among them all go to jest.
 */
const chosen = process.argv.slice(2);
const startedAt = Date.now();

async function everything() {
  await beforeRealParts();
  const files = testFiles(root);
  return runWithLint([...itemsOf('check', files), ...itemsOf('test', files)]);
}

/** Of files that are all below test/unit nothing but the packages is needed. */
async function some() {
  if (chosen.some((argument) => argument.startsWith('-'))) return finalOutcome(await runJest(chosen));
  const items = chosenOnce(chosen);
  if (!items.every(({ file }) => file.startsWith('test/unit'))) await beforeRealParts();
  return runItems(items);
}

process.exit(conclude(await (chosen.length > 0 ? some() : everything()), startedAt));
