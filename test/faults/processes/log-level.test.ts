import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Ended, eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { apiConfig, operatorConfig, redirectorConfig } from '../../support/process-configs.ts';
import { freePort } from '../../support/redis.ts';

/** The log level of a running process is switched by SIGUSR2; a process that does not listen to that signal ends of it. */

let dir: string;
let running: ChildProcess | null = null;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-log-level-'));
});

afterEach(async () => {
  if (running?.exitCode === null && running.signalCode === null) {
    const gone = new Promise((done) => running?.once('exit', done));
    // Not SIGKILL: the supervisor ends its operator.
    running.kill('SIGTERM');
    await gone;
  }
  running = null;
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** An API server of Kubernetes that is away: the watches fail again and again, and say so at debug. */
const away = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'away', cluster: { server: `https://127.0.0.1:${port}` } }],
  users: [{ name: 'nobody', user: {} }],
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'nobody' } }],
  'current-context': 'away',
});

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly logLevel?: string;
}

interface Process {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  /** levels that it said it switched to */
  switched(): readonly (string | undefined)[];
}

/** Starts the program and waits until it answers on its health port. */
async function start(program: string, config: object): Promise<Process> {
  const metricsAddress = `127.0.0.1:${await freePort()}`;
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(away(await freePort())));
  const file = join(dir, 'config.json');
  writeFileSync(file, JSON.stringify({ ...config, kubeconfig, metricsAddress }));
  const entry = join(import.meta.dirname, `../../../src/${program}/main.ts`);
  const own = ['--pdeathsig', 'KILL', '--', process.execPath, '--disable-warning=ExperimentalWarning', entry];
  const child = spawn('setpriv', [...own, '--config', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'info' },
  });
  running = child;
  const lines: Line[] = [];
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line) as Line));
  });
  await eventually(`${program} answers`, 60_000, async () => {
    const said = lines.map(({ msg }) => msg).join('; ');
    if (child.exitCode !== null) throw new Ended(`it ended with ${child.exitCode}: ${said}`);
    const answer = await fetch(`http://${metricsAddress}/livez`).catch(() => null);
    expectThat(answer?.ok === true, `no answer: ${said}`);
  });
  const switched = () => lines.flatMap(({ msg, logLevel }) => (msg === 'the log level is switched' ? [logLevel] : []));
  return { child, lines, switched };
}

const isDebug = ({ level }: Line): boolean => level === 20;
const sidecar = () => ({ serviceAccount: 'projectdomain-api', folder: mkdtempSync(join(dir, 'handed-over-')) });

describe('SIGUSR2', () => {
  it.each<[string, object]>([
    ['operator', operatorConfig],
    ['api-server', { ...apiConfig, lingerMs: 0 }],
    ['redirector', { ...redirectorConfig, lingerMs: 0 }],
  ])(
    'makes the %s log at debug, and once more as before',
    async (program, config) => {
      const { child, lines, switched } = await start(program, config);
      expect(lines.filter(isDebug)).toEqual([]);
      child.kill('SIGUSR2');
      await eventually('debug lines', 30_000, () => Promise.resolve(expectThat(lines.some(isDebug), 'none')));
      child.kill('SIGUSR2');
      await eventually('the second switch', 30_000, () => {
        expectThat(switched().length === 2, `${switched().length}`);
        return Promise.resolve();
      });
      expect(switched()).toEqual(['debug', 'info']);
      expect(lines.findLastIndex(isDebug)).toBeLessThan(lines.findLastIndex(({ logLevel }) => logLevel === 'info'));
      expect(child.exitCode).toBeNull();
    },
    120_000,
  );

  it('to the supervisor is passed on to its operator', async () => {
    const { child, lines, switched } = await start('operator/supervisor', { ...operatorConfig, sidecar: sidecar() });
    child.kill('SIGUSR2');
    await eventually('debug lines of the operator', 30_000, () => {
      expectThat(lines.some(isDebug), 'none');
      return Promise.resolve();
    });
    child.kill('SIGUSR2');
    await eventually('both are switched back', 30_000, () => {
      expectThat(switched().length === 4, `${switched().length}`);
      return Promise.resolve();
    });
    expect(switched()).toEqual(['debug', 'debug', 'info', 'info']);
    expect(child.exitCode).toBeNull();
  }, 120_000);
});
