import { describe, expect, it } from '@jest/globals';
import type { Deletable, Foundations } from '../../../src/rules/leaving.ts';
import { domainLeavesWith, projectLeavesWith } from '../../../src/rules/leaving.ts';

/** What is served no more because what it stands on is being deleted: as far as Kubernetes will take it along. */

const at = '2026-01-01T00:00:00Z';
const thing = (name: string, metadata: Partial<Deletable['metadata']> = {}) => ({
  metadata: { name, uid: `u-${name}`, ...metadata },
});
const leaving = (name: string, ...finalizers: string[]) => thing(name, { deletionTimestamp: at, finalizers });
const ownedBy = (name: string) => ({
  ownerReferences: [{ apiVersion: 'projectdomain.io/v1alpha1', kind: 'X', name, uid: `u-${name}` }],
});
const shop = { metadata: { ...thing('shop').metadata, ...ownedBy('acme') } };
const leavingShop = (...finalizers: string[]) => ({
  metadata: { ...leaving('shop', ...finalizers).metadata, ...ownedBy('acme') },
});
const all: Foundations = { namespace: thing('acme'), account: thing('acme'), claim: thing('www.example.com') };
const domain = { metadata: ownedBy('shop') };

describe('a domain', () => {
  it.each<[string, string | null, typeof shop | undefined, Partial<Foundations>]>([
    ['stays while nobody deletes anything', null, shop, {}],
    ['stays where what it stands on is absent, as in a partial restore', null, undefined, { account: undefined }],
    ['goes with its project, whatever keeps that', 'project shop is being deleted', leavingShop('example.com/f'), {}],
    [
      'goes with a project that waits for it to go',
      'project shop is being deleted',
      leavingShop('foregroundDeletion'),
      {},
    ],
    ['stays where its project is deleted with --cascade=orphan', null, leavingShop('orphan', 'example.com/f'), {}],
    ['goes with its account', 'account acme is being deleted', shop, { account: leaving('acme', 'example.com/f') }],
    ['stays where its account is deleted with --cascade=orphan', null, shop, { account: leaving('acme', 'orphan') }],
    ['goes with its namespace', 'namespace acme is being deleted', shop, { namespace: leaving('acme') }],
    [
      'goes with its claim',
      'HostnameClaim www.example.com is being deleted',
      shop,
      { claim: leaving('www.example.com') },
    ],
  ])('%s', (_, why, project, changes) => {
    expect(domainLeavesWith(domain, project, { ...all, ...changes })).toBe(why);
  });

  it('that Kubernetes has taken its owner from stays, though somebody keeps that', () => {
    const free = { metadata: {} };
    expect(domainLeavesWith(free, leavingShop('example.com/f'), all)).toBeNull();
    expect(
      domainLeavesWith(domain, { metadata: thing('shop').metadata }, { ...all, account: leaving('acme') }),
    ).toBeNull();
  });
});

describe('a project', () => {
  it.each<[string, string | null, Partial<Foundations>]>([
    ['stays while nobody deletes anything', null, {}],
    ['goes with its account', 'account acme is being deleted', { account: leaving('acme', 'example.com/f') }],
    ['goes with its namespace', 'namespace acme is being deleted', { namespace: leaving('acme') }],
    ['stays where its account is deleted with --cascade=orphan', null, { account: leaving('acme', 'orphan') }],
  ])('%s', (_, why, changes) => {
    expect(projectLeavesWith(shop, { ...all, ...changes })).toBe(why);
  });
});
