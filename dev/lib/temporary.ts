import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pattern = /^projectdomain-[a-z-]+-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * A temporary folder that is known by its owner: this process. What runs that were killed have left is taken away by the
 * next one that needs a folder.
 */
export function temporaryFolder(name: string, parent = tmpdir()): string {
  for (const entry of readdirSync(parent))
    if (isLeftOver(entry)) rmSync(join(parent, entry), { recursive: true, force: true, maxRetries: 3 });
  return mkdtempSync(join(parent, `projectdomain-${name}-${process.pid}-`));
}

function isLeftOver(entry: string): boolean {
  const owner = pattern.exec(entry)?.[1];
  return owner !== undefined && !lives(Number(owner));
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
