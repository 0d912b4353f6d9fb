import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

/**
 * `node strip-types.mjs src lib`: the image's programs, as plain JavaScript with all that lies beside them. It needs no package, as the
 * image is built with those alone that run in it.
 */
const [from, to] = process.argv.slice(2);
/** Where a module is named: after `from`, or in an import without names or at run time. */
const namedModule = /\b(from |import |import\()'(\.[^'\n]*)\.ts'/g;

// Files, never a link to a folder: what is changed below is the copy.
cpSync(from, to, { recursive: true, dereference: true });
for (const path of globSync('**/*.ts', { cwd: to })) {
  const file = join(to, path);
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8')).replaceAll(namedModule, "$1'$2.js'");
  writeFileSync(file.replace(/\.ts$/, '.js'), code);
  rmSync(file);
}
