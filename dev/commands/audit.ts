import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lockfile } from '../lib/lockfile.ts';
import { faultsOf } from '../lib/lockfile.ts';
import { advisories } from '../lib/advisories.ts';

/**
 * `npm run audit`: what package-lock.json would install, and what is known against it. The first is part of lint too; the
 * second asks the registry (npm audit), and where it gives no answer says so and fails nothing. --offline leaves it out.
 */
const lockfile = join(import.meta.dirname, '../../package-lock.json');
const faults = faultsOf(JSON.parse(readFileSync(lockfile, 'utf8')) as Lockfile);
faults.forEach((fault) => console.error(fault));
if (faults.length > 0) process.exitCode = 1;
if (!process.argv.includes('--offline')) {
  const known = await advisories();
  console.log(known.summary);
  if (known.found) process.exitCode = 1;
}
