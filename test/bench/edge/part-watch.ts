import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcessor } from '../../../dev/campaigns/processor.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { shareOf } from '../share-of.ts';

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

/** A row for each part's use of processors while nothing changes. */
export async function idleRows(parts: readonly Part[], forMs = 30_000): Promise<readonly Row[]> {
  const used = watchProcessor(Object.fromEntries(parts.map(({ name, pid }) => [name, pid])));
  await sleep(forMs);
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

/** Begins to count the processor time of each part; the function that is returned gives a row for each, divided by `by`. */
export function watchParts(parts: readonly Part[]): (what: string, by?: number) => readonly Row[] {
  const used = parts.map((part) => [part.name, watchSeconds(part)] as const);
  return (what, by = 1) => used.map(([name, seconds]) => [`${name}, ${what}`, `${(seconds() / by).toFixed(2)} s`]);
}

/** Begins to count a part's processor time; the function that is returned tells it in seconds. */
function watchSeconds({ pid }: Part): () => number {
  const begunAt = performance.now();
  const used = watchProcessor({ part: pid });
  return () => ((used().byPart.part ?? NaN) * (performance.now() - begunAt)) / 1_000;
}

/** p50, p95 and longest. */
export function spread(times: readonly number[]): string {
  const [median, most, longest] = [0.5, 0.95, 1].map((part) => (shareOf(times, part) / 1_000).toFixed(2));
  return `p50 ${median} s, p95 ${most} s, longest ${longest} s of ${times.length}`;
}
