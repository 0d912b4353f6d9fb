import { checkChanged } from '../lanes/check-changed.ts';
import { runWithLint } from '../lanes/check-lane.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';

/**
 * `npm run check`: lint, types and unit tests, which need nothing but the packages. For before every commit; with `-- --changed` what differs from the
 * last commit alone.
 */
const startedAt = Date.now();
const [option, ...more] = process.argv.slice(2);
if (more.length > 0 || (option !== undefined && option !== '--changed')) {
  console.error('npm run check takes nothing, or -- --changed');
  process.exit(3);
}
const outcome = option === undefined ? runWithLint(itemsOf('check', testFiles(root))) : checkChanged();
process.exit(conclude(await outcome, startedAt));
