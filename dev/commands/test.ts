import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { runCheckLane } from '../lanes/check-lane.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';
import { runJest } from '../lib/jest.ts';
import { sumOf } from '../lib/jest-report.ts';

/**
 * `npm test`: lint, types, unit tests, and on real parts what has to hold before every landing; the last line is
 * `N passed, N failed, N skipped`, before it each test that failed. What else there is runs in shards (`npm run test:shard`) or all at once
 * (`npm run test:all`). Arguments go to jest and choose among all tests (`npm test -- test/unit`); lint is left out then.
 */
const chosen = process.argv.slice(2);
const startedAt = Date.now();

async function everything() {
  await beforeRealParts();
  const checked = await runCheckLane();
  const { flaky, ...counts } = await runItems(itemsOf('test', testFiles(root)));
  return { ...sumOf([checked, counts]), flaky };
}

/** Of paths that are all below test/unit nothing but the packages is needed. */
async function some() {
  const paths = chosen.filter((argument) => argument.startsWith('test/'));
  if (!paths.every((path) => path.startsWith('test/unit'))) await beforeRealParts();
  return { ...(await runJest(chosen, 1)), flaky: [] };
}

process.exit(conclude(await (chosen.length > 0 ? some() : everything()), startedAt));
