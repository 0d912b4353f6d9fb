import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { chosenBelow } from '../lanes/choose-items.ts';
import { noteDeepRuns } from '../lanes/deep-lane.ts';
import { conclude } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';

/**
 * `npm run adversary`: every attack on real parts, one file each. `test/adversary/parts` attacks one part at a time and is
 * in `npm test` too; `test/adversary/platform` attacks a whole platform, which is started once for all of its files;
 * so is the API server of Kubernetes that many parts need. Arguments choose among the files.
 */
const startedAt = Date.now();
const items = chosenBelow(['test/adversary/'], process.argv.slice(2));
await beforeRealParts();
process.exit(conclude(await runItems(items, { ended: noteDeepRuns() }), startedAt));
