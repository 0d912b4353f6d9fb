import { existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { takeCorner } from './address.ts';
import { cacheFolder, toolModules } from './cache.ts';
import type { DebianProgram } from './debian.ts';
import { findDebian } from './debian.ts';
import type { Go } from './go.ts';
import { goOf } from './go.ts';
import type { Progress } from './progress.ts';
import type { Recipe } from './recipes.ts';

/** What a platform runs besides what is built for it; all of it is in Debian's base or a package away. */
const programs: readonly DebianProgram[] = [
  { file: 'setpriv', package: 'util-linux' },
  { file: 'openssl', package: 'openssl' },
  { file: 'redis-server', package: 'redis-server' },
];

/** What a node runs besides, and what makes its images. */
export const nodePrograms: readonly DebianProgram[] = [
  { file: 'buildah', package: 'buildah' },
  { file: 'runc', package: 'runc' },
  { file: 'iptables', package: 'iptables' },
  { file: 'conntrack', package: 'conntrack' },
  { file: '/usr/lib/cni/bridge', package: 'containernetworking-plugins' },
];

/**
 * What a platform needs of the machine, before anything long begins: programs of Debian (installed when they are
 * missing and we may) and ports below 1024. Rejects with one sentence that says what is missing and what brings it.
 */
export async function preflight(progress: Progress, more: readonly DebianProgram[] = []): Promise<void> {
  const corner = await takeCorner();
  corner.release();
  await findDebian([...programs, ...more], progress);
}

/** A build of everything with empty caches was measured at 5 GB: two for modules, three for Go's build cache. */
const bytesPerSecondOfBuilding = 6_000_000;
const least = 1_000_000_000;

/** What stands in the way of a build, a phrase for each: too little room, no way to the modules. */
export async function obstaclesToBuilding(recipes: readonly Recipe[], go: Go): Promise<readonly string[]> {
  const seconds = recipes.reduce((sum, recipe) => sum + recipe.seconds, 0);
  const needed = least + seconds * bytesPerSecondOfBuilding;
  const told = await outputOf(go.program, ['env', 'GOMODCACHE', 'GOCACHE', 'GOPROXY'], {
    env: go.env,
    cwd: toolModules,
  });
  const [modules = '', cache = '', proxy = ''] = told.split('\n');
  const cramped = crampedFolders([...new Set([modules, cache, cacheFolder()])], needed);
  return [...cramped, ...(await outOfReach(recipes, go, proxy))];
}

/** A phrase for the folders that have too little room; `room` tells how many bytes are free. */
export function crampedFolders(
  folders: readonly string[],
  needed: number,
  room: (folder: string) => number = freeBytes,
): readonly string[] {
  const cramped = folders.filter((folder) => room(folder) < needed);
  if (cramped.length === 0) return [];
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const free = Math.min(...cramped.map(room));
  return [`${gigabytes(free)} are free for ${cramped.join(', ')}, and about ${gigabytes(needed)} are needed`];
}

/** Of the nearest folder that is there. */
function freeBytes(folder: string): number {
  if (!existsSync(folder)) return freeBytes(dirname(folder));
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const patienceMs = 120_000;

/** The first module is brought for a trial: it is needed anyway. */
async function outOfReach([first]: readonly Recipe[], go: Go, proxy: string): Promise<readonly string[]> {
  if (first === undefined) return [];
  const env = { ...goOf(first.module, go).env, GOWORK: 'off' };
  const options = { cwd: join(toolModules, first.module), env, timeout: patienceMs };
  const args = ['list', '-f', '', first.package];
  return outputOf(go.program, args, options).then(
    () => [],
    (error: unknown) => [`Go's modules cannot be brought from ${proxy}: ${lastLine(String(error))}`],
  );
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
