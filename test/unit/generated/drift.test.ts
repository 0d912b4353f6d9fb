import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { driftBetween, settle } from '../../../dev/generate/drift.ts';

/** src/generated is what crds/ says, and the comparison notices when it is not. */

const root = join(import.meta.dirname, '../../..');
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-generated-'));
const crds = join(dir, 'crds');
const generated = join(dir, 'generated');

beforeEach(() => {
  rmSync(dir, { recursive: true, force: true });
  cpSync(join(root, 'crds'), crds, { recursive: true });
  cpSync(join(root, 'src/generated'), generated, { recursive: true });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('src/generated', () => {
  it('is what crds/ makes of it (else: npm run generate)', async () => {
    const drift = await driftBetween(join(root, 'crds'), join(root, 'src/generated'));
    expect(drift.map(({ file }) => file)).toEqual([]);
  });

  it.each([
    ['a property that was renamed in the CRD', () => edit('plan.yaml', 'maxPerProject:', 'maxPerShop:'), ['plan.ts']],
    ['a type edited by hand', () => writeFileSync(join(generated, 'plan.ts'), 'export {};\n'), ['plan.ts']],
    ['a type that is missing', () => rmSync(join(generated, 'account.ts')), ['account.ts']],
    ['a type whose CRD is gone', () => rmSync(join(crds, 'api-key.yaml')), ['api-key.ts']],
  ])('drifts by %s, and is mended by generating', async (_, change, files) => {
    change();
    const drift = await driftBetween(crds, generated);
    expect(drift.map(({ file }) => file)).toEqual(files);
    settle(drift, generated);
    expect(await driftBetween(crds, generated)).toEqual([]);
  });
});

function edit(file: string, before: string, after: string): void {
  const path = join(crds, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(before);
  writeFileSync(path, text.replaceAll(before, after));
}
