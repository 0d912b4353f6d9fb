import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { chosenBelow } from '../lanes/choose-items.ts';
import { noteDeepRuns } from '../lanes/deep-lane.ts';
import { conclude } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';

/**
 * `npm run browser`: the dashboard in real browsers against the real platform. Arguments choose among the tests.
 * With PROJECTDOMAIN_SHOTS set the pictures in docs/dashboard are taken anew.
 */
const startedAt = Date.now();
const items = chosenBelow(['test/browser/'], process.argv.slice(2));
await beforeRealParts();
process.exit(conclude(await runItems(items, { ended: noteDeepRuns() }), startedAt));
