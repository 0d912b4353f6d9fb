import { parseArgs } from 'node:util';
import { runRedirector } from './run-redirector.ts';
import { systemClock } from '../lib/clock.ts';
import { ConfigError } from '../lib/config-file.ts';
import { createLog } from '../lib/log.ts';
import { readRedirectorConfig } from './config.ts';

const log = createLog(process.env.LOG_LEVEL);
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
process.on('SIGUSR2', () => log.toggleDebug());
const addresses = process.env.POD_IPS?.split(',') ?? [];
try {
  if (values.config === undefined) throw new ConfigError('usage: redirector --config FILE');
  await runRedirector(
    { config: readRedirectorConfig(values.config), clock: systemClock, log, addresses },
    ended.signal,
  );
} catch (error) {
  if (!ended.signal.aborted) {
    log.error({ err: error }, 'the redirector cannot run');
    process.exitCode = error instanceof ConfigError ? 3 : 1;
  }
}
process.exit();
