import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { strippedProgram } from '../../../dev/pack/stripped-modules.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder('strip-types');
const lib = join(folder, 'lib');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fails when a program in the image would lack a module or import one that is not there: it has no compiler to tell. */
describe('the programs of the image', () => {
  execFileSync(process.execPath, [join(root, 'dev/pack/strip-types.mjs'), join(root, 'src'), lib], { stdio: 'pipe' });

  it.each(globSync('*/main.ts', { cwd: join(root, 'src') }))('are what a parser makes of src/%s', (entry) => {
    const { files } = strippedProgram(join(root, 'src'), entry);
    const differ = [...files].filter(([path, code]) => readFileSync(join(lib, path), 'utf8') !== code);
    expect(files.size).toBeGreaterThan(1);
    expect(differ.map(([path]) => path)).toEqual([]);
  });

  it('have their other files beside them, and no TypeScript', () => {
    expect(existsSync(join(lib, 'quota/quota-decision.lua'))).toBe(true);
    expect(existsSync(join(lib, 'dashboard/assets/style.css'))).toBe(true);
    expect(globSync('**/*.ts', { cwd: lib })).toEqual([]);
  });
});
