import type { FileCosts } from '../lib/file-costs.ts';
import type { Item, Setting } from './lanes.ts';
import { nameOf } from './lanes.ts';
import { settings } from './settings.ts';

/** Files of one setting that one process runs, one after another. */
export interface FileTask {
  readonly setting: Setting;
  readonly files: readonly string[];
  /** as far as is known */
  readonly seconds: number;
  /** how many processors it keeps busy: a fraction where it mostly waits */
  readonly processors: number;
}

/** So long is a process that runs several files: starting one takes a second, and loading what they share ten of a processor. */
const togetherSeconds = (setting: Setting): number => (settings[setting].sharesImports ? 90 : 30);

/** A file that computes all the time, and what it starts beside it. */
const mostProcessors = 1.5;

/** What an item takes and how many processors it keeps busy, as measured here or else as usual in its setting. */
export function expectedCost(item: Item, costs: FileCosts): Pick<FileTask, 'seconds' | 'processors'> {
  const { usualSeconds, processors } = settings[item.setting];
  const cost = costs[nameOf(item)];
  if (cost === undefined) return { seconds: usualSeconds, processors };
  const { seconds, processorSeconds } = cost;
  // Where others had the processors it took longer, and seems to need less than it does; and not all that it starts is counted.
  const measured = processorSeconds === undefined || seconds < 5 ? processors : processorSeconds / seconds;
  return { seconds, processors: Math.min(mostProcessors, Math.max(measured, processors)) };
}

/** Divides items among processes, each of one setting. */
export function tasksOf(items: readonly Item[], costs: FileCosts): readonly FileTask[] {
  return [...Map.groupBy(items, ({ setting }) => setting)].flatMap(([setting, all]) => {
    const expected = all.map((item) => ({ item, ...expectedCost(item, costs) }));
    const longestFirst = expected.toSorted((a, b) => b.seconds - a.seconds);
    const { areTogether } = settings[setting];
    const groups: (typeof expected)[] = [];
    for (const one of longestFirst) {
      const last = groups.at(-1);
      const total = (last ?? []).reduce((sum, { seconds }) => sum + seconds, 0);
      if (last !== undefined && areTogether && total + one.seconds <= togetherSeconds(setting)) last.push(one);
      else groups.push([one]);
    }
    return groups.map((group): FileTask => {
      const seconds = group.reduce((sum, one) => sum + one.seconds, 0);
      const busy = group.reduce((sum, one) => sum + one.seconds * one.processors, 0);
      return { setting, files: group.map(({ item }) => item.file), seconds, processors: busy / Math.max(seconds, 0.1) };
    });
  });
}
