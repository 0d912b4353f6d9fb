import { orEnd } from '../lib/or-end.ts';
import { debianBrowsers } from '../platform/debian.ts';
import { nodePrograms, preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { dnsServerPrograms } from '../../test/support/dns-servers/programs.ts';

const progress = (line: string) => console.error(line);

/** What tests on real parts need of the machine, and what is built for them. Ends the process with a sentence where something is missing. */
export async function beforeRealParts({ onNode = false } = {}): Promise<void> {
  const programs = [...Object.values(debianBrowsers), ...dnsServerPrograms, ...(onNode ? nodePrograms : [])];
  await orEnd(preflight(progress, programs));
  await orEnd(findTools(progress));
}
