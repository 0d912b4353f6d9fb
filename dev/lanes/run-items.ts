import type { FileCost } from '../lib/file-costs.ts';
import { readFileCosts, recordFileCosts } from '../lib/file-costs.ts';
import type { FileMessage } from '../lib/file-progress.ts';
import { tellProgress } from '../lib/file-progress.ts';
import type { Counts } from '../lib/jest-report.ts';
import { noCounts, sumOf } from '../lib/jest-report.ts';
import { runJest, runTogether } from '../lib/jest.ts';
import { thisMachine } from '../lib/machine.ts';
import { orEnd } from '../lib/or-end.ts';
import type { Started } from '../../test/support/run-conformance.ts';
import type { Item, Setting } from './lanes.ts';
import { nameOf } from './lanes.ts';
import type { Task } from './schedule.ts';
import { runTasks } from './schedule.ts';
import type { Shared } from './settings.ts';
import { settings } from './settings.ts';
import type { FileTask } from './tasks.ts';
import { tasksOf } from './tasks.ts';

/** What came of items: of those that passed when they were tried again, `flaky` has what failed at first. */
export interface Outcome extends Counts {
  readonly flaky: readonly string[];
  /** of `failedFiles` in which setting each failed; none where they were run by no lane */
  readonly failedItems: readonly Item[];
}

/** Of what nobody tries again. */
export const finalOutcome = (counts: Counts): Outcome => ({ ...counts, flaky: [], failedItems: [] });

export const nothing: Outcome = finalOutcome(noCounts);

export interface RunOptions {
  /** what else runs beside them */
  readonly beside?: readonly Task[];
  /** hears of each item that ended, also of one that runs once more */
  readonly ended?: (item: Item, cost: FileCost) => void;
}

/**
 * Runs items side by side, as many as the machine carries. A file of real parts that fails runs once more when all others have ended, alone;
 * what passes then is told as flaky and is no failure. What each file took is kept (dev/lib/file-costs.ts).
 */
export async function runItems(
  items: readonly Item[],
  { beside = [], ended = () => undefined }: RunOptions = {},
): Promise<Outcome> {
  const costs = readFileCosts();
  const shared = createShared();
  const progress = tellProgress();
  const run = async ({ setting, files }: Pick<FileTask, 'setting' | 'files'>): Promise<Counts> => {
    const heard = (message: FileMessage): void => {
      progress.heard(message);
      if (!('ended' in message)) return;
      const { ended: file, ...rest } = message;
      const cost = { ...rest, at: new Date().toISOString() };
      recordFileCosts({ [nameOf({ file, setting })]: cost });
      ended({ file, setting }, cost);
    };
    const others = await shared.envOf(setting).catch((error: unknown) => String(error));
    if (typeof others === 'string') return notStarted(files, others);
    const { env, sharesImports } = settings[setting];
    const jest = { env: { ...env, ...others }, heard };
    const counts = await (sharesImports ? runTogether(files, jest) : runJest(['--runTestsByPath', ...files], jest));
    // Of a process that left no report nobody knows which file it was, nor of what no test of several files did.
    const isKnown = counts.failedFiles.length > 0 && counts.failedFiles.every((file) => files.includes(file));
    return counts.failed > 0 && !isKnown ? { ...counts, failedFiles: files } : counts;
  };
  try {
    const outcomes: { readonly setting: Setting; readonly counts: Counts }[] = [];
    const fileTasks = tasksOf(items, costs);
    const left = new Map<Shared, number>();
    const count = (shares: Shared, change: 1 | -1): number => {
      const now = (left.get(shares) ?? 0) + change;
      left.set(shares, now);
      return now;
    };
    for (const { setting } of fileTasks) {
      const { shares } = settings[setting];
      if (shares !== undefined) count(shares, 1);
    }
    const tasks = fileTasks.map((task): Task => {
      const { memoryBytes, isAlone, shares } = settings[task.setting];
      const { seconds, processors, setting } = task;
      return {
        ...{ name: task.files.join(', '), seconds, processors, memoryBytes },
        ...{ shares: shares?.name ?? null, isAlone },
        run: async () => {
          outcomes.push({ setting, counts: await run(task) });
          if (shares !== undefined && count(shares, -1) === 0) await shared.stop(shares);
        },
      };
    });
    await orEnd(runTasks([...beside, ...tasks], thisMachine()));
    return await tryAgain(outcomes, run);
  } finally {
    progress.stop();
    await shared.stopAll();
  }
}

/** Of files whose setting did not start. */
const notStarted = (files: readonly string[], why: string): Counts => ({
  ...noCounts,
  failed: files.length,
  failures: files.map((file) => `${file}\n    ${why}`),
  failedFiles: files,
});

/** What files share, begun when the first of them runs. */
function createShared() {
  const started = new Map<Shared, Promise<Started>>();
  return {
    async envOf(setting: Setting): Promise<Started['env']> {
      const { shares } = settings[setting];
      if (shares === undefined) return {};
      const one = started.get(shares) ?? shares.start();
      started.set(shares, one);
      one.catch(() => started.delete(shares));
      return (await one).env;
    },
    /** What is not used any more: an idle platform keeps a sixth of a processor busy. */
    async stop(shares: Shared): Promise<void> {
      const one = started.get(shares);
      started.delete(shares);
      await one?.then((found) => found.stop()).catch(() => undefined);
    },
    async stopAll(): Promise<void> {
      for (const shares of started.keys()) await this.stop(shares);
    },
  };
}

/** Runs what failed once more, a file at a time, where its setting says so. */
async function tryAgain(
  outcomes: readonly { readonly setting: Setting; readonly counts: Counts }[],
  run: (task: Pick<FileTask, 'setting' | 'files'>) => Promise<Counts>,
): Promise<Outcome> {
  const results: Outcome[] = [];
  for (const { setting, counts } of outcomes) {
    const itemsOf = (files: readonly string[]): readonly Item[] => files.map((file) => ({ file, setting }));
    if (!settings[setting].isTriedAgain || counts.failedFiles.length === 0) {
      results.push({ ...finalOutcome(counts), failedItems: itemsOf(counts.failedFiles) });
      continue;
    }
    console.log(`${setting}: ${counts.failedFiles.join(', ')} failed and runs once more, alone`);
    for (const failure of counts.failures) console.log(`at first: ${failure}`);
    const again: Counts[] = [];
    for (const file of counts.failedFiles) again.push(await run({ setting, files: [file] }));
    const { failed, failures, failedFiles } = sumOf(again);
    const isFlaky = (failure: string) => !failedFiles.some((file) => failure.startsWith(file));
    const passed = counts.passed + (counts.failed - failed);
    const flaky = counts.failures.filter(isFlaky);
    results.push({ ...counts, passed, failed, failures, failedFiles, flaky, failedItems: itemsOf(failedFiles) });
  }
  return sumOutcomes(results);
}

/** Of several runs together. */
export const sumOutcomes = (outcomes: readonly Outcome[]): Outcome => ({
  ...sumOf(outcomes),
  flaky: outcomes.flatMap(({ flaky }) => flaky),
  failedItems: outcomes.flatMap(({ failedItems }) => failedItems),
});
