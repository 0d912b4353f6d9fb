import { runCheckLane } from '../lanes/check-lane.ts';
import { conclude } from '../lanes/report.ts';

/** `npm run check`: lint, types and unit tests, which need nothing but the packages. For before every commit. */
const startedAt = Date.now();
process.exit(conclude(await runCheckLane(), startedAt));
