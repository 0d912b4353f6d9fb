import { describe, expect, it } from '@jest/globals';
import type { LockedPackage } from '../../../dev/lib/installed-packages.mjs';
import { isInstalled } from '../../../dev/lib/installed-packages.mjs';

const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' };
const one = { version: '1.0.0', integrity: 'sha512-a' };
const native = { version: '2.0.0', integrity: 'sha512-n', optional: true, os: ['linux'], cpu: ['x64'] };
const lock = {
  '': { version: '0.1.0' },
  'node_modules/a': one,
  'node_modules/n-linux': { ...native, libc: ['glibc'] },
  'node_modules/n-musl': { ...native, libc: ['musl'] },
  'node_modules/n-mac': { ...native, os: ['darwin'] },
  'node_modules/of-wasm': { version: '3.0.0', integrity: 'sha512-w', optional: true },
};
const here = { 'node_modules/a': one, 'node_modules/n-linux': { ...native, libc: ['glibc'] } };

/** Fails when `npx projectdomain` installs again what `npm ci` has installed, or runs on what is not what the lock says. */
describe('packages that were installed by hand', () => {
  it.each<[string, Readonly<Record<string, LockedPackage>>, boolean]>([
    ['are those of the lock', here, true],
    [
      'may have what only some machines need besides',
      { ...here, 'node_modules/of-wasm': lock['node_modules/of-wasm'] },
      true,
    ],
    ['lack one', { 'node_modules/n-linux': here['node_modules/n-linux'] }, false],
    ['lack what this machine needs, as with --omit=optional', { 'node_modules/a': one }, false],
    ['have another version', { ...here, 'node_modules/a': { ...one, version: '1.0.1' } }, false],
    ['have other bytes', { ...here, 'node_modules/a': { ...one, integrity: 'sha512-b' } }, false],
    ['have one more', { ...here, 'node_modules/b': one }, false],
    ['are none', {}, false],
  ])('%s', (_, packages, expected) => {
    expect(isInstalled({ packages: lock }, { packages }, machine)).toBe(expected);
  });

  it.each([
    ['all but one system', ['!win32'], true],
    ['not this one', ['!linux'], false],
  ])('that are for %s', (_, os, isNeeded) => {
    const packages = { 'node_modules/o': { ...one, optional: true, os } };
    expect(isInstalled({ packages }, { packages: {} }, machine)).toBe(!isNeeded);
  });
});
