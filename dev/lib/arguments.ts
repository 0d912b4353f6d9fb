import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/**
 * The arguments of a command, as parseArgs reads them. One that it does not take ends the process with status 3 and a sentence, before
 * anything long begins.
 */
export function argumentsOf<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const options = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    console.error(`${error.message}. Options: ${options.length > 0 ? options.join(', ') : 'none'}`);
    return process.exit(3);
  }
}
