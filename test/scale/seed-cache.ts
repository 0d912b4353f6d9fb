import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../dev/platform/cache.ts';
import { etcdDirOf } from '../../dev/platform/control-plane.ts';
import { sizeOf } from './made-names.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { seedCluster } from './seed-cluster.ts';

/** Certificates of the seed's time end after 30 days and are asked for anew after 20. */
const usableForMs = 14 * 24 * 3_600_000;

const folderOf = (domains: number): string => join(cacheFolder(), 'scale', String(domains));

/** Where the data of a cluster with so many domains is; null when it has to be made, or made anew. */
export function cachedSeed(domains: number): string | null {
  const folder = folderOf(domains);
  const mark = join(folder, 'made');
  if (!existsSync(mark) || Date.now() - statSync(mark).mtimeMs > usableForMs) return null;
  return readFileSync(mark, 'utf8') === codeThatMakes() ? join(folder, 'etcd') : null;
}

/** After an operator that found everything as it should be. */
export const visited = 'visited';

/** The same after what came later, as `visited`; null when that was not kept. */
export function laterSeed(domains: number, later: string): string | null {
  const folder = laterOf(domains, later);
  return cachedSeed(domains) !== null && existsSync(folder) ? folder : null;
}

/** The file of what was found until then. */
export const laterFacts = (domains: number, later: string): string => `${laterOf(domains, later)}.json`;

const laterOf = (domains: number, later: string): string => join(folderOf(domains), later);

interface Later {
  readonly etcdDir: string;
  /** what was found until then */
  readonly facts?: unknown;
}

/** Keeps the data of a cluster that has stopped, beside the seed that it was a copy of. */
export function keepLater(domains: number, later: string, { etcdDir, facts = null }: Later): void {
  dropLater(domains, later);
  const draft = `${laterOf(domains, later)}.${process.pid}`;
  cpSync(etcdDir, draft, { recursive: true });
  writeFileSync(laterFacts(domains, later), JSON.stringify(facts));
  renameSync(draft, laterOf(domains, later));
}

export function dropLater(domains: number, later: string): void {
  for (const path of [laterOf(domains, later), laterFacts(domains, later)])
    rmSync(path, { recursive: true, force: true });
}

/** Of this folder what makes the objects. */
const decides = /\.\.\/.*\.(ts|yaml)$|\.\/(made|seed|owned|text)-.*\.ts$/;

/** An operator of other code may want some objects otherwise, and would write them all anew: a hash of what decides about them. */
function codeThatMakes(): string {
  const hash = createHash('sha256');
  for (const room of ['../../crds', '../../src/controllers', '../../src/routing', '../../src/resources', '.']) {
    const folder = join(import.meta.dirname, room);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      decides.test(`${room}/${name}`),
    );
    for (const name of files.toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/** Makes it, beside the programs that were built, whatever is there. */
export async function makeSeed(domains: number, tell: (line: string) => void): Promise<void> {
  const folder = folderOf(domains);
  const draft = `${folder}.${process.pid}`;
  const cluster = await startScaleCluster({ tell });
  try {
    await seedCluster(cluster, sizeOf(domains), tell);
    await cluster.controlPlane.stop();
    mkdirSync(draft, { recursive: true });
    cpSync(etcdDirOf(cluster.around.dir), join(draft, 'etcd'), { recursive: true });
    writeFileSync(join(draft, 'made'), codeThatMakes());
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    await cluster.stop();
  }
}
