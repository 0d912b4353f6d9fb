import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes a lock file, waiting while its owner lives; a dead owner's lock is taken over. Returns the release. */
export async function acquire(path: string, progress: (line: string) => void): Promise<() => void> {
  let told = false;
  while (!tryAcquire(path)) {
    if (!ownerLives(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) progress(`waiting for another run that holds ${path}`);
    told = true;
    await sleep(500);
  }
  return () => rmSync(path, { force: true });
}

function tryAcquire(path: string): boolean {
  try {
    const file = openSync(path, 'wx');
    writeFileSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function ownerLives(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
