import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import { shippedConfig } from '../../support/shipped-config.ts';

/**
 * In the default installation the API is ready only where the operator was. So cert-manager is taken away, or is not there
 * yet: a real API server of Kubernetes answers 404 for its kinds. The operator begins, leads and makes the rest all the same.
 */

const metricsAddress = '127.0.0.1:19402';
const minutes = 60_000;
let controlPlane: TestControlPlane;
let dir: string;
let operator: Part | undefined;

const ask = async (path: string) => fetch(`http://${metricsAddress}${path}`, { signal: AbortSignal.timeout(2_000) });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-without-cert-manager-'));
  controlPlane = await startTestControlPlane();
  await controlPlane.installRights();
  const config = {
    ...(await shippedConfig()),
    kubeconfig: await controlPlane.kubeconfigOf('projectdomain-operator'),
    resolvers: ['127.0.0.1:1'],
    platformTls: 'PerHost',
    certManager: null,
    sidecar: null,
    metricsAddress,
  };
  writeFileSync(join(dir, 'operator.json'), JSON.stringify(config));
  const entry = join(import.meta.dirname, '../../../src/operator/main.ts');
  const args = ['--disable-warning=ExperimentalWarning', entry, '--config', join(dir, 'operator.json')];
  operator = await startPart({ name: 'operator', program: process.execPath, args, dir });
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await operator?.stop();
  await controlPlane.stop();
  rmSync(dir, { recursive: true, force: true });
}, controlPlaneDeadlineMs);

describe('an operator in a cluster without cert-manager', () => {
  it('becomes ready, so that the API beside it enters the Service', async () => {
    await eventually('the operator is ready', minutes, async () => {
      const answer = await ask('/readyz');
      expectThat(answer.ok, await answer.text());
    });
  }, 90_000);

  it('leads, and makes what needs no certificate', async () => {
    const { kubectl } = controlPlane;
    await eventually('default plans are there', minutes, async () =>
      expectThat((await kubectl.get('plan', 'pro')) !== null, 'no Plan pro'),
    );
    await kubectl.apply({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'Account',
      metadata: { name: 'patient' },
      spec: { plan: 'pro' },
    });
    await eventually('the account has its id', minutes, async () => {
      const seen = await kubectl.get<{ spec: { id?: string } }>('account', 'patient');
      expectThat(seen?.spec.id !== undefined, 'no id yet');
    });
  }, 90_000);

  it('says so, in a figure', async () => {
    const figures = await (await ask('/metrics')).text();
    expect(figures).toContain('projectdomain_neighbour_away{neighbour="cert-manager"} 1');
    expect(figures).toContain('projectdomain_ready{process="operator"} 1');
  });
});
