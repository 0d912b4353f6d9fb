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

/** Lint, formatting, types, dead code, arrows between rooms, generated code and the lock file of the whole tree. `--fix` mends what can be mended. */
export async function check(args: readonly string[]): Promise<boolean> {
  const fix = args.includes('--fix');
  const tools: (() => Promise<boolean>)[] = [
    () => runTool('prettier', [fix ? '--write' : '--check', '--log-level', 'warn', '.']),
    () => runTool('eslint', ['--max-warnings', '0', ...(fix ? ['--fix'] : []), '.']),
    () => runTool('tsc', []),
    () => runTool('knip', ['--no-progress']),
    () => runTool('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src', 'dev']),
    () => runTool(process.execPath, ['dev/commands/generate.ts', ...(fix ? [] : ['--check'])]),
    () => runTool(process.execPath, ['dev/commands/audit.ts', '--offline']),
  ];
  if (fix || availableParallelism() === 1) {
    let ok = true;
    for (const tool of tools) ok = (await tool()) && ok;
    return ok;
  }
  return (await Promise.all(tools.map((tool) => tool()))).every(Boolean);
}
