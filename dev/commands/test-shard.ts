import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { deepItems, deepItemsNamed, noteDeepRuns } from '../lanes/deep-lane.ts';
import { changedSince, readDeepRuns } from '../lanes/deep-runs.ts';
import { failingBefore } from '../lanes/earlier-commit.ts';
import type { Item } from '../lanes/lanes.ts';
import { itemsOf, nameOf, testFiles } from '../lanes/lanes.ts';
import { nodeObstacle } from '../lanes/node-obstacle.ts';
import { conclude, root } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';
import { settings } from '../lanes/settings.ts';
import { chooseShard } from '../lanes/shard.ts';
import { argumentsOf } from '../lib/arguments.ts';
import { thisMachine } from '../lib/machine.ts';

/**
 * `npm run test:shard`: ten minutes of what `npm test` leaves out. First what has changed since it passed, then what passed longest ago. What
 * passes is noted in test/deep-runs.json, which is to be committed: so the next shard is another one. What fails and never passed before, as far
 * as anybody noted, stops no landing, nor what fails at the commit at which it passed last as well: whatever is landing need not be the cause.
 *
 * `npm run test:shard -- 'test/scale/counts.test.ts (alone)'` runs what is named, as `npm run lanes` names it. With --node a shard has the chart on a
 * node of its own beside it, where a node can be made: one waits for much of the time in which the other computes.
 */
const startedAt = Date.now();
const { values, positionals: named } = argumentsOf({ options: { node: { type: 'boolean' } }, allowPositionals: true });
const known = readDeepRuns(root);

function chosen(): readonly Item[] {
  const changes = new Map<string, ReadonlySet<string>>();
  const changed = (commit: string): ReadonlySet<string> => {
    const since = changes.get(commit) ?? changedSince(root, commit);
    changes.set(commit, since);
    return since;
  };
  const { processors } = thisMachine();
  const sideBySide = ({ setting }: Item): number =>
    settings[setting].isAlone ? 1 : Math.max(1, processors / settings[setting].processors);
  return chooseShard(deepItems(), known, {
    hasChanged: (file, { commit }) => changed(commit).has(file),
    sideBySide,
    usualSeconds: ({ setting }) => settings[setting].usualSeconds,
  });
}

/** What runs on a node, unless none is asked for or can be made. */
function onNode(): readonly Item[] {
  if (!values.node) return [];
  const why = nodeObstacle();
  if (why !== null) console.log(`the chart was not installed on a node: ${why}`);
  return why === null ? itemsOf('node', testFiles(root)) : [];
}

const shard = named.length > 0 ? deepItemsNamed(named) : chosen();
console.log(`this shard: ${shard.map(nameOf).join(', ')}`);
const beside = onNode();
await beforeRealParts({ onNode: beside.length > 0 });
const outcome = await runItems([...shard, ...beside], { ended: noteDeepRuns() });
const status = conclude(outcome, startedAt);
const { failedItems: failed } = outcome;
if (status === 0 || failed.length === 0 || named.length > 0) process.exit(status);

const passedAt = (item: Item) => known.runs[nameOf(item)]?.commit;
const failedBefore = await failingBefore(root, failed, passedAt);
const isDeep = ({ setting }: Item) => setting !== 'node';
const isNobodys = (item: Item) => isDeep(item) && (passedAt(item) === undefined || failedBefore.includes(item));
for (const item of failed.filter(isNobodys)) {
  const why = failedBefore.includes(item)
    ? `fails at ${passedAt(item)} as well, where it passed`
    : 'never passed before';
  console.log(`STILL TO MEND, though it stops nothing: ${nameOf(item)} ${why}`);
}
process.exit(failed.every(isNobodys) ? 0 : 1);
