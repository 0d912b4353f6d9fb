import { describe, expect, it } from '@jest/globals';
import { read } from '../../../dev/lib/advisories.ts';
import type { Lockfile } from '../../../dev/lib/lockfile.ts';
import { faultsOf } from '../../../dev/lib/lockfile.ts';

const integrity = `sha512-${'A'.repeat(86)}==`;
const fine = { version: '1.2.3', integrity, license: 'MIT' };
const lock = (entry: object, wanted = '1.2.3'): Lockfile => ({
  packages: { '': { dependencies: { thing: wanted } }, 'node_modules/thing': { ...fine, ...entry } },
});

/** Fails when something could be installed that nobody looked at. */
describe('a lock file', () => {
  it.each<[string, Lockfile]>([
    ['with a package of the registry', lock({})],
    ['with a choice of licences of which one is accepted', lock({ license: '(CC0-1.0 OR MIT)' })],
    ['with a pre-release', lock({ version: '2.0.0-rc.1' }, '2.0.0-rc.1')],
  ])('%s has no faults', (_, given) => {
    expect(faultsOf(given)).toEqual([]);
  });

  it.each<[string, Lockfile, string]>([
    ['without a hash', lock({ integrity: undefined }), 'no SHA-512'],
    ['with a weak hash', lock({ integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }), 'no SHA-512'],
    [
      'with a download address',
      lock({ resolved: 'https://registry.example/thing.tgz' }),
      'where it is downloaded from',
    ],
    [
      'with a package from git',
      lock({ resolved: 'git+ssh://git@example.com/thing.git#1' }),
      'downloaded from (git+ssh',
    ],
    ['with a folder', lock({ link: true }), 'is a folder'],
    ['with a script at install', lock({ hasInstallScript: true }), 'runs a script'],
    ['with a licence that nobody looked at', lock({ license: 'AGPL-3.0' }), "licence 'AGPL-3.0'"],
    ['without a licence', lock({ license: undefined }), 'licence'],
    ["with another package's exception", lock({ license: 'MPL-2.0' }), "licence 'MPL-2.0'"],
    ['for a range of versions', lock({}, '^1.2.3'), "'^1.2.3', which is not one version"],
    ['for a repository', lock({}, 'github:someone/thing'), 'which is not one version'],
    ['for a file', lock({}, 'file:../thing'), 'which is not one version'],
    ['for another package under this name', lock({}, 'npm:other@1.2.3'), 'which is not one version'],
  ])('%s is refused', (_, given, expected) => {
    expect(faultsOf(given)).toEqual([expect.stringContaining(expected)]);
  });
});

/** Fails when an advisory would be overlooked, or when a registry that does not answer would fail a build. */
describe('known advisories', () => {
  it.each<[string, string, boolean, string]>([
    [
      'are named with what they are against',
      '{"vulnerabilities": {"thing": {"severity": "high", "range": "<2.0.0"}}}',
      true,
      'high: thing <2.0.0',
    ],
    ['may be none', '{"vulnerabilities": {}}', false, 'none'],
    ['are not asked where the registry refuses', '{"message": "405 Method Not Allowed"}', false, '405 Method Not'],
    ['are not asked where there is no network', '', false, 'no answer'],
    ['are not asked where something else answers', '<html>', false, 'no answer'],
    ['are not asked where nothing is said', 'null', false, 'no answer'],
  ])('%s', (_, text, found, summary) => {
    const told = read(text);
    expect(told.found).toBe(found);
    expect(told.summary).toContain(summary);
  });
});
