import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { chartValues, leastValues, renderChart, systemNamespace } from '../../../dev/platform/chart.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { createCluster } from '../../../src/kube/client.ts';
import { connect } from '../../../src/kube/connection.ts';
import { KubeError } from '../../../src/kube/errors.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { createTransport } from '../../../src/kube/transport.ts';
import { handOver } from '../../../src/operator/hand-over.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/**
 * The API runs in the operator's Pod, with a token that the operator gave it. The operator is killed, again and again, and
 * frozen: its container runs on and starts it again, and the token is good for two days. Deleting a Secret ends the token.
 */

let controlPlane: TestControlPlane;
let dir: string;
const minutes = 60_000;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-operator-away-'));
  controlPlane = await startTestControlPlane();
  await controlPlane.installRights();
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await controlPlane.stop();
  rmSync(dir, { recursive: true, force: true });
}, controlPlaneDeadlineMs);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}

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

  const isReady = async () =>
    (await fetch(`http://${metricsAddress}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;

  beforeAll(async () => {
    metricsAddress = `127.0.0.1:${await freePort()}`;
    const folder = mkdtempSync(join(dir, 'handed-over-'));
    const config = {
      kubeconfig: await controlPlane.kubeconfigOf('projectdomain-operator'),
      platformDomain: 'apps.example.net',
      cnameDomain: 'cname.apps.example.net',
      platformAddresses: ['192.0.2.10'],
      roots: [],
      resolvers: ['127.0.0.1:1'],
      permittedRanges: [],
      issuer: { kind: 'ClusterIssuer', name: 'none' },
      caDomains: ['ca.test'],
      ingressClass: 'none',
      platformTls: 'Default',
      probe: { address: '127.0.0.1', port: 1, caFile: null },
      systemNamespace,
      requireTxt: false,
      plans: chartValues().plans,
      certManager: null,
      sidecar: { serviceAccount: 'projectdomain-api', folder },
      metricsAddress,
    };
    const file = join(dir, 'operator.json');
    writeFileSync(file, JSON.stringify(config));
    const entry = join(import.meta.dirname, '../../../src/supervised-operator.ts');
    const args = ['--pdeathsig', 'KILL', '--', process.execPath, '--disable-warning=ExperimentalWarning', entry];
    container = spawn('setpriv', [...args, '--config', file], { stdio: 'ignore' });
    await eventually('the key is handed over', 2 * minutes, () =>
      Promise.resolve(expectThat(existsSync(join(folder, 'hmac.key')), 'no key')),
    );
  }, 3 * minutes);

  afterAll(async () => {
    const ended = new Promise((done) => container?.once('exit', done));
    container?.kill('SIGTERM');
    if (container) await ended;
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
      await eventually('the operator is ready again', minutes, async () => expectThat(await isReady(), 'not ready'));
    },
    4 * minutes,
  );

  it(
    'runs on while the operator in it is frozen, and ends it after a minute',
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

describe('the token that the operator gave', () => {
  let transport: Transport | undefined;
  let folder: string;
  const ended = new AbortController();
  let over: Promise<void>;

  beforeAll(async () => {
    const identity = mkdtempSync(join(dir, 'identity-'));
    writeFileSync(join(identity, 'ca.crt'), 'PEM');
    folder = mkdtempSync(join(dir, 'given-'));
    transport = createTransport(await connect(await controlPlane.kubeconfigOf('projectdomain-operator')));
    const cluster = createCluster(transport, 'test', () => undefined);
    const config = { systemNamespace, sidecar: { serviceAccount: 'projectdomain-api', folder } };
    const parts = {
      transport,
      cluster,
      config,
      identity,
      ready: Promise.resolve(),
      clock: systemClock,
      log: silentLog,
    };
    over = handOver(parts, ended.signal);
    await eventually('a token is given', minutes, () =>
      Promise.resolve(expectThat(existsSync(join(folder, 'token')), 'no token')),
    );
  }, 2 * minutes);

  afterAll(async () => {
    ended.abort();
    await over;
    await transport?.close();
  });

  const given = () => readFileSync(join(folder, 'token'), 'utf8');

  /** What the API server of Kubernetes answers to a list of Projects with a token: 200, or the status of its refusal. */
  async function statusWith(token: string): Promise<number> {
    const admin = await connect(controlPlane.kubeconfigFor({ commonName: 'nobody' }));
    const { cert: _cert, key: _key, ...tls } = admin.tls;
    const own = createTransport({ ...admin, tls, authorization: () => Promise.resolve(`Bearer ${token}`) });
    try {
      await own.call({ method: 'GET', path: '/apis/projectdomain.io/v1alpha1/projects?limit=1' });
      return 200;
    } catch (error) {
      if (error instanceof KubeError) return error.status;
      throw error;
    } finally {
      await own.close();
    }
  }

  it('is good for two days', async () => {
    const claims = JSON.parse(Buffer.from(given().split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
      iat: number;
    };
    expect(claims.exp - claims.iat).toBe(48 * 3_600);
    expect(await statusWith(given())).toBe(200);
  });

  it(
    'ends when its Secret is deleted, and the API has another within half a minute',
    async () => {
      const stolen = given();
      await controlPlane.kubectl.run(['delete', 'secret', 'projectdomain-api-tokens', '-n', systemNamespace]);
      await eventually('the old token is refused', minutes, async () =>
        expectThat((await statusWith(stolen)) === 401, 'still taken'),
      );
      await eventually('another is given', minutes, () => Promise.resolve(expectThat(given() !== stolen, 'the same')));
      expect(await statusWith(given())).toBe(200);
    },
    3 * minutes,
  );
});
