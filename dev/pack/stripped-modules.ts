import { readFileSync } from 'node:fs';
import { isBuiltin, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

/** What a program consists of once its types are gone. */
export interface StrippedProgram {
  /** JavaScript by path from the root, such as `cli/main.js` */
  readonly files: ReadonlyMap<string, string>;
  /** packages that the files import, sorted */
  readonly packages: readonly string[];
}

/**
 * The program that begins at `entry` (a path from `root`) as plain JavaScript: every module that it imports when it runs,
 * its types blanked out as Node does it, its imports leading from .js to .js. Node strips no types below node_modules,
 * so what is installed from a package has to come without them.
 */
export function strippedProgram(root: string, entry: string): StrippedProgram {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (files.has(javaScriptPath(path))) continue;
    const code = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
    const imports = importsOf(code, path);
    files.set(javaScriptPath(path), withoutTypeScriptPaths(code, imports));
    for (const { specifier } of imports) {
      if (specifier.startsWith('.')) open.push(join(path, '..', specifier));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return { files, packages: [...packages].toSorted() };
}

interface Import {
  readonly specifier: string;
  /** where the specifier's first character stands in the code */
  readonly at: number;
}

/** Imports, re-exports and dynamic imports of a module. */
function importsOf(code: string, path: string): readonly Import[] {
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName, pos }) => {
    const at = pos + 1;
    if (code.startsWith(fileName, at)) return { specifier: fileName, at };
    throw new Error(`${path} imports ${fileName} in a way that cannot be rewritten; write it as one plain string`);
  });
}

const javaScriptPath = (path: string): string => path.replace(/\.ts$/, '.js');

/** Rewritten from the end, so that the places before stay where they are. */
function withoutTypeScriptPaths(code: string, imports: readonly Import[]): string {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .toSorted((a, b) => b.at - a.at)
    .reduce(
      (text, { specifier, at }) => text.slice(0, at) + javaScriptPath(specifier) + text.slice(at + specifier.length),
      code,
    );
}

/** `@scope/name` or `name`, without the path into the package. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
