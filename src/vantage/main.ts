import { parseArgs } from 'node:util';
import { systemClock } from '../lib/clock.ts';
import { ConfigError } from '../lib/config-file.ts';
import { createLog } from '../lib/log.ts';
import { readVantageConfig } from './config.ts';
import { runVantage } from './run-vantage.ts';

const log = createLog(process.env.LOG_LEVEL);
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
process.on('SIGUSR2', () => log.toggleDebug());
try {
  if (values.config === undefined) throw new ConfigError('usage: vantage --config FILE');
  await runVantage({ config: readVantageConfig(values.config), clock: systemClock, log }, ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    log.error({ err: error }, 'the vantage point cannot run');
    process.exitCode = error instanceof ConfigError ? 3 : 1;
  }
}
process.exit();
