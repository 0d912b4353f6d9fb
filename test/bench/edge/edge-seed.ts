import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Corner } from '../../../dev/platform/address.ts';
import { cacheFolder } from '../../../dev/platform/cache.ts';
import type { Progress } from '../../../dev/platform/progress.ts';
import type { Tools } from '../../../dev/platform/tools.ts';
import { certificatesOf, createTemplates, issuedAt } from './edge-certificates.ts';
import { startEdgeCluster } from './edge-cluster.ts';
import { compact } from './etcd-json.ts';
import { fill } from './fill-cluster.ts';

/** A cluster with so many hostnames that Traefik serves, kept for later runs. */
export interface Seed {
  /** of etcd; null when there are none: an empty cluster */
  readonly etcd: string | null;
  /** the authority of its certificates */
  readonly authority: string;
}

export interface SeedOptions {
  readonly hostnames: number;
  readonly tools: Tools;
  readonly corner: Corner;
  readonly progress: Progress;
}

/** The seed of this size from the cache, or made from the largest smaller one that is there. */
export async function findSeed(options: SeedOptions): Promise<Seed> {
  const { hostnames } = options;
  const folder = folderOf(options);
  mkdirSync(folder, { recursive: true });
  const authority = join(folder, 'authority');
  if (existsSync(authority) && isOld(authority)) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(authority)) publish(authority, (draft) => createTemplates(draft));
  if (hostnames === 0) return { etcd: null, authority };
  const etcd = join(folder, String(hostnames));
  if (!existsSync(etcd)) await makeSeed(options, folder);
  return { etcd, authority };
}

/** Keyed by everything that goes into it; Services' addresses belong to the corner. */
function folderOf({ tools, corner }: SeedOptions): string {
  const hash = createHash('sha256').update(tools['kube-apiserver']).update(tools.etcd);
  for (const file of readdirSync(import.meta.dirname)
    .filter((name) => /^(edge-objects|edge-routes|edge-certificates|fill-cluster|served-clones)/.test(name))
    .sort())
    hash.update(readFileSync(join(import.meta.dirname, file)));
  const range = corner.serviceRange.replaceAll(/[./]/g, '-');
  return join(cacheFolder(), `bench-edge-${hash.digest('hex').slice(0, 16)}-${range}`);
}

const tenDaysMs = 10 * 86_400_000;

/** cert-manager renews after two thirds of thirty days. */
const isOld = (authority: string): boolean => Date.now() - issuedAt(authority).getTime() > tenDaysMs;

/** What is there is whole. */
function publish(path: string, make: (draft: string) => void): void {
  const draft = `${path}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  make(draft);
  renameSync(draft, path);
}

async function makeSeed({ hostnames, tools, corner, progress }: SeedOptions, folder: string): Promise<void> {
  const sizes = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const from = Math.max(0, ...sizes.filter((size) => size < hostnames));
  progress(`making ${hostnames - from} hostnames after the first ${from}`);
  const begunAt = performance.now();
  const cluster = await startEdgeCluster({ tools, corner, etcd: from === 0 ? null : join(folder, String(from)) });
  const draft = join(folder, `${hostnames}.${process.pid}`);
  try {
    await fill(cluster, { from, to: hostnames }, certificatesOf(join(folder, 'authority')));
    await compact(cluster.etcd);
    await cluster.stopAndKeep(draft);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  renameSync(draft, join(folder, String(hostnames)));
  progress(`${hostnames} hostnames are made after ${Math.round((performance.now() - begunAt) / 1_000)} s`);
}
