import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcessor } from '../../../dev/campaigns/processor.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Part } from '../../../dev/platform/process.ts';

/** One line of the table that is printed. */
export type Row = readonly [what: string, figure: string];

/** Prints rows as soon as they are known. */
export type Tell = (...rows: readonly Row[]) => void;

/** Resident memory of a process, and the most that it ever was; MB (proc(5)). */
function memoryOf({ pid }: Part): { readonly resident: number; readonly peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) =>
    Math.round((Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1_024) / 1e6);
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** A row for each part's memory. */
export const memoryRows = (parts: readonly Part[], when: string): readonly Row[] =>
  parts.map((part) => {
    const { resident, peak } = memoryOf(part);
    return [`${part.name}, resident memory ${when}; the most so far`, `${resident}; ${peak} MB`];
  });

const idleForMs = 30_000;

/** A row for each part's use of processors while nothing changes. */
export async function idleRows(parts: readonly Part[]): Promise<readonly Row[]> {
  const used = watchProcessor(Object.fromEntries(parts.map(({ name, pid }) => [name, pid])));
  await sleep(idleForMs);
  const { byPart } = used();
  return parts.map(({ name }) => [`${name}, idle`, `${(byPart[name] ?? NaN).toFixed(3)} cores`]);
}

const quietWithinMs = 600_000;
const quietBelowCores = 0.05;

/** Resolves when a part has used next to no processor time for so long; that time is not part of what is told, ms. */
export async function untilQuiet(part: Part, forMs = 500): Promise<number> {
  const begunAt = performance.now();
  await eventually(`${part.name} has nothing to do`, quietWithinMs, async () => {
    const used = watchProcessor({ part: part.pid });
    await sleep(forMs);
    const cores = used().byPart.part ?? NaN;
    expectThat(cores < quietBelowCores, `it uses ${cores.toFixed(2)} cores`);
  });
  return performance.now() - begunAt - forMs;
}

/** Begins to count a part's processor time; the function that is returned tells it in seconds. */
export function watchSeconds({ pid }: Part): () => number {
  const begunAt = performance.now();
  const used = watchProcessor({ part: pid });
  return () => ((used().byPart.part ?? NaN) * (performance.now() - begunAt)) / 1_000;
}

/** Median and longest; with twenty tries the longest is the 99th percentile too. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = (ms = NaN) => (ms / 1_000).toFixed(2);
  return `median ${seconds(sorted[sorted.length >> 1])} s, longest ${seconds(sorted.at(-1))} s of ${times.length}`;
}
