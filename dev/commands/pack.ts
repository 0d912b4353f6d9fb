import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orEnd } from '../lib/or-end.ts';
import { packChart } from '../pack/chart-package.ts';
import { packCli } from '../pack/cli-package.ts';
import { chartFolder, vantageChartFolder } from '../platform/chart.ts';
import { findTool } from '../platform/tools.ts';

/**
 * `npm run pack`: what a release consists of besides its image: the command line as a package of npm in dist/cli, the
 * charts in dist/chart (the operator's has the same name). Prints the path of each on stdout.
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
const charts = emptyFolder('chart');
for (const chart of [chartFolder, vantageChartFolder]) console.log(await orEnd(packChart(helm, charts, chart)));
