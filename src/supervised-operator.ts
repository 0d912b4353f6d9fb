import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keyFile } from './operator/hand-over.ts';
import type { Child } from './operator/supervise.ts';
import { supervise } from './operator/supervise.ts';
import { systemClock } from './runtime/clock.ts';
import { ConfigError } from './runtime/config-file.ts';
import { readConfig } from './runtime/config.ts';
import { parseListenAddress } from './runtime/listen-address.ts';
import { createLog, errorOf } from './runtime/log.ts';

const log = createLog(process.env.LOG_LEVEL);
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());

function start(config: string): Child {
  const entry = join(import.meta.dirname, 'operator.ts');
  const child = spawn(process.execPath, [...process.execArgv, entry, '--config', config], { stdio: 'inherit' });
  return {
    ended: new Promise((done) => child.once('exit', (status) => done(status)).once('error', () => done(1))),
    signal: (name) => void child.kill(name),
  };
}

/** Its own health port says whether its event loop turns. */
async function isAlive(metricsAddress: string): Promise<boolean> {
  const { host = 'localhost', port } = parseListenAddress(metricsAddress) ?? { port: 0 };
  const name = host.includes(':') ? `[${host}]` : host;
  const answer = fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(5_000) });
  return answer.then(
    ({ ok }) => ok,
    () => false,
  );
}

try {
  const path = values.config;
  if (path === undefined) throw new ConfigError('usage: supervised-operator --config FILE');
  const { sidecar, metricsAddress } = readConfig(path);
  if (sidecar === null)
    throw new ConfigError(`${path}: sidecar is null; where the API server is elsewhere run operator`);
  process.exitCode = await supervise(
    {
      start: () => start(path),
      isAlive: () => isAlive(metricsAddress),
      hasHandedOver: () => existsSync(join(sidecar.folder, keyFile)),
      clock: systemClock,
      log,
    },
    ended.signal,
  );
} catch (error) {
  log.error({ error: errorOf(error) }, 'the operator cannot run');
  process.exitCode = error instanceof ConfigError ? 3 : 1;
}
process.exit();
