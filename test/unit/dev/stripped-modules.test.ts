import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { strippedProgram } from '../../../dev/pack/stripped-modules.ts';

const root = temporaryFolder('stripped');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function program(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { files: written, packages } = strippedProgram(root, Object.keys(files)[0] ?? '');
  return { files: Object.fromEntries(written), packages };
}

/** Fails when a packed program would lack a module, carry one that only types need, or still import TypeScript. */
describe('a program without its types', () => {
  it('has no annotation, and imports JavaScript', () => {
    const { files } = program({
      'a/main.ts': "import { b } from '../b.ts';\nexport const a: number = b;\n",
      'b.ts': 'export const b = 1 as number;\n',
    });
    expect(files['a/main.js']).toBe("import { b } from '../b.js';\nexport const a         = b;\n");
    expect(files['b.js']).toMatch(/^export const b = 1 +;\n$/);
  });

  it.each<[string, string]>([
    ['an import for its effect', "import './seen.ts';"],
    ['a re-export', "export { x } from './seen.ts';"],
    ['a dynamic import', "const { x } = await import('./seen.ts');"],
    ['two imports in one line', "import './seen.ts'; import * as y from './seen.ts';"],
  ])('follows %s', (_, text) => {
    const { files } = program({ 'entry.ts': text, 'seen.ts': 'export const x = 1;' });
    expect(Object.keys(files)).toEqual(['entry.js', 'seen.js']);
    expect(files['entry.js']).toBe(text.replaceAll('seen.ts', 'seen.js'));
  });

  it('leaves out what only types come from, and texts that look like imports', () => {
    const text = "import type { X } from './types.ts';\nexport const shown = 'import ./types.ts';\n";
    const { files } = program({ 'only.ts': text, 'types.ts': 'export type X = 1;' });
    expect(Object.keys(files)).toEqual(['only.js']);
    expect(files['only.js']).toContain("'import ./types.ts'");
  });

  it('survives modules that import each other', () => {
    const { files } = program({ 'one.ts': "import './two.ts';", 'two.ts': "import './one.ts';" });
    expect(Object.keys(files)).toEqual(['one.js', 'two.js']);
  });

  it("names the packages it needs, without Node's own and without paths into them", () => {
    const { packages } = program({
      'needs.ts': "import 'zod';\nimport 'node:fs';\nimport '@scope/thing/part.js';\nimport type { T } from 'pino';\n",
    });
    expect(packages).toEqual(['@scope/thing', 'zod']);
  });
});
