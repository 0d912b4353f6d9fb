import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { provideSidecarCredentials } from '../../../src/operator/sidecar-credentials.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/**
 * The token that the operator gave the API is good for two days, so that it outlives an operator that is away; a thief would have it
 * as long. Deleting one Secret ends it within seconds, on a real API server of Kubernetes, and the API gets another.
 */

let controlPlane: TestControlPlane | undefined;
let dir: string;
const minutes = 60_000;

const cluster = (): TestControlPlane => {
  if (!controlPlane) throw new Error('there is no API server');
  return controlPlane;
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-token-'));
  controlPlane = await startTestControlPlane();
  await controlPlane.installRights();
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await controlPlane?.stop();
  rmSync(dir, { recursive: true, force: true });
}, controlPlaneDeadlineMs);

describe('the token that the operator gave', () => {
  let transport: Transport | undefined;
  let folder: string;
  const ended = new AbortController();
  let over: Promise<void>;

  beforeAll(async () => {
    const identity = mkdtempSync(join(dir, 'identity-'));
    writeFileSync(join(identity, 'ca.crt'), 'PEM');
    folder = mkdtempSync(join(dir, 'given-'));
    transport = createTransport(await connect(await cluster().kubeconfigOf('projectdomain-operator')));
    const hands = createCluster(transport, 'test');
    const config = { systemNamespace, sidecar: { serviceAccount: 'projectdomain-api', folder } };
    const parts = {
      transport,
      cluster: hands,
      config,
      identity,
      ready: Promise.resolve(),
      clock: systemClock,
      log: silentLog,
    };
    over = provideSidecarCredentials(parts, ended.signal);
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
    const admin = await connect(cluster().kubeconfigFor({ commonName: 'nobody' }));
    const { cert: _cert, key: _key, ...tls } = admin.tls;
    const own = createTransport({ ...admin, tls, authorization: () => Promise.resolve(`Bearer ${token}`) });
    try {
      await own.call({ method: 'GET', path: '/apis/projectdomain.io/v1alpha1/projects?limit=1' });
      return 200;
    } catch (error) {
      if (error instanceof KubernetesError) return error.status;
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
      await cluster().kubectl.run(['delete', 'secret', 'projectdomain-api-tokens', '-n', systemNamespace]);
      await eventually('the old token is refused', minutes, async () =>
        expectThat((await statusWith(stolen)) === 401, 'still taken'),
      );
      await eventually('another is given', minutes, () => Promise.resolve(expectThat(given() !== stolen, 'the same')));
      expect(await statusWith(given())).toBe(200);
    },
    3 * minutes,
  );
});
