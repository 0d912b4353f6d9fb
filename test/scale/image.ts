import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { OurName } from '../../dev/platform/ours.ts';

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

/** The environment of the image. */
export const imageEnvironment = (): Readonly<Record<string, string>> => ({
  ...allocation(),
  NODE_ENV: 'production',
  REVISION: 'measured',
});

/** A program of ours as the image has it, without types, in a folder of `dir`. Made when the first one is asked for. */
export function programInImage(name: OurName, dir: string): string {
  const app = join(dir, 'app');
  if (!existsSync(app)) layOut(app);
  return join(app, `lib/${name}/main.js`);
}

function layOut(app: string): void {
  mkdirSync(app);
  for (const shared of ['node_modules', 'package.json']) symlinkSync(join(root, shared), join(app, shared));
  const [, ...strip] = instruction(/^RUN (\["node", .*"strip-types\.mjs".*\])$/m);
  const here = new Map([
    ['strip-types.mjs', join(root, 'dev/pack/strip-types.mjs')],
    ['src', join(root, 'src')],
  ]);
  const args = strip.map((one) => here.get(one) ?? one);
  execFileSync(process.execPath, args, { cwd: app, timeout: 60_000 });
}
