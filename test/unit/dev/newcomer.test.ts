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

/** Everything that is said of a code, as a row of a table in src/rules/codes. */
const texts = "title: 'New', meaning: 'It is new.', todo: 'Nothing to do.'";
const row = `definition: 'It is new.', ${texts}, step: { kind: null, actor: 'Platform' }`;
const found = "params: ['name'], sentence: ({ name }) => `${name} is new`";

describe('who adds', () => {
  let said: ReadonlyMap<string, string>;
  beforeAll(() => {
    add(
      'src/rules/codes/routing-codes.ts',
      '  WrongTarget: {',
      `  NewCode: { ${row}, ${found}, aboutTarget: true },\n`,
    );
    add(
      'src/rules/codes/server-codes.ts',
      '  LameDelegation: {',
      `  HalfCode: { definition: 'It is new.', ${found} },\n`,
    );
    add('src/rules/codes/accepted-reasons.ts', '  RedirectToSelf: {', `  NewReason: { ${row} },\n`);
    add('src/generated/plan.ts', '      readonly apiKeys?: number;', '      readonly newThings?: number;\n');
    add('src/generated/account.ts', '        readonly apiKeys?: number;', '        readonly newThings?: number;\n');
    said = complaints([
      'src/rules/codes/accepted-reasons.ts',
      'src/rules/codes/routing-codes.ts',
      'src/rules/codes/server-codes.ts',
      'src/generated/plan.ts',
      'src/generated/account.ts',
    ]);
  }, 120_000);

  it.each<[what: string, name: string, files: readonly string[]]>([
    ['a verdict code has said everything in its row', 'NewCode', []],
    ['a reason of acceptance is sent to its problem code', 'NewReason', ['src/use-cases/error-to-problem.ts']],
    [
      'a maximum of plans is sent to what it is, from which the schema of REST follows, and to the cap that holds it',
      'newThings',
      ['src/rules/plan-limits.ts', 'src/server/account-schemas.ts', 'src/use-cases/caps.ts'],
    ],
  ])('%s', (_, name, files) => {
    expect([...said].flatMap(([file, text]) => (text.includes(name) ? [file] : [])).toSorted()).toEqual(files);
  });

  it('a verdict code without all that is said of it is told what its row lacks', () => {
    const lacks = said.get('src/rules/codes/server-codes.ts') ?? '';
    for (const field of ['aboutTarget', 'step', 'title', 'meaning']) expect(lacks).toContain(field);
  });

  it('one of these is sent nowhere else', () => {
    expect([...said.keys()].toSorted()).toEqual([
      'src/rules/codes/server-codes.ts',
      'src/rules/plan-limits.ts',
      'src/rules/verdict-codes.ts',
      'src/server/account-schemas.ts',
      'src/use-cases/caps.ts',
      'src/use-cases/error-to-problem.ts',
    ]);
  });
});
