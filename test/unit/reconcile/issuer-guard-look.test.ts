import { expect, it } from '@jest/globals';
import type { Cluster, Intent } from '../../../src/kube/port.ts';
import { lookAtCertManager } from '../../../src/reconcile/account/issuer-guard.ts';

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
  const seen = await lookAtCertManager(cluster, where, { kind: 'ClusterIssuer', name: 'letsencrypt' });
  expect(seen).toEqual({ args: null, mayApprove: expected });
});
