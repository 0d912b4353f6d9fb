import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { operatorConfig, redirectorConfig } from '../../support/process-configs.ts';
import { freePort } from '../../support/redis.ts';

/** A process that is told to stop while it is still reading its credentials stops. */

let dir: string;
/** One that does not stop would run for ever. */
const hangMs = 300_000;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-stop-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Its exec plugin tells the process that started it to stop, and gives it the time to hear of it. */
const stopping = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'away', cluster: { server: `https://127.0.0.1:${port}` } }],
  users: [
    {
      name: 'plugin',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'sh',
          args: [
            '-c',
            `kill -TERM $PPID; sleep 0.5; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'`,
          ],
          interactiveMode: 'Never',
        },
      },
    },
  ],
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'plugin' } }],
  'current-context': 'away',
});

it.each<[string, object]>([
  ['operator', operatorConfig],
  ['redirector', { ...redirectorConfig, listen: '127.0.0.1:0', lingerMs: 0 }],
])(
  'the %s',
  async (program, config) => {
    const kubeconfig = join(dir, `${program}-kubeconfig`);
    writeFileSync(kubeconfig, JSON.stringify(stopping(await freePort())));
    const file = join(dir, `${program}.json`);
    writeFileSync(file, JSON.stringify({ ...config, kubeconfig, metricsAddress: `127.0.0.1:${await freePort()}` }));
    const entry = join(import.meta.dirname, `../../../src/${program}/main.ts`);
    const own = ['--pdeathsig', 'KILL', '--', process.execPath, '--disable-warning=ExperimentalWarning', entry];
    const child = spawn('setpriv', [...own, '--config', file], {
      stdio: 'ignore',
      timeout: hangMs,
      killSignal: 'SIGKILL',
    });
    const ended = await new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code)));
    expect(ended).toBe(0);
  },
  2 * hangMs,
);
