import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { leapInsteadOfReal } from './leaping-globals.ts';
import { createLeapingTimers } from './leaping-timers.ts';
import { countOpenRequests } from './open-requests.ts';

/**
 * Loaded before a process of ours (`--import`): its clock leaps when a test says so (test/support/leap.ts), on a socket beside the configuration
 * file that the process is started with. It starts as far ahead as the others of its platform have leapt by then.
 */

const config = process.argv[process.argv.indexOf('--config') + 1] ?? '';
const folder = dirname(config);
const socket = join(folder, `${basename(config, '.json')}.clock`);
const leapt = join(folder, 'leapt');

const { setTimeout, clearTimeout, performance } = globalThis;
const elapsed = performance.now.bind(performance);
const openRequests = countOpenRequests();
/** What runs in this process alone, and packets of DNS, which are answered on the same machine. */
const pauseMs = 10;
/** Longer than anybody takes to answer who answers at all. */
const answeredWithinMs = 2_000;

async function settled(): Promise<void> {
  const until = elapsed() + answeredWithinMs;
  do {
    await new Promise((done) => setTimeout(done, pauseMs));
  } while (openRequests() > 0 && elapsed() < until);
}

const leaping = createLeapingTimers(
  { elapsed, start: (run, ms) => setTimeout(run, ms), stop: (timer) => clearTimeout(timer), settled },
  existsSync(leapt) ? Number(readFileSync(leapt, 'utf8')) : 0,
);
leapInsteadOfReal(leaping);

rmSync(socket, { force: true });
createServer((connection) => {
  connection.on('error', () => connection.destroy());
  connection.once('data', (ms: Buffer) => {
    void leaping.leap(Number(ms.toString())).then(() => connection.end());
  });
})
  .listen(socket)
  .unref();
