import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { leastValues, renderChart } from '../../../dev/platform/chart.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { freePort } from '../../support/redis.ts';
import { shippedConfig } from '../../support/shipped-config.ts';

/**
 * The API runs in the operator's Pod, with a token that the operator gave it. The operator is killed, again and again, and
 * frozen: its container runs on and starts it again, and the Pod is ready as long as the API is.
 */

let dir: string;
const minutes = 60_000;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-operator-away-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A kubeconfig for an API server of Kubernetes that is away too. */
const nobody = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'away', cluster: { server: `https://127.0.0.1:${port}` } }],
  users: [{ name: 'nobody', user: {} }],
  contexts: [{ name: 'away', context: { cluster: 'away', user: 'nobody' } }],
  'current-context': 'away',
});

interface Container {
  readonly process: ChildProcess;
  /** Processes that the container's own one started. */
  operators(): readonly number[];
  isAlive(): Promise<boolean>;
  /** Resolves once the container's own process has seen the operator answer: it passes a signal on to no other. */
  isSeen(): Promise<void>;
}

/** Seconds between the looks at an operator: one that was killed needs none, one that is frozen is ended after four. */
const lookEvery = { killed: '60', frozen: '1' } as const;

async function startContainer(fate: keyof typeof lookEvery): Promise<Container> {
  const metricsAddress = `127.0.0.1:${await freePort()}`;
  const folder = mkdtempSync(join(dir, 'handed-over-'));
  writeFileSync(join(folder, 'hmac.key'), 'k'.repeat(32));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(nobody(await freePort())));
  const config = {
    ...(await shippedConfig()),
    kubeconfig,
    metricsAddress,
    resolvers: ['127.0.0.1:1'],
    certManager: null,
    sidecar: { serviceAccount: 'projectdomain-api', folder },
  };
  const file = join(folder, 'operator.json');
  writeFileSync(file, JSON.stringify(config));
  const entry = join(import.meta.dirname, '../../../src/operator/supervisor/main.ts');
  const node = ['--pdeathsig', 'KILL', '--', process.execPath, '--disable-warning=ExperimentalWarning', entry];
  const child = spawn('setpriv', [...node, '--config', file, '--look-every', lookEvery[fate]], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let switches = 0;
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => (switches += Number(line.includes('the log level is switched'))));
  const operators = () =>
    readdirSync(`/proc/${child.pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    );
  const isAlive = async () =>
    (await fetch(`http://${metricsAddress}/livez`, { signal: AbortSignal.timeout(2_000) })).ok;
  // Both processes say that they have switched.
  const isSeen = async () => {
    child.kill('SIGUSR2');
    while (switches < 2) await once(lines, 'line');
  };
  return { process: child, operators, isAlive, isSeen };
}

const runs = (container: Container) =>
  eventually('the operator runs', 2 * minutes, async () => {
    expect(container.process.exitCode).toBeNull();
    expectThat(await container.isAlive(), 'it does not answer');
  });

const anotherRuns = (container: Container, before: number | undefined) =>
  eventually('another operator runs', 3 * minutes, () => {
    const [now] = container.operators();
    return Promise.resolve(expectThat(now !== undefined && now !== before, `${now}`));
  });

/** Resolves to its exit status. */
async function end({ process: child }: Container): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
  return child.exitCode;
}

/** One container each: after every end the next start is put off for longer. */
describe('the container of the operator', () => {
  const containers: Container[] = [];

  beforeAll(async () => {
    for (const fate of ['killed', 'frozen'] as const) containers.push(await startContainer(fate));
    await Promise.all(containers.map(runs));
  }, 3 * minutes);

  afterAll(async () => void (await Promise.all(containers.map(end))), minutes);

  it.concurrent(
    'runs on whenever the operator in it is killed, and starts it again',
    async () => {
      const container = containers[0] as Container;
      for (let deaths = 0; deaths < 3; deaths += 1) {
        const [before] = container.operators();
        process.kill(before as number, 'SIGKILL');
        await anotherRuns(container, before);
        expect(container.process.exitCode).toBeNull();
      }
      await eventually('the operator answers again', minutes, async () =>
        expectThat(await container.isAlive(), 'not yet'),
      );
    },
    4 * minutes,
  );

  it.concurrent(
    'runs on while the operator in it is frozen, and ends it',
    async () => {
      const container = containers[1] as Container;
      await container.isSeen();
      const [before] = container.operators();
      process.kill(before as number, 'SIGSTOP');
      await anotherRuns(container, before);
      expect(container.process.exitCode).toBeNull();
    },
    4 * minutes,
  );

  it(
    'ends when it is told to, although the API server of Kubernetes is away',
    async () => {
      await Promise.all(containers.map(runs));
      expect(await Promise.all(containers.map(end))).toEqual([0, 0]);
    },
    3 * minutes,
  );
});

describe('the Pod of the operator', () => {
  it('is ready when the API is: the container of the operator has no say in it', async () => {
    const { helm } = await findTools(() => undefined);
    const documents = parseAllDocuments(await renderChart(helm, leastValues, ['operator.yaml']));
    const [deployment] = documents
      .map((document) => document.toJS() as Rendered)
      .filter(({ kind }) => kind === 'Deployment');
    const probes = deployment?.spec.template.spec.containers.map(({ name, ...container }) => [
      name,
      Object.keys(container).filter((field) => field.endsWith('Probe')).length,
    ]);
    expect(probes).toEqual([
      ['operator', 0],
      ['api', 3],
    ]);
  });
});

interface Rendered {
  readonly kind: string;
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly name: string }[] } };
  };
}
