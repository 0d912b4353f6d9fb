import { parseArgs } from 'node:util';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { ConfigError } from './config-file.ts';
import type { ProcessLog } from './log.ts';
import { createLog } from './log.ts';

/** What every program is given of the process that it runs in. */
interface ProgramContext {
  readonly clock: Clock;
  readonly log: ProcessLog;
}

/** The work of a program until the signal; gives the exit status, 0 when it gives none. */
type Program = (context: ProgramContext, signal: AbortSignal) => Promise<number | void>;

const failed = 1;
const wrongConfig = 3;

/**
 * Runs a program as this process, and ends the process with it. SIGTERM and SIGINT abort its signal; SIGUSR2 switches the
 * log level. A wrong configuration or argument ends with status 3, and whatever else is thrown with 1; what is thrown
 * after the signal is no failure. `title` names it in the log, such as `the operator`.
 */
export async function runProgram(title: string, run: Program): Promise<never> {
  const log = createLog(process.env.LOG_LEVEL);
  const ended = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
  process.on('SIGUSR2', () => log.toggleDebug());
  let status: number | void = 0;
  try {
    status = await run({ clock: systemClock, log }, ended.signal);
  } catch (error) {
    if (!ended.signal.aborted) {
      log.error({ err: error }, `${title} cannot run`);
      status = isWrongConfig(error) ? wrongConfig : failed;
    }
  }
  process.exit(status ?? 0);
}

/** A start with the same configuration and arguments would fail alike. */
function isWrongConfig(error: unknown): boolean {
  if (error instanceof ConfigError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** The path in `--config FILE`, the only argument. Throws what ends the program with status 3. */
export function configArgument(program: string): string {
  const { config } = parseArgs({ options: { config: { type: 'string' } } }).values;
  if (config === undefined) throw new ConfigError(`usage: ${program} --config FILE`);
  return config;
}
