import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { deepItems, noteDeepRuns } from '../lanes/deep-lane.ts';
import { changedSince, readDeepRuns } from '../lanes/deep-runs.ts';
import type { Item } from '../lanes/lanes.ts';
import { nameOf } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';
import { settings } from '../lanes/settings.ts';
import { chooseShard } from '../lanes/shard.ts';
import { thisMachine } from '../lib/machine.ts';

/**
 * `npm run test:shard`: ten minutes of what `npm test` leaves out. First what has changed since it passed, then what passed longest ago. What
 * passes is noted in test/deep-runs.json, which is to be committed: so the next shard is another one. What fails and never passed before, as far
 * as anybody noted, stops no landing: whatever is landing need not be the cause.
 */
const startedAt = Date.now();
const changes = new Map<string, ReadonlySet<string>>();
const changed = (commit: string): ReadonlySet<string> => {
  const known = changes.get(commit) ?? changedSince(root, commit);
  changes.set(commit, known);
  return known;
};
const known = readDeepRuns(root);
const { processors } = thisMachine();
const sideBySide = ({ setting }: Item): number =>
  settings[setting].isAlone ? 1 : Math.max(1, processors / settings[setting].processors);
const shard = chooseShard(deepItems(), known, {
  hasChanged: (file, { commit }) => changed(commit).has(file),
  sideBySide,
  usualSeconds: ({ setting }) => settings[setting].usualSeconds,
});
console.log(`this shard: ${shard.map(nameOf).join(', ')}`);
await beforeRealParts();
const outcome = await runItems(shard, { ended: noteDeepRuns() });
const status = conclude(outcome, startedAt);
const { failedItems: failed } = outcome;
const isNew = failed.every((item) => known.runs[nameOf(item)] === undefined);
if (status === 0 || failed.length === 0 || !isNew) process.exit(status);
console.log(`STILL TO MEND, though it stops nothing: ${failed.map(nameOf).join(', ')} never passed before`);
