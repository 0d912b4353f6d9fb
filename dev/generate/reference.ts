import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const cli = join(import.meta.dirname, '../../src/cli/main.ts');

/** docs/reference by file name, as the tables of the code make it: what `projectdomain reference` prints. */
export function referencePages(): ReadonlyMap<string, string> {
  const args = ['--disable-warning=ExperimentalWarning', cli, 'reference', '--json'];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return new Map(Object.entries(JSON.parse(printed) as Record<string, string>));
}
