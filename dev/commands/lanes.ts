import { readFileTimes } from '../lib/file-times.ts';
import { checkedOut, readDeepRuns } from '../lanes/deep-runs.ts';
import type { Lane } from '../lanes/lanes.ts';
import { itemsOf, nameOf, testFiles } from '../lanes/lanes.ts';
import { root } from '../lanes/report.ts';

/** `npm run lanes`: what each lane and each of its files cost here the last time, and when each deep file passed last. */
const lanes: readonly Lane[] = ['check', 'test', 'node', 'deep', 'bench'];
const files = testFiles(root);
const times = readFileTimes();
const { runs } = readDeepRuns(root);
const here = checkedOut(root);

const ago = (name: string): string => {
  const run = runs[name];
  if (run === undefined) return 'never noted';
  return here === null ? `passed at ${run.commit}` : `passed ${here.commits - run.commits} commits ago`;
};

for (const lane of lanes) {
  const items = itemsOf(lane, files);
  const secondsOf = (file: string, name: string) => runs[name]?.seconds ?? times[file]?.seconds ?? 0;
  const rows = items
    .map((item) => ({ ...item, name: nameOf(item), seconds: secondsOf(item.file, nameOf(item)) }))
    .toSorted((a, b) => b.seconds - a.seconds);
  const total = Math.round(rows.reduce((sum, { seconds }) => sum + seconds, 0));
  console.log(`${lane}: ${items.length} files, ${total} s one after another`);
  for (const { name, seconds } of rows) {
    const when = lane === 'deep' ? `, ${ago(name)}` : '';
    console.log(`  ${seconds.toFixed(1).padStart(7)} s  ${name}${when}`);
  }
}
