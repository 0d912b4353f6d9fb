import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Runs a tool of node_modules/.bin with our streams; resolves to whether it exited 0. */
function runTool(tool: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (status) => resolve(status === 0));
  });
}

/** Beside prettier's. eslint has none: its rules read types, so what it finds in a file is decided by other files too. */
const typesCache = 'node_modules/.cache/tsc.tsbuildinfo';

/**
 * Lint, formatting, types, dead code, arrows between rooms, generated code and the lock file of the whole tree. `--fix`
 * mends what can be mended. As many tools run side by side as there are processors, what takes longest first: eslint
 * takes about as long as all others together, so on two processors it has one of its own.
 */
export async function check(args: readonly string[]): Promise<boolean> {
  const fix = args.includes('--fix');
  const formatting = ['--log-level', 'warn', '--cache', '--cache-strategy', 'content'];
  const tools: (() => Promise<boolean>)[] = [
    () => runTool('eslint', ['--max-warnings', '0', ...(fix ? ['--fix'] : []), '.']),
    () => runTool('tsc', ['--incremental', '--tsBuildInfoFile', typesCache]),
    () => runTool('prettier', [fix ? '--write' : '--check', ...formatting, '.']),
    () => runTool('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src', 'dev']),
    () => runTool('knip', ['--no-progress']),
    () => runTool(process.execPath, ['dev/commands/generate.ts', ...(fix ? [] : ['--check'])]),
    () => runTool(process.execPath, ['dev/commands/audit.ts', '--offline']),
  ];
  let ok = true;
  const work = async (): Promise<void> => {
    for (let tool = tools.shift(); tool; tool = tools.shift()) ok = (await tool()) && ok;
  };
  await Promise.all(Array.from({ length: fix ? 1 : availableParallelism() }, work));
  return ok;
}
