import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Progress } from './progress.ts';

/** A program (or a file that a package is known by) that comes from Debian rather than from a build of ours. */
export interface DebianProgram {
  /** looked for on PATH, or an absolute path */
  readonly file: string;
  readonly package: string;
}

/** The browsers that the dashboard is tested in. */
export const debianBrowsers = {
  chromium: { file: 'chromium-headless-shell', package: 'chromium-headless-shell' },
  firefox: { file: 'firefox-esr', package: 'firefox-esr' },
} as const satisfies Readonly<Record<string, DebianProgram>>;

/**
 * Where each program is; installs the missing ones with apt-get when we may (root on Debian or Ubuntu), without
 * starting a service. Rejects with the command that brings them.
 */
export async function findDebian(programs: readonly DebianProgram[], progress: Progress): Promise<readonly string[]> {
  const missing = programs.filter((program) => find(program) === null);
  if (missing.length > 0) await install(missing, progress);
  return programs.map((program) => {
    const path = find(program);
    if (path === null) throw new Error(`${program.file} could not be installed; ${how([program])}`);
    return path;
  });
}

function find({ file }: DebianProgram): string | null {
  if (file.startsWith('/')) return existsSync(file) ? file : null;
  const folders = [process.env.PROJECTDOMAIN_TOOLS, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return (
    folders
      .filter((folder) => folder !== undefined)
      .map((folder) => join(folder, file))
      .find((path) => existsSync(path)) ?? null
  );
}

const how = (missing: readonly DebianProgram[]) =>
  `install it with: apt-get install ${missing.map((program) => program.package).join(' ')}`;

async function install(missing: readonly DebianProgram[], progress: Progress): Promise<void> {
  const files = missing.map(({ file }) => file).join(', ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`${files}: missing; ${how(missing)}`);
  progress(`installing ${missing.map((program) => program.package).join(', ')} (apt-get)`);
  await aptGet('update', '-qq');
  await aptGet('install', '-y', '-qq', '--no-install-recommends', ...missing.map((program) => program.package));
}

/** RUNLEVEL=1 keeps Debian's scripts from starting what they install. */
function aptGet(...args: readonly string[]): Promise<number | null> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return new Promise((resolve, reject) => {
    spawn('apt-get', args, { env, stdio: ['ignore', 2, 2] })
      .on('error', reject)
      .on('close', resolve);
  });
}
