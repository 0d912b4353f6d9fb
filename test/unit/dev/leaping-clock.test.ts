import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { leap, leapingClock } from '../../support/leap.ts';

const folder = temporaryFolder('leaping-clock');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const longMs = 10_000;

/** A program that knows nothing of leaps: whatever it does after ten seconds by any clock of Node's, it says. */
const program = `
import { setTimeout as sleep, setInterval as ticks } from 'node:timers/promises';
import { setTimeout as ofTimers } from 'node:timers';
import { promisify } from 'node:util';
const begun = { wall: Date.now(), date: new Date().getTime(), monotonic: performance.now() };
const longMs = ${longMs};
const passed = (from, to) => Math.round((to - from) / longMs);
const say = (what) => console.log(what);
setTimeout((what) => say(what), longMs, 'setTimeout');
ofTimers(() => say('node:timers'), longMs + 1);
sleep(longMs + 2, 'node:timers/promises').then(say);
promisify(setTimeout)(longMs + 3).then(() => say('promisify'));
const cleared = setTimeout(() => say('cleared'), longMs);
clearTimeout(cleared);
const ended = new AbortController();
sleep(longMs, null, { signal: ended.signal }).catch(({ name }) => say(name));
ended.abort();
let ticked = 0;
const interval = setInterval(() => { if ((ticked += 1) === 10) { clearInterval(interval); say('setInterval'); } }, 1_000);
setTimeout(() => {
  say(JSON.stringify([passed(begun.wall, Date.now()), passed(begun.date, new Date()), passed(begun.monotonic, performance.now())]));
  say('end');
}, longMs + 1_000);
say('begun');
`;

function start() {
  const script = join(folder, 'program.mjs');
  writeFileSync(script, program);
  const args = ['--disable-warning=ExperimentalWarning', '--import', leapingClock, script, '--config'];
  const child = spawn(process.execPath, [...args, join(folder, 'operator.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** Fails when something that waits in a process of ours would not notice that its clock leapt. */
describe('a process whose clock leaps', () => {
  it('does within the leap whatever it would have done meanwhile, and knows how late it is by every clock', async () => {
    const { child, lines } = start();
    const exited = once(child, 'exit');
    try {
      const said: string[] = [];
      const next = async () => String((await lines.next()).value);
      for (let line = await next(); line !== 'begun'; line = await next()) said.push(line);
      await leap({ kubeconfig: join(folder, 'admin.kubeconfig') }, 1_500);
      await leap({ kubeconfig: join(folder, 'admin.kubeconfig') }, longMs);
      for (let line = await next(); line !== 'end'; line = await next()) said.push(line);
      expect(said.pop()).toBe('[1,1,1]');
      const each = ['AbortError', 'setTimeout', 'setInterval', 'node:timers', 'node:timers/promises', 'promisify'];
      expect(said.toSorted()).toEqual(each.toSorted());
    } finally {
      child.kill();
      await exited;
    }
  });
});
