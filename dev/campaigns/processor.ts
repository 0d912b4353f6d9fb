import { readFileSync } from 'node:fs';

/** Processor time used between two readings, in cores, by process, and by everything on the machine. */
export interface ProcessorUse {
  readonly byPart: Readonly<Record<string, number>>;
  readonly machine: number;
}

const ticksPerSecond = 100;

/** Begins to count; the function that is returned says what was used since. A process that ended counts as 0. */
export function watchProcessor(pids: Readonly<Record<string, number>>): () => ProcessorUse {
  const begunAt = performance.now();
  const before = read(pids);
  return () => {
    const seconds = (performance.now() - begunAt) / 1_000;
    const now = read(pids);
    const cores = (ticks: number) => Math.max(0, ticks) / ticksPerSecond / seconds;
    const byPart = Object.fromEntries(
      Object.keys(pids).map((name) => [name, cores((now.byPart[name] ?? 0) - (before.byPart[name] ?? 0))]),
    );
    return { byPart, machine: cores(now.machine - before.machine) };
  };
}

function read(pids: Readonly<Record<string, number>>) {
  const byPart = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, ticksOf(pid)]));
  const fields = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = fields;
  return { byPart, machine: user + nice + system + interrupts + softInterrupts };
}

/** utime and stime of proc(5); the command may hold spaces and ends with the last parenthesis. */
function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
