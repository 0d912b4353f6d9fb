import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { keyFile } from '../sidecar-credentials.ts';
import type { Child } from './supervise.ts';
import { supervise } from './supervise.ts';
import { ConfigError } from '../../lib/config-file.ts';
import { readOperatorConfig } from '../config.ts';
import { parseListenAddress } from '../../lib/http-server.ts';
import { runProgram } from '../../lib/run-program.ts';

/** `--look-every`: 1 to 60 seconds before each liveness check of the operator, and as long for its answer. */
const usage = 'usage: supervised-operator --config FILE [--look-every SECONDS]';
const options = { config: { type: 'string' }, 'look-every': { type: 'string', default: '5' } } as const;

function start(config: string): Child {
  // TypeScript in the repository, JavaScript in the image.
  const entry = join(import.meta.dirname, `../main${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [...process.execArgv, entry, '--config', config], { stdio: 'inherit' });
  return {
    ended: new Promise((done) => child.once('exit', (status) => done(status)).once('error', () => done(1))),
    signal: (name) => void child.kill(name),
  };
}

/** Asks the operator's health port, which answers while its event loop runs. */
async function isAlive(metricsAddress: string, withinMs: number): Promise<boolean> {
  const { host = 'localhost', port } = parseListenAddress(metricsAddress) ?? { port: 0 };
  const name = host.includes(':') ? `[${host}]` : host;
  const answer = fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(withinMs) });
  return answer.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The path of the operator's configuration, and the pause before each look in milliseconds. */
function readArguments() {
  const { values } = parseArgs({ options });
  const checkEveryMs = Number(values['look-every']) * 1_000;
  if (values.config === undefined || !(checkEveryMs >= 1_000 && checkEveryMs <= 60_000)) throw new ConfigError(usage);
  return { path: values.config, checkEveryMs };
}

await runProgram('the operator', ({ clock, log }, signal) => {
  const { path, checkEveryMs } = readArguments();
  const { sidecar, metricsAddress } = readOperatorConfig(path);
  if (sidecar === null)
    throw new ConfigError(`${path}: sidecar is null; where the API server runs elsewhere, run operator instead`);
  let switched = false;
  process.on('SIGUSR2', () => (switched = !switched));
  return supervise(
    {
      start: () => start(path),
      isAlive: () => isAlive(metricsAddress, checkEveryMs),
      hasHandedOver: () => existsSync(join(sidecar.folder, keyFile)),
      isLevelSwitched: () => switched,
      checkEveryMs,
      clock,
      log,
    },
    signal,
  );
});
