import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../lib/temporary.ts';

/** What Node is linked against, from Debian. */
const packages = ['libc6', 'libgcc-s1', 'libstdc++6'];
const nonRoot = 65_532;

/** Makes a root file system with Node and what it needs, and nothing else: no shell, no package manager. */
export function layOutBase(root: string): void {
  const debs = temporaryFolder('debs');
  try {
    // apt-get warns that it downloads as root where it may not use its own user's sandbox; that is no fault.
    execFileSync('apt-get', ['download', '-o', 'APT::Sandbox::User=root', ...packages], {
      cwd: debs,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for (const deb of readdirSync(debs)) execFileSync('dpkg-deb', ['--extract', join(debs, deb), root]);
  } finally {
    rmSync(debs, { recursive: true, force: true });
  }
  rmSync(join(root, 'usr/share'), { recursive: true, force: true });
  copyInto(root, process.execPath, '/nodejs/bin/node');
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${nonRoot}:${nonRoot}:nonroot:/tmp:/sbin/nologin\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nnonroot:x:${nonRoot}:\n`);
}

/** Adds this machine's npm where Node's own images have it. */
export function layOutNpm(root: string): void {
  const prefix = execFileSync('npm', ['root', '--global'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  cpSync(join(prefix.trim(), 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
}

export function copyInto(root: string, file: string, as: string): void {
  const target = join(root, as);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
  chmodSync(target, 0o755);
}

/** Adds a dynamically linked program of this machine with the libraries it names. */
export function copyWithLibraries(root: string, file: string, as: string): void {
  copyInto(root, file, as);
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' });
  for (const [, library = ''] of listed.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)) copyInto(root, library, library);
}
