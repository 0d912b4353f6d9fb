import { orEnd } from '../lib/or-end.ts';
import { thisMachine } from '../lib/machine.ts';
import { debianBrowsers } from '../platform/debian.ts';
import { nodePrograms, preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { dnsServerPrograms } from '../../test/support/dns-servers/programs.ts';

const progress = (line: string) => console.error(line);

/** A platform, a browser and the compiler beside each other, as measured. */
const leastMemoryBytes = 5e9;

/** Of a machine that is asked for what it lacks, as with a wrong argument. */
const unfit = 3;

/** Why real parts do not fit into so much memory, and what to do instead; null where they do. */
export function lackOfMemory(free: number): string | null {
  if (free >= leastMemoryBytes) return null;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  return (
    `real parts need ${gigabytes(leastMemoryBytes)} of memory, and ${gigabytes(free)} are free: end something else, take a larger machine, ` +
    'or run npm run check, which needs less'
  );
}

/**
 * What tests on real parts need of the machine, and what is built for them. Where something is missing the process ends with status 3 and a sentence
 * that says what brings it, before anything long begins.
 */
export async function beforeRealParts({ onNode = false } = {}): Promise<void> {
  const lack = lackOfMemory(thisMachine().memoryBytes);
  if (lack !== null) await orEnd(Promise.reject(new Error(lack)), unfit);
  const programs = [...Object.values(debianBrowsers), ...dnsServerPrograms, ...(onNode ? nodePrograms : [])];
  await orEnd(preflight(progress, programs), unfit);
  await orEnd(findTools(progress), unfit);
}
