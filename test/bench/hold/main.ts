import type { Act } from '../../support/every-call/every-call.ts';
import { startEveryCall } from '../../support/every-call/every-call.ts';
import { longestTurn } from './turns.ts';

/**
 * For how long one request or one check keeps all others waiting: the longest time between two turns of the event loop, over inputs at their
 * bounds. Reports, and never rejects. `--rounds N`: inputs for each call (20); `--seed N`. All of it is done five times: first as code is slow
 * until it has run, then four times, of which the least of each input counts, as other processes and the collection of garbage are not of it.
 */

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [rounds, seed] = [option('rounds', 20), option('seed', 1)];
const checks = Math.ceil(rounds / 4);
const goalMs = 10;
const passes = 4;

/** The longest turn of each input, milliseconds. */
async function turnsOf({ kind, restore, act }: Act): Promise<readonly number[]> {
  const turns: number[] = [];
  for (let input = 0; input < (kind === 'check' ? checks : rounds); input += 1) {
    await restore();
    turns.push(await longestTurn(act));
  }
  return turns;
}

/** By the name of a call, page or check; inputs are the same each time. */
async function turnsOfAll(): Promise<ReadonlyMap<string, readonly number[]>> {
  const every = await startEveryCall(seed);
  const turns = new Map<string, readonly number[]>();
  for (const act of every.acts) turns.set(act.name, await turnsOf(act));
  every.stop();
  return turns;
}

await turnsOfAll();
const measured: ReadonlyMap<string, readonly number[]>[] = [];
for (let pass = 0; pass < passes; pass += 1) measured.push(await turnsOfAll());

const leastOf = (name: string, input: number): number =>
  Math.min(...measured.map((turns) => turns.get(name)?.[input] ?? Infinity));
const found = [...(measured[0] ?? [])].map(([name, turns]) => ({
  name,
  ms: Math.max(...turns.map((_, input) => leastOf(name, input))),
}));
const shown = found.toSorted((one, other) => other.ms - one.ms);
const print = (line: string) => void process.stdout.write(`${line}\n`);
for (const { name, ms } of shown.slice(0, 15)) print(`${ms.toFixed(1).padStart(7)} ms  ${name}`);
const over = shown.filter(({ ms }) => ms > goalMs).length;
print(`${found.length} calls, pages and checks, ${rounds} inputs each (checks ${checks}), seed ${seed}`);
print(`over ${goalMs} ms between two turns of the event loop: ${over}`);
