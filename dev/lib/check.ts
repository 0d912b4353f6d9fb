import { spawn } from 'node:child_process';
import { thisMachine } from './machine.ts';

/** A static check. */
interface Tool {
  readonly name: string;
  /** about, of one processor */
  readonly seconds: number;
  /** Resolves to whether it found nothing. */
  run(): Promise<boolean>;
}

/** Runs a tool of node_modules/.bin with our streams; resolves to whether it exited 0. */
export function runTool(tool: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (status) => resolve(status === 0));
  });
}

/** Types as the compiler has them, and the rules that go by types, of one program (.oxlintrc.json). */
export const typeArguments = ['--type-aware', '--type-check', 'src', 'dev', 'test', 'docs/clients'] as const;

/**
 * Lint, formatting, types, dead code, arrows between rooms, generated code and the lock file of the whole tree, what takes
 * longest first. With `fix` what can be mended is mended.
 */
export function tools(fix: boolean): readonly Tool[] {
  const tool = (name: string, seconds: number, args: readonly string[], program = name): Tool => ({
    ...{ name, seconds },
    run: () => runTool(program, args),
  });
  const ours = (name: string, seconds: number, path: string, ...args: readonly string[]): Tool =>
    tool(name, seconds, [path, ...args], process.execPath);
  const types = tool('oxlint', 40, typeArguments);
  const rules = fix
    ? [
        tool('eslint', 40, ['--max-warnings', '0', '--fix', '.']),
        types,
        tool('prettier', 20, ['--log-level', 'warn', '--write', '.']),
      ]
    : [types, ours('rules', 40, 'dev/lint/rules.ts'), ours('formatting', 40, 'dev/lint/formatting.ts')];
  return [
    ...rules,
    tool('depcruise', 10, ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src', 'dev']),
    tool('knip', 5, ['--no-progress']),
    ours('generated code', 5, 'dev/commands/generate.ts', ...(fix ? [] : ['--check'])),
    ours('lock file', 1, 'dev/commands/audit.ts', '--offline'),
  ];
}

/**
 * All static checks, as many side by side as there are processors; resolves to whether none of them found anything. With
 * `--fix`, one after the other.
 */
export async function check(args: readonly string[]): Promise<boolean> {
  const fix = args.includes('--fix');
  const open = [...tools(fix)];
  let ok = true;
  const work = async (): Promise<void> => {
    for (let tool = open.shift(); tool; tool = open.shift()) ok = (await tool.run()) && ok;
  };
  await Promise.all(Array.from({ length: fix ? 1 : thisMachine().processors }, work));
  return ok;
}
