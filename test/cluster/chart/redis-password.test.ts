import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chartFolder, runHelm, systemNamespace } from '../../../dev/platform/chart.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import { podOf, render } from './rendering.ts';
import type { Values } from './values.ts';
import { base, merged } from './values.ts';

/** The included Redis where charts are installed again and again, with and without a look at the cluster. */

let helm = '';
beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
});

it("keeps the password that its user's Secret has, and draws none", async () => {
  const values = merged(base, { redis: { url: '', included: true, passwordSecret: { name: 'own', key: 'word' } } });
  const [once, again] = [await render(helm, values), await render(helm, values)];
  expect(once).toEqual(again);
  const password = { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'own', key: 'word' } } };
  const environments = once
    .filter(({ metadata }) => metadata.name === 'projectdomain-redis')
    .flatMap((manifest) => podOf(manifest)?.containers.map(({ env }) => env) ?? []);
  expect(environments).toEqual([[password]]);
  expect(once.filter(({ kind, stringData }) => kind === 'Secret' && stringData !== undefined)).toEqual([]);
});

describe('where helm sees the cluster', () => {
  const secret = 'projectdomain-redis';
  const values = merged(base, {
    redis: { url: '', included: true },
    crds: { install: false },
    certManager: { check: false },
  });
  let cluster: TestControlPlane;
  let kubeconfig = '';
  beforeAll(async () => {
    cluster = await startTestControlPlane();
    kubeconfig = cluster.kubeconfigFor({ commonName: 'installer', organizations: ['system:masters'] });
  }, controlPlaneDeadlineMs);
  afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

  const upgrade = (changes: Values = {}) => {
    const place = ['--kubeconfig', kubeconfig, '--namespace', systemNamespace, '--create-namespace'];
    return runHelm(helm, ['upgrade', '--install', 'projectdomain', chartFolder, ...place], merged(values, changes));
  };
  const password = async () => {
    const found = await cluster.kubectl.get<{ data?: { password?: string } }>('secret', secret, systemNamespace);
    return Buffer.from(found?.data?.password ?? '', 'base64').toString();
  };
  beforeEach(() => upgrade(), 60_000);

  it('draws a password at the first installation, since none stands there', async () => {
    expect(await password()).toMatch(/^[A-Za-z0-9]{40}$/);
  });

  it('keeps it at upgrades, whatever else they change: Pods that run were given it', async () => {
    const before = await password();
    await upgrade();
    await upgrade({ operator: { resources: { limits: { memory: '640Mi' } } } });
    expect(await password()).toBe(before);
  }, 60_000);

  it('keeps one that an administrator put there, digits alone included', async () => {
    await cluster.kubectl.run(patched({ password: '1234567890' }));
    await upgrade();
    expect(await password()).toBe('1234567890');
  }, 60_000);

  it('draws one where the Secret has none, as Redis without a password would be open to every Pod', async () => {
    await cluster.kubectl.run(patched({ password: '' }));
    await upgrade();
    expect(await password()).toMatch(/^[A-Za-z0-9]{40}$/);
  }, 60_000);

  const patched = (stringData: Readonly<Record<string, string>>) => [
    'patch',
    'secret',
    secret,
    '-n',
    systemNamespace,
    '-p',
    JSON.stringify({ stringData }),
  ];
});
