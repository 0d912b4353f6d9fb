import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/**
 * A newcomer adds a verdict code, a reason and a limit of plans to their tables, in a copy of the source, and the compiler
 * names every other place that has to know. It fails where a table stops being exhaustive, and where one more place wants
 * to be edited by hand.
 */

const root = join(import.meta.dirname, '../../..');
const copy = mkdtempSync(join(tmpdir(), 'projectdomain-newcomer-'));

beforeAll(() => {
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function add(file: string, before: string, text: string): void {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const at = source.indexOf(before);
  if (at === -1) throw new Error(`${file} has no ${before}`);
  writeFileSync(path, source.slice(0, at) + text + source.slice(at));
}

/** Every source file that leads to one of these by its imports: what they change can break nothing else. */
function dependentsOf(changed: readonly string[]): readonly string[] {
  const files = readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(copy, 'src', file));
  const importsOf = new Map(
    files.map((file) => {
      const paths = [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)];
      return [file, paths.map(([, path = '']) => join(dirname(file), path))] as const;
    }),
  );
  const found = new Set(changed.map((file) => join(copy, file)));
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const [file, imports] of importsOf) if (imports.some((path) => found.has(path))) found.add(file);
  }
  return [...found];
}

/** What the compiler says: its complaints by file. */
function complaints(changed: readonly string[]): ReadonlyMap<string, string> {
  const config = ts.readConfigFile(join(copy, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config as {
    readonly compilerOptions: object;
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy);
  const program = ts.createProgram(dependentsOf(changed), options);
  const said = new Map<string, string>();
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file ? relative(copy, file.fileName) : '';
    said.set(name, `${said.get(name) ?? ''}${ts.flattenDiagnosticMessageText(messageText, ' ')}\n`);
  }
  return said;
}

describe('who adds', () => {
  let said: ReadonlyMap<string, string>;
  beforeAll(() => {
    add(
      'src/rules/verdict-codes.ts',
      '  CaaForbidsAuthority: {',
      "  NewCode: { meaning: 'It is new.', params: ['name'], sentence: ({ name }) => `${name} is new` },\n",
    );
    add('src/rules/reasons.ts', "  RedirectToSelf: '", "  NewReason: 'It is new.',\n");
    add('src/generated/plan.ts', '      readonly apiKeys?: number;', '      readonly newThings?: number;\n');
    add('src/generated/account.ts', '        readonly apiKeys?: number;', '        readonly newThings?: number;\n');
    said = complaints([
      'src/rules/verdict-codes.ts',
      'src/rules/reasons.ts',
      'src/generated/plan.ts',
      'src/generated/account.ts',
    ]);
  }, 120_000);

  it.each<[what: string, name: string, files: readonly string[]]>([
    [
      'a verdict code is sent to its help text and to the step that it asks for',
      'NewCode',
      ['src/help/dns-help.ts', 'src/help/next-step.ts'],
    ],
    [
      'a reason of acceptance is sent to its help text, to the step that it asks for and to its problem code',
      'NewReason',
      ['src/help/acceptance-help.ts', 'src/help/next-step.ts', 'src/use-cases/finding-to-problem.ts'],
    ],
    [
      'a maximum of plans is sent to what it is, from which the schema of REST follows, and to the cap that holds it',
      'newThings',
      ['src/rules/plan-limits.ts', 'src/server/schemas.ts', 'src/use-cases/caps.ts'],
    ],
  ])('%s', (_, name, files) => {
    expect([...said].flatMap(([file, text]) => (text.includes(name) ? [file] : [])).toSorted()).toEqual(files);
  });

  it('one of these is sent nowhere else', () => {
    expect([...said.keys()].toSorted()).toEqual([
      'src/help/acceptance-help.ts',
      'src/help/dns-help.ts',
      'src/help/next-step.ts',
      'src/rules/plan-limits.ts',
      'src/server/schemas.ts',
      'src/use-cases/caps.ts',
      'src/use-cases/finding-to-problem.ts',
    ]);
  });
});
