import type { DeepRun, DeepRuns } from './deep-runs.ts';
import type { Item } from './lanes.ts';
import { nameOf } from './lanes.ts';

/** A shard takes ten minutes at most, as far as was measured. */
const shardSeconds = 600;

/** Something of the deep lane with what is known of it. */
interface Candidate {
  readonly item: Item;
  readonly last: DeepRun | undefined;
  readonly hasChanged: boolean;
}

/**
 * What of the deep lane runs next: all that has changed since it passed, then what passed longest ago, until the shard is full.
 * `sideBySide` is how many files of a setting run at a time, and `usualSeconds` what one takes that was never measured.
 */
export function chooseShard(
  items: readonly Item[],
  { runs }: DeepRuns,
  {
    hasChanged,
    sideBySide,
    usualSeconds,
  }: {
    readonly hasChanged: (file: string, last: DeepRun) => boolean;
    readonly sideBySide: (item: Item) => number;
    readonly usualSeconds: (item: Item) => number;
  },
): readonly Item[] {
  const candidates = items.map((item): Candidate => {
    const last = runs[nameOf(item)];
    return { item, last, hasChanged: last !== undefined && hasChanged(item.file, last) };
  });
  const changed = candidates.filter((one) => one.hasChanged);
  const others = candidates.filter((one) => !one.hasChanged).toSorted(byAge);
  const chosen: Candidate[] = [];
  let seconds = 0;
  for (const one of [...changed, ...others]) {
    const more = (one.last?.seconds ?? usualSeconds(one.item)) / sideBySide(one.item);
    // What is longer than a shard runs alone.
    if (!one.hasChanged && chosen.length > 0 && seconds + more > shardSeconds) continue;
    chosen.push(one);
    seconds += more;
  }
  return chosen.map(({ item }) => item);
}

/** What never ran first; what ran with the same commit in the order of its name. */
const byAge = (a: Candidate, b: Candidate): number =>
  (a.last?.commits ?? 0) - (b.last?.commits ?? 0) || (nameOf(a.item) < nameOf(b.item) ? -1 : 1);

/** What passed more commits ago than is good, by name. */
export const overdue = (items: readonly Item[], { since, runs }: DeepRuns, commits: number): readonly string[] =>
  items.map(nameOf).filter((name) => commits - (runs[name]?.commits ?? since) > overdueAfter);

/** Commits. */
const overdueAfter = 150;
