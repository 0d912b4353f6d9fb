import { describe, expect, it } from '@jest/globals';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { Account } from '../../../src/generated/account.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { account, certificateIn, claim, ingress, now, project, routes, settings } from '../../support/snapshot.ts';

/** A platform hostname whose account, namespace or claim is being deleted, read from the caches as the operator fills them. */

const hostname = 'shop.apps.example.net';
const deletionTimestamp = '2026-01-01T11:00:00Z';
const owner = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Project',
  name: 'shop',
  uid: 'u-shop',
  controller: true,
};
const child = {
  name: childName(hostname),
  namespace: 'acme',
  uid: 'u-child',
  resourceVersion: '1',
  ownerReferences: [owner],
};
const stamped = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', name: 'acme', uid: 'u-acme' };
const declaring = { ...project.spec, domains: { primary: 'www.example.com' } };

interface Deleted {
  readonly account?: Partial<Account['metadata']>;
  readonly namespace?: object;
  readonly claim?: object;
}

function decided(deleted: Deleted) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.namespaces.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'acme', labels, ...deleted.namespace },
  });
  stores.accounts.put({ ...account, metadata: { ...account.metadata, ...deleted.account } });
  const held = claim({
    holder: { namespace: 'acme', name: 'shop' },
    proof: { method: 'Platform', at: deletionTimestamp },
  });
  stores.claims.put({ ...held, metadata: { name: hostname, uid: 'u-claim', ...deleted.claim } });
  stores.certificates.put({ ...certificateIn(true), metadata: child });
  stores.routeStores['ingresses']?.put({ ...ingress, metadata: child });
  const subject = { ...project, metadata: { ...project.metadata, ownerReferences: [stamped] }, spec: declaring };
  const { writes } = decideProject(gatherProject(stores, settings, subject, now));
  return {
    deeds: writes.filter(({ verb }) => verb !== 'applyStatus').map(({ verb, kind }) => `${verb} ${kind.kind}`),
    said: JSON.stringify(writes.at(-1)),
  };
}

const served = ['apply Ingress', 'apply Certificate', 'apply ProjectDomain'];
const withdrawn = ['remove Ingress', 'remove Certificate'];

describe('a platform hostname', () => {
  it.each<[string, Deleted, readonly string[], string]>([
    ['is served while nothing is deleted', {}, served, '"Routed"'],
    [
      'is withdrawn with its account, which somebody keeps',
      { account: { deletionTimestamp, finalizers: ['a/b'] } },
      withdrawn,
      'account acme is being deleted',
    ],
    [
      'is withdrawn with its namespace',
      { namespace: { deletionTimestamp } },
      withdrawn,
      'namespace acme is being deleted',
    ],
    [
      'is withdrawn with its claim',
      { claim: { deletionTimestamp } },
      withdrawn,
      `HostnameClaim ${hostname} is being deleted`,
    ],
    [
      'stays where the account leaves everything behind',
      { account: { deletionTimestamp, finalizers: ['orphan'] } },
      served,
      '"Routed"',
    ],
  ])('%s', (_, deleted, deeds, says) => {
    const { deeds: done, said } = decided(deleted);
    expect(done).toEqual(deeds);
    expect(said).toContain(says);
  });
});
