import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { runCheckLane } from '../lanes/check-lane.ts';
import { deepItems, runDeepItems } from '../lanes/deep-lane.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';
import { sumOf } from '../lib/jest-report.ts';

/** `npm run test:all`: every test there is, in more than an hour; figures and campaigns have commands of their own. It needs root. */
const startedAt = Date.now();
await beforeRealParts({ onNode: true });
const checked = await runCheckLane();
const files = testFiles(root);
const landing = await runItems([...itemsOf('test', files), ...itemsOf('node', files)]);
const deep = await runDeepItems(deepItems());
const flaky = [...landing.flaky, ...deep.flaky];
process.exit(conclude({ ...sumOf([checked, landing, deep]), flaky }, startedAt));
