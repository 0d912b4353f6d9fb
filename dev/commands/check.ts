import { runWithLint } from '../lanes/check-lane.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';

/** `npm run check`: lint, types and unit tests, which need nothing but the packages. For before every commit. */
const startedAt = Date.now();
process.exit(conclude(await runWithLint(itemsOf('check', testFiles(root))), startedAt));
