import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** buildah with a storage of its own: nothing of it is seen by other programs, and it can be deleted as a folder. */
export interface Buildah {
  /** Runs it; resolves to stdout. Rejects with what it printed on stderr. */
  run(...args: readonly string[]): Promise<string>;
  has(image: string): Promise<boolean>;
}

const lastLines = 20;

export function createBuildah(program: string, folder: string): Buildah {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
  mkdirSync(folder, { recursive: true });
  const run = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...storage, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.on('error', reject);
      child.on('close', (status) => {
        if (status === 0) return resolve(out.trim());
        const said = `${out}${err}`.trim().split('\n').slice(-lastLines).join('\n');
        reject(new Error(`buildah ${args[0]} ended with status ${status}:\n${said}`));
      });
    });
  return {
    run,
    has: (image) =>
      run('inspect', '--type', 'image', image).then(
        () => true,
        () => false,
      ),
  };
}

/** What an image made of files says of itself. */
export interface Recipe {
  /** folder whose content becomes the root of the file system */
  readonly root: string;
  readonly entrypoint: readonly string[];
  readonly user: string;
}

/** An image of one layer on nothing. */
export async function buildFromFolder(
  buildah: Buildah,
  name: string,
  { root, entrypoint, user }: Recipe,
): Promise<void> {
  const container = await buildah.run('from', 'scratch');
  try {
    await buildah.run('add', '--quiet', container, root, '/');
    await buildah.run(
      'config',
      '--entrypoint',
      JSON.stringify(entrypoint),
      '--user',
      user,
      '--env',
      'PATH=/nodejs/bin:/usr/bin:/bin',
      container,
    );
    await buildah.run('commit', '--quiet', container, name);
  } finally {
    await buildah.run('rm', container);
  }
}
