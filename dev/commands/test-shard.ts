import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { deepItems, runDeepItems } from '../lanes/deep-lane.ts';
import { changedSince, readDeepRuns } from '../lanes/deep-runs.ts';
import { nameOf } from '../lanes/lanes.ts';
import { conclude, root } from '../lanes/report.ts';
import { workersOf } from '../lanes/settings.ts';
import { chooseShard } from '../lanes/shard.ts';

/**
 * `npm run test:shard`: ten minutes of what `npm test` leaves out. First what has changed since it passed, then what passed longest ago. What
 * passes is noted in test/deep-runs.json, which is to be committed: so the next shard is another one.
 */
const startedAt = Date.now();
const changes = new Map<string, ReadonlySet<string>>();
const changed = (commit: string): ReadonlySet<string> => {
  const known = changes.get(commit) ?? changedSince(root, commit);
  changes.set(commit, known);
  return known;
};
const shard = chooseShard(deepItems(), readDeepRuns(root), {
  hasChanged: (file, { commit }) => changed(commit).has(file),
  sideBySide: ({ setting }) => workersOf(setting),
});
console.log(`this shard: ${shard.map(nameOf).join(', ')}`);
await beforeRealParts();
process.exit(conclude(await runDeepItems(shard), startedAt));
