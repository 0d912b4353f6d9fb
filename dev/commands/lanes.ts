import { readFileCosts } from '../lib/file-costs.ts';
import { checkedOut, readDeepRuns } from '../lanes/deep-runs.ts';
import type { Lane } from '../lanes/lanes.ts';
import { itemsOf, nameOf, testFiles } from '../lanes/lanes.ts';
import { root } from '../lanes/report.ts';

/** `npm run lanes`: what each lane and each of its files cost here the last time, and when each deep file passed last. */
const lanes: readonly Lane[] = ['check', 'test', 'node', 'deep', 'bench'];
const files = testFiles(root);
const costs = readFileCosts();
const { runs } = readDeepRuns(root);
const here = checkedOut(root);

const ago = (name: string): string => {
  const run = runs[name];
  if (run === undefined) return 'never noted';
  return here === null ? `passed at ${run.commit}` : `passed ${here.commits - run.commits} commits ago`;
};

for (const lane of lanes) {
  const rows = itemsOf(lane, files)
    .map((item) => {
      const name = nameOf(item);
      const { seconds = runs[name]?.seconds ?? 0, processorSeconds = 0 } = costs[name] ?? {};
      return { name, seconds, processorSeconds };
    })
    .toSorted((a, b) => b.seconds - a.seconds);
  const total = (of: 'seconds' | 'processorSeconds') => Math.round(rows.reduce((sum, row) => sum + row[of], 0));
  console.log(
    `${lane}: ${rows.length} files, ${total('seconds')} s one after another, ${total('processorSeconds')} of a processor`,
  );
  for (const { name, seconds, processorSeconds } of rows) {
    const when = lane === 'deep' ? `, ${ago(name)}` : '';
    const [wall, busy] = [seconds, processorSeconds].map((value) => value.toFixed(1).padStart(7));
    console.log(`  ${wall} s ${busy}  ${name}${when}`);
  }
}
