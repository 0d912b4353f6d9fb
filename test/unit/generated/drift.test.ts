import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chartCrds } from '../../../dev/generate/chart-crds.ts';
import { controllerFiles, controllerNames } from '../../../dev/generate/controllers.ts';
import type { Drift } from '../../../dev/generate/drift.ts';
import { driftOf, settle } from '../../../dev/generate/drift.ts';
import { typesOf } from '../../../dev/generate/types.ts';
import { valuesSchemaDrift } from '../../../dev/generate/values-schema.ts';

/** src/generated is what crds/ says, and the comparison notices when it is not. */

const root = join(import.meta.dirname, '../../..');
const dir = mkdtempSync(join(tmpdir(), 'projectdomain-generated-'));
const crds = join(dir, 'crds');
const generated = join(dir, 'generated');
const names = (drift: readonly Drift[]) => drift.map(({ path }) => basename(path));
const typesDrift = async (from: string, folder: string) => driftOf({ folder, wanted: await typesOf(from) });

beforeEach(() => {
  rmSync(dir, { recursive: true, force: true });
  cpSync(join(root, 'crds'), crds, { recursive: true });
  cpSync(join(root, 'src/generated'), generated, { recursive: true });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('src/generated', () => {
  it('is what crds/ makes of it (else: npm run generate)', async () => {
    expect(names(await typesDrift(join(root, 'crds'), join(root, 'src/generated')))).toEqual([]);
  });

  it.each([
    ['a property that was renamed in the CRD', () => edit('plan.yaml', 'maxPerProject:', 'maxPerShop:'), ['plan.ts']],
    ['a type edited by hand', () => writeFileSync(join(generated, 'plan.ts'), 'export {};\n'), ['plan.ts']],
    ['a type that is missing', () => rmSync(join(generated, 'account.ts')), ['account.ts']],
    ['a type whose CRD is gone', () => rmSync(join(crds, 'api-key.yaml')), ['api-key.ts']],
  ])('drifts by %s, and is mended by generating', async (_, change, files) => {
    change();
    const drift = await typesDrift(crds, generated);
    expect(names(drift)).toEqual(files);
    settle(drift);
    expect(await typesDrift(crds, generated)).toEqual([]);
  });
});

describe("the chart's definitions", () => {
  const folder = join(root, 'charts/projectdomain/templates/crds');

  it('are what crds/ makes of them (else: npm run generate)', () => {
    expect(names(driftOf({ folder, wanted: chartCrds(join(root, 'crds')) }))).toEqual([]);
  });

  it('are not made of a text that Helm would read as a template', () => {
    edit('plan.yaml', 'maxPerProject:', '{{ maxPerProject }}:');
    expect(() => chartCrds(crds)).toThrow('plan.yaml cannot be made a template');
  });
});

describe('what the chart knows of controllers', () => {
  const folder = join(root, 'charts/projectdomain/files/controllers');

  it('is what src/routing/edges says (else: npm run generate)', () => {
    expect(names(driftOf({ folder, wanted: controllerFiles() }))).toEqual([]);
  });
});

describe("the chart's schema of plans and controllers", () => {
  const path = join(root, 'charts/projectdomain/values.schema.json');
  const controllers = controllerNames();

  it('is what crds/ says of a Plan, and knows the controllers that src/ knows (else: npm run generate)', () => {
    expect(names(valuesSchemaDrift({ crds: join(root, 'crds'), controllers }, path))).toEqual([]);
  });

  it('drifts by a controller that is new', () => {
    const [drift] = valuesSchemaDrift({ crds, controllers: [...controllers, 'Kong'] }, path);
    const schema = JSON.parse(drift?.text ?? '{}') as { definitions: Record<string, unknown> };
    expect(schema.definitions.controller).toEqual({ type: 'string', enum: ['', ...controllers, 'Kong'] });
  });

  it('drifts by a limit that was renamed in the CRD, which it then knows and no other', () => {
    edit('plan.yaml', 'maxPerProject', 'maxPerShop');
    const [drift] = valuesSchemaDrift({ crds, controllers }, path);
    const schema = JSON.parse(drift?.text ?? '{}') as { definitions: { plan: Record<string, unknown> } };
    expect(schema.definitions.plan).toMatchObject({
      additionalProperties: false,
      properties: { customDomains: { additionalProperties: false, required: ['enabled', 'maxPerShop'] } },
    });
  });
});

function edit(file: string, before: string, after: string): void {
  const path = join(crds, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(before);
  writeFileSync(path, text.replaceAll(before, after));
}
