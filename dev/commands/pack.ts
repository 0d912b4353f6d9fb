import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orEnd } from '../lib/or-end.ts';
import { packChart } from '../pack/chart-package.ts';
import { packCli } from '../pack/cli-package.ts';
import { findTool } from '../platform/tools.ts';

/**
 * `npm run pack`: what a release consists of besides its image: the command line as a package of npm in dist/cli, the
 * chart in dist/chart (both files have the same name). Prints the path of each on stdout.
 */
const dist = join(import.meta.dirname, '../../dist');

function emptyFolder(name: string): string {
  const folder = join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

console.log(await orEnd(packCli(emptyFolder('cli'))));
const helm = await orEnd(findTool('helm', (line) => console.error(line)));
console.log(await orEnd(packChart(helm, emptyFolder('chart'))));
