import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import { noOrderUsage } from '../../../src/controllers/order-ledger/order-usage.ts';
import { signingRequest } from '../../support/signing-request.ts';
import {
  accountsWith,
  orderLimits,
  account,
  certificateIn,
  claim,
  granting,
  now,
  project,
  request,
  settings,
} from '../../support/snapshot.ts';

/**
 * A free account makes Projects named like a bank, with nothing behind them, for hostnames and certificates below the
 * platform's domain. Held off: only what was deployed is held, routed and certified, and its certificate goes through the
 * ledger by a request that is exactly ours.
 */

const hostname = 'shop.apps.example.net';
const name = childName(hostname);
const ownerReferences = [
  { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Project', name: 'shop', uid: 'u-shop', controller: true },
];
const held: HostnameClaim = {
  ...claim({ holder: { namespace: 'acme', name: 'shop' }, proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' } }),
  metadata: { name: hostname, uid: 'u-claim', resourceVersion: '7' },
};
const asking = (names: string) => {
  const open = request('r1');
  const [owner] = open.metadata.ownerReferences;
  if (!owner) throw new Error('a request has an owner');
  return {
    ...open,
    metadata: { ...open.metadata, ownerReferences: [{ ...owner, name, uid: 'u-certificate' }] },
    spec: { ...open.spec, request: signingRequest({ names }) },
  };
};
const open = asking(`DNS:${hostname}`);

/** Deployed, held, and granted an order; change what the case is about. */
const scene = (changes: Partial<ProjectSnapshot> = {}): ProjectSnapshot => ({
  now,
  settings,
  project: {
    ...project,
    metadata: {
      ...project.metadata,
      ownerReferences: [{ apiVersion: '', kind: 'Account', name: 'acme', uid: 'u-acme' }],
    },
  },
  account,
  hostname,
  permittedClasses: [],
  target: null,
  claim: held,
  serving: true,
  certificate: {
    ...certificateIn(false),
    metadata: { name, namespace: 'acme', uid: 'u-certificate', ownerReferences },
  },
  requests: [open],
  orderLedger: granting(open),
  issuerAccounts: accountsWith(orderLimits),
  ...noOrderUsage,
  route: undefined,
  domains: [],
  sameHostname: [],
  probe: null,
  isAccountFull: false,
  ...changes,
});

const undeployed = { serving: false, project: { ...scene().project, status: {} } } as const;
const done = (snap: ProjectSnapshot) =>
  decideProject(snap)
    .writes.filter(({ kind }) => kind.kind !== 'Project')
    .map(({ verb, kind }) => `${verb} ${kind.kind}`);
const isApproved = (snap: ProjectSnapshot): boolean =>
  JSON.stringify(decideProject(snap).writes).includes('"Approved"');

describe('a platform hostname', () => {
  it('of a deployed project is routed, recorded and approved', () => {
    expect(isApproved(scene())).toBe(true);
    expect(done(scene())).toEqual([
      'apply Ingress',
      'apply Certificate',
      'replace HostnameClaim',
      'applyStatus CertificateRequest',
    ]);
  });

  it('of a project that was never deployed is not even held', () => {
    expect(done(scene({ ...undeployed, claim: undefined, certificate: undefined, requests: [] }))).toEqual([]);
    expect(done(scene(undeployed))).toEqual([]);
  });

  it.each<[string, ProjectSnapshot]>([
    ['the ledger has no order for it', scene({ orderLedger: undefined })],
    ['its request names a customer beside it', scene({ requests: [asking(`DNS:${hostname},DNS:www.example.com`)] })],
    ['its request names another project', scene({ requests: [asking('DNS:bank.apps.example.net')] })],
    [
      'the Certificate belongs to another project',
      scene({ project: { ...scene().project, metadata: { ...scene().project.metadata, uid: 'u-former' } } }),
    ],
    ['the claim is of another account', scene({ claim: { ...held, spec: { ...held.spec, account: 'acc-other' } } })],
    [
      'the claim is of another project',
      scene({ claim: { ...held, spec: { ...held.spec, holder: { namespace: 'acme', name: 'other' } } } }),
    ],
  ])('has no certificate approved while %s', (_, snap) => {
    expect(isApproved(snap)).toBe(false);
  });
});
