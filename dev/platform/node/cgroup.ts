import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The hierarchies that are mounted: one for version 2, one for each controller of version 1, or both. */
function hierarchies(): readonly string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , type]) => type === 'cgroup' || type === 'cgroup2')
    .map(([, path = '']) => path);
}

/** Makes the control group that holds a node's Pods. */
export function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true });
}

/** Takes it away with all below it; its processes must have ended. */
export function removeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) removeTree(join(hierarchy, name));
}

/** Control groups are removed from the leaves; their files are no files. */
function removeTree(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path)) {
    const below = join(path, entry);
    if (statSync(below).isDirectory()) removeTree(below);
  }
  rmdirSync(path);
}
