import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAsk } from './ask.ts';

/**
 * A thread of its own, so that whoever measures beside it does not wait for its turns. It goes on whatever it is told, by
 * several keys in turns, from the message `start` to the message `stop`, and then posts how often it got each status.
 */
const { url, keys } = workerData as { readonly url: string; readonly keys: readonly string[] };

const loops = 8;
/** Ten times what the plan of the account allows. */
const requestsPerSecond = 200;

const ask = createAsk();
const counts = new Map<number, number>();
let isLoud = false;
let running: Promise<unknown> = Promise.resolve();

async function goOn(loop: number): Promise<void> {
  for (let turn = loop; isLoud; turn += 1) {
    const { status } = await ask(url, keys[turn % keys.length] ?? '');
    counts.set(status, (counts.get(status) ?? 0) + 1);
    await sleep((1_000 * loops) / requestsPerSecond);
  }
}

function start(): void {
  isLoud = true;
  counts.clear();
  running = Promise.all(Array.from({ length: loops }, (_, loop) => goOn(loop)));
}

async function stop(): Promise<void> {
  isLoud = false;
  await running;
  parentPort?.postMessage(Object.fromEntries(counts));
}

parentPort?.on('message', (message: 'start' | 'stop') => {
  if (message === 'start') start();
  else void stop();
});
