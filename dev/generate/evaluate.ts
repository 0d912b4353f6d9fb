import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What a module's text prints as JSON; it imports from `./src/`. In a process of its own, as dev/ imports nothing from src/. */
export function evaluate(script: string): unknown {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8' }));
}
