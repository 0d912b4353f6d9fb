import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe('the container of the operator', () => {
  let container: ChildProcess | undefined;
  let metricsAddress: string;

  /** Processes that the container's own one started. */
  const operators = (): readonly number[] =>
    readdirSync(`/proc/${container?.pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${container?.pid}/task/${task}/children`, 'utf8')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );

  const isAlive = async () =>
    (await fetch(`http://${metricsAddress}/livez`, { signal: AbortSignal.timeout(2_000) })).ok;

  beforeAll(async () => {
    metricsAddress = `127.0.0.1:${await freePort()}`;
    const folder = mkdtempSync(join(dir, 'handed-over-'));
    writeFileSync(join(folder, 'hmac.key'), 'k'.repeat(32));
    const kubeconfig = join(dir, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(nobody(await freePort())));
    const config = {
      ...(await shippedConfig()),
      kubeconfig,
      metricsAddress,
      resolvers: ['127.0.0.1:1'],
      certManager: null,
      sidecar: { serviceAccount: 'projectdomain-api', folder },
    };
    const file = join(dir, 'operator.json');
    writeFileSync(file, JSON.stringify(config));
    const entry = join(import.meta.dirname, '../../../src/supervised-operator.ts');
    const args = ['--pdeathsig', 'KILL', '--', process.execPath, '--disable-warning=ExperimentalWarning', entry];
    container = spawn('setpriv', [...args, '--config', file], { stdio: 'ignore' });
    await eventually('the operator runs', 2 * minutes, async () => {
      expect(container?.exitCode).toBeNull();
      expectThat(await isAlive(), 'it does not answer');
    });
  }, 3 * minutes);

  afterAll(async () => {
    if (!container || container.exitCode !== null) return;
    const ended = new Promise((done) => container?.once('exit', done));
    container.kill('SIGTERM');
    await ended;
  }, minutes);

  it(
    'runs on whenever the operator in it is killed, and starts it again',
    async () => {
      for (let deaths = 0; deaths < 3; deaths += 1) {
        const [before] = operators();
        process.kill(before as number, 'SIGKILL');
        await eventually('another operator runs', minutes, () => {
          const [now] = operators();
          return Promise.resolve(expectThat(now !== undefined && now !== before, `${now}`));
        });
        expect(container?.exitCode).toBeNull();
      }
      await eventually('the operator answers again', minutes, async () => expectThat(await isAlive(), 'not yet'));
    },
    4 * minutes,
  );

  it(
    'runs on while the operator in it is frozen, and ends it',
    async () => {
      const [before] = operators();
      process.kill(before as number, 'SIGSTOP');
      await eventually('another operator runs', 3 * minutes, () => {
        const [now] = operators();
        return Promise.resolve(expectThat(now !== undefined && now !== before, `${now}`));
      });
      expect(container?.exitCode).toBeNull();
    },
    4 * minutes,
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
