import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { toolModules } from './cache.ts';
import type { Go } from './go.ts';
import type { Recipe } from './recipes.ts';

/** Where the stubs of a module's packages are: a tree of import paths. */
export const stubsOf = (module: string): string => join(toolModules, module, 'stubs');

/**
 * Copies the modules that a recipe trims into a folder, with our stubs in the place of their packages, and writes a
 * go.mod that uses the copies. What the replaced packages import is neither downloaded nor compiled. Returns the
 * arguments for `go build`.
 */
export async function trim({ module, trimmed = [] }: Recipe, folder: string, go: Go): Promise<readonly string[]> {
  if (trimmed.length === 0) return [];
  const pins = join(toolModules, module);
  const env = { ...go.env, GOWORK: 'off' };
  rmSync(folder, { recursive: true, force: true });
  const replaced: string[] = [];
  for (const path of trimmed) {
    const told = await outputOf(go.program, ['mod', 'download', '-json', path], { cwd: pins, env });
    const copy = join(folder, path);
    copyTree((JSON.parse(told) as { Dir: string }).Dir, copy);
    const stubs = join(stubsOf(module), path);
    if (existsSync(stubs)) putStubs(stubs, copy);
    replaced.push(`replace ${path} => ${copy}\n`);
  }
  const modFile = join(folder, 'go.mod');
  writeFileSync(modFile, `${readFileSync(join(pins, 'go.mod'), 'utf8')}\n${replaced.join('')}`);
  copyFileSync(join(pins, 'go.sum'), join(folder, 'go.sum'));
  return [`-modfile=${modFile}`];
}

/** Only content: in Go's module cache files and folders may not be written. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}

/** A folder with a stub has nothing of the package that it stands for. */
function putStubs(stubs: string, copy: string): void {
  const files = readdirSync(stubs, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.go'));
  for (const file of files) {
    const target = join(copy, file);
    for (const name of readdirSync(dirname(target))) if (name.endsWith('.go')) rmSync(join(dirname(target), name));
    copyFileSync(join(stubs, file), target);
  }
}
