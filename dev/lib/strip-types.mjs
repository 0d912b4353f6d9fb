import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

const version = '2';

/** Whether one jest file stands for several (dev/lib/files-together.mjs). */
const areTogether = process.env.PROJECTDOMAIN_FILES !== undefined;

/** Space and comments. */
const blank = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const declaration = /import\b[^;]*;/y;

/** Where the imports end that a file begins with: no name in them has a semicolon. */
function endOfImports(code) {
  let end = 0;
  for (;;) {
    blank.lastIndex = end;
    blank.test(code);
    declaration.lastIndex = blank.lastIndex;
    if (!declaration.test(code)) return end;
    end = declaration.lastIndex;
  }
}

/** A file of tests as a function, so that its hooks and tests can be defined inside of a block of its own. */
export function asFunction(source) {
  const code = stripTypeScriptTypes(source);
  const end = endOfImports(code);
  return `${code.slice(0, end)} export function define() {${code.slice(end)}\n}`;
}

/**
 * Jest transform: types are stripped by Node itself, exactly as when the program runs. Positions stay, no maps. Of files that run together
 * each file of tests is a function.
 */
export default {
  process: (source, path) => ({
    code: areTogether && path.endsWith('.test.ts') ? asFunction(source) : stripTypeScriptTypes(source),
  }),
  getCacheKey: (source, path) =>
    createHash('sha256').update(`${version} ${process.version} ${areTogether} ${path}\n${source}`).digest('hex'),
};
