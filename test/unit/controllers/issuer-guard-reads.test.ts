import { describe, expect, it } from '@jest/globals';
import type { Cluster, Intent } from '../../../src/kubernetes/kubernetes-port.ts';
import { createIssuerGuard, readCertManagerSetup } from '../../../src/controllers/account/issuer-guard.ts';

/** cert-manager's default role names a star, which RBAC does not expand: asking for our signer alone would miss it. */
it.each([
  ['clusterissuers.cert-manager.io/letsencrypt', true],
  ['clusterissuers.cert-manager.io/*', true],
  ['clusterissuers.cert-manager.io/internal', false],
])('cert-manager with the right to approve %s may approve ours: %s', async (given, expected) => {
  const cluster = {
    get: () => Promise.resolve(undefined),
    create: (_: unknown, { spec }: Intent) => {
      const { name } = (spec as { resourceAttributes: { name: string } }).resourceAttributes;
      return Promise.resolve({ status: { allowed: name === given } });
    },
  } as unknown as Cluster;
  const where = { namespace: 'cert-manager', deployment: 'cert-manager', serviceAccount: 'cert-manager' };
  const seen = await readCertManagerSetup(cluster, where, { kind: 'ClusterIssuer', name: 'letsencrypt' });
  expect(seen).toEqual({ args: null, mayApprove: expected });
});

describe('the look at cert-manager', () => {
  const where = { namespace: 'cert-manager', deployment: 'cert-manager', serviceAccount: 'cert-manager' };
  const issuer = { kind: 'ClusterIssuer', name: 'letsencrypt' } as const;
  let looks = 0;
  let away = false;
  let now = 0;
  const cluster = {
    get: () => {
      looks += 1;
      return away ? Promise.reject(new Error('away')) : Promise.resolve(undefined);
    },
    create: () => Promise.resolve({ status: { allowed: false } }),
  } as unknown as Cluster;

  it('is one for all Accounts that are visited within ten seconds, and a failed one is none', async () => {
    const guard = createIssuerGuard(cluster, { certManager: where, issuer }, () => now);
    const findings = await Promise.all([guard(), guard(), guard()]);
    expect([looks, new Set(findings).size]).toEqual([1, 1]);
    now = 10_000;
    away = true;
    await expect(guard()).rejects.toThrow('away');
    away = false;
    expect(await guard()).toMatchObject({ status: 'Unknown' });
    expect(looks).toBe(3);
  });

  it('is none where the installation does not look', async () => {
    expect(await createIssuerGuard(cluster, { certManager: null, issuer }, () => now)()).toBeNull();
  });
});
