import { parseArgs } from 'node:util';
import { runOperator } from './run-operator.ts';
import { systemClock } from '../lib/clock.ts';
import { ConfigError } from '../lib/config-file.ts';
import { readOperatorConfig } from './config.ts';
import { createLog } from '../lib/log.ts';

const log = createLog(process.env.LOG_LEVEL);
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
process.on('SIGUSR2', () => log.toggleDebug());
try {
  if (values.config === undefined) throw new ConfigError('usage: operator --config FILE');
  const config = readOperatorConfig(values.config);
  process.exitCode = await runOperator({ config, clock: systemClock, log }, ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    log.error({ err: error }, 'the operator cannot run');
    process.exitCode = error instanceof ConfigError ? 3 : 1;
  }
}
process.exit();
