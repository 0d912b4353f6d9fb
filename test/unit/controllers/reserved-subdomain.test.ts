import { describe, expect, it } from '@jest/globals';
import { noOrderUsage } from '../../../src/controllers/order-ledger/order-usage.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import {
  accountsWith,
  orderLimits,
  account,
  certificateIn,
  claim,
  granting,
  route,
  now,
  project,
  request,
  settings,
} from '../../support/snapshot.ts';

/** A project whose subdomain was free when it was made and is reserved now, as docs/upgrade.md tells of it. */

const scene = (subdomain: string): ProjectSnapshot => ({
  now,
  settings: { ...settings, platformTls: 'PerHost' },
  project: {
    ...project,
    metadata: {
      ...project.metadata,
      ownerReferences: [{ apiVersion: '', kind: 'Account', name: 'acme', uid: 'u-acme' }],
    },
    spec: { ...project.spec, subdomain },
  },
  account,
  hostname: `${subdomain}.apps.example.net`,
  target: null,
  permittedClasses: [],
  claim: claim({
    holder: { namespace: 'acme', name: 'shop' },
    proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' },
  }),
  serving: true,
  certificate: certificateIn(true),
  requests: [request('renewal')],
  orderLedger: granting(request('renewal')),
  issuerAccounts: accountsWith(orderLimits),
  ...noOrderUsage,
  route,
  domains: [],
  sameHostname: [],
  probe: null,
  isAccountFull: false,
});

function seen(subdomain: string) {
  const { writes } = decideProject(scene(subdomain));
  const [status] = writes.filter(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'Project');
  const others = writes.filter((action) => action !== status).map(({ verb, kind }) => `${verb} ${kind.kind}`);
  return { others, says: JSON.stringify(status) };
}

describe('a project that is served', () => {
  it.each(['beta', 'web', 'pay', 'staff', 'stage'])(
    'below the name %s, which is reserved now, keeps what it has and gets nothing new',
    (subdomain) => {
      const { others, says } = seen(subdomain);
      expect(others).toEqual([]);
      expect(says).toContain('"reason":"SubdomainReserved"');
    },
  );

  it('below a name that is free has its route kept up to date', () => {
    const { others, says } = seen('shop');
    expect(others).toContain('apply Ingress');
    expect(says).not.toContain('SubdomainReserved');
  });
});
