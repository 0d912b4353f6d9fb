import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { runWithLint } from '../lanes/check-lane.ts';
import { deepItems, noteDeepRuns } from '../lanes/deep-lane.ts';
import { itemsOf, testFiles } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';

/** `npm run test:all`: every test there is, in more than an hour; figures and campaigns have commands of their own. It needs root. */
const startedAt = Date.now();
await beforeRealParts({ onNode: true });
const files = testFiles(root);
const items = [...(['check', 'test', 'node'] as const).flatMap((lane) => itemsOf(lane, files)), ...deepItems()];
process.exit(conclude(await runWithLint(items, { ended: noteDeepRuns() }), startedAt));
