import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { untilStopped } from '../lib/until-stopped.ts';
import { startPlatform, writeFacts } from '../platform/platform.ts';

/** `npm run platform -- --dir DIR`: the platform with our processes, for other programs to drive, until a signal. */
const { values } = parseArgs({ options: { dir: { type: 'string' } } });
if (values.dir === undefined) {
  console.error('usage: npm run platform -- --dir DIR');
  process.exit(3);
}
const dir = resolve(values.dir);
const stopped = untilStopped();
const platform = await startPlatform({ dir, progress: (line) => console.error(line), ours: true });
writeFacts(dir, platform.facts);
console.error(`ready: ${dir}/platform.json; stop with Ctrl-C`);
await stopped;
await platform.stop();
process.exit(0);
