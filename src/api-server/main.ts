import { parseArgs } from 'node:util';
import { runApiServer } from './run-api-server.ts';
import { readApiConfig } from './config.ts';
import { systemClock } from '../lib/clock.ts';
import { ConfigError } from '../lib/config-file.ts';
import { createLog } from '../lib/log.ts';

const log = createLog(process.env.LOG_LEVEL);
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
process.on('SIGUSR2', () => log.toggleDebug());
try {
  if (values.config === undefined) throw new ConfigError('usage: api-server --config FILE');
  await runApiServer({ config: readApiConfig(values.config), clock: systemClock, log }, ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    log.error({ err: error }, 'the API server cannot run');
    process.exitCode = error instanceof ConfigError ? 3 : 1;
  }
}
process.exit();
