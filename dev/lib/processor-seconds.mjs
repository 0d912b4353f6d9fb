import { readFileSync } from 'node:fs';

/** Of the kernel's clock in /proc, on every Linux that Node.js supports. */
const ticksPerSecond = 100;

/** Processor seconds of this process and of the children that it waited for (proc(5), fields 14 to 17). */
export function processorSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}
