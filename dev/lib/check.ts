import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Something to be done, which resolves to whether all was well. */
type Job = () => Promise<boolean>;

/** Runs a tool of node_modules/.bin with our streams; resolves to whether it exited 0. */
function runTool(tool: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (status) => resolve(status === 0));
  });
}

/**
 * Lint, formatting, types, dead code, arrows between rooms, generated code and the lock file of the whole tree, what takes
 * longest first: eslint takes about as long as all others together. `--fix` mends what can be mended.
 */
function tools(fix: boolean): readonly Job[] {
  const formatting = ['--log-level', 'warn', '--cache', '--cache-strategy', 'content'];
  const rules = [() => runTool('eslint', ['--max-warnings', '0', '--fix', '.']), () => runTool('tsc', [])];
  return [
    ...(fix ? rules : [() => runTool(process.execPath, ['dev/lint/types-and-rules.ts'])]),
    () => runTool('prettier', [fix ? '--write' : '--check', ...formatting, '.']),
    () => runTool('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src', 'dev']),
    () => runTool('knip', ['--no-progress']),
    () => runTool(process.execPath, ['dev/commands/generate.ts', ...(fix ? [] : ['--check'])]),
    () => runTool(process.execPath, ['dev/commands/audit.ts', '--offline']),
  ];
}

/**
 * All static checks, as many side by side as there are processors; resolves to whether none of them found anything. With
 * `--fix`, one after the other. `whenIdle` is called for each processor that has nothing left to begin.
 */
export async function check(args: readonly string[], whenIdle: () => unknown = () => null): Promise<boolean> {
  const fix = args.includes('--fix');
  const open = [...tools(fix)];
  let ok = true;
  const work = async (): Promise<void> => {
    for (let tool = open.shift(); tool; tool = open.shift()) ok = (await tool()) && ok;
    whenIdle();
  };
  await Promise.all(Array.from({ length: fix ? 1 : availableParallelism() }, work));
  return ok;
}
