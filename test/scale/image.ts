import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');

const textOf = (pattern: RegExp): string => {
  const found = pattern.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  if (!found?.[1]) throw new Error(`the Dockerfile has no line like ${String(pattern)}`);
  return found[1];
};

const instruction = (pattern: RegExp): readonly string[] => parse(textOf(pattern)) as readonly string[];

/** How the image has memory allocated, but for what a container of the chart says. */
const allocation = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [/^ENV (MALLOC_.+)$/m, /^ENV (NODE_OPTIONS=.+)$/m]
      .flatMap((line) => textOf(line).split(' '))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
  );

/** Arguments that the image gives to Node.js before the program. */
export const nodeArguments = (): readonly string[] => instruction(/^ENTRYPOINT (.+)$/m).slice(1);

/**
 * The environment of the image. What its build compiles for every start is compiled into a folder of `dir` when the first of our
 * processes starts: otherwise each of them holds the TypeScript compiler in memory.
 */
export function imageEnvironment(dir: string): Readonly<Record<string, string>> {
  const folder = join(dir, 'compile-cache');
  const env = { ...allocation(), NODE_ENV: 'production', NODE_COMPILE_CACHE: folder, REVISION: 'measured' };
  if (existsSync(folder)) return env;
  const [, ...compile] = instruction(/^RUN (\["node", .*import\(.*\])$/m);
  const args = compile.map((one) => one.replaceAll('/app/', `${root}/`));
  execFileSync(process.execPath, args, { env: { ...process.env, ...env }, timeout: 60_000 });
  return env;
}
