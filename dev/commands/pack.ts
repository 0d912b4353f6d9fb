import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orEnd } from '../lib/or-end.ts';
import { outputOf } from '../lib/output.ts';
import { packCli } from '../pack/cli-package.ts';
import { findHelm } from '../platform/tools.ts';

/**
 * `npm run pack`: what a release consists of besides its image: the command line as a package of npm in dist/cli, the
 * chart in dist/chart (both files have the same name). Prints the path of each on stdout.
 */
const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

async function packChart(to: string): Promise<string> {
  const helm = await findHelm((line) => console.error(line));
  const printed = await outputOf(helm, ['package', join(root, 'charts/projectdomain'), '--destination', to]);
  return printed.trim().replace(/^.*: /, '');
}

function emptyFolder(name: string): string {
  const folder = join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

console.log(await orEnd(packCli(emptyFolder('cli'))));
console.log(await orEnd(packChart(emptyFolder('chart'))));
