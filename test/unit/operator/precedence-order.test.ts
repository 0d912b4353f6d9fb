import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { PrecedenceIndex } from '../../../src/controllers/precedence-index.ts';
import { maintainPrecedence } from '../../../src/operator/operator-stores.ts';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';

/**
 * Large groups are kept in order with every change. Whatever happens, and however often a group grows and shrinks past the
 * size from which it is kept, the order must be the one that an index has which saw none of the changes. This fails if a
 * change moves a competitor to a wrong place, leaves one behind, or is not noticed.
 */

const accounts = 3;
const domainsEach = 14;
const sharedHostname = 'everybody.test';

const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};

interface Play {
  readonly crowd: Crowd;
  readonly below: (bound: number) => number;
  /** a version that no object has had */
  readonly version: () => string;
}

const claimFor = ({ below, version }: Play, hostname: string, account: string, name: string): HostnameClaim => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: hostname, uid: `claim-${hostname}`, resourceVersion: version() },
  spec: {
    account: `id-${account}`,
    holder: { namespace: account, name },
    phase: below(4) === 0 ? 'Tombstone' : 'Held',
    epoch: 1,
    proof: { method: 'CNAME', at: new Date(Date.UTC(2026, 1, 1 + below(20))).toISOString() },
  },
});

const hostnameOf = (account: string, index: number): string =>
  index === 0 ? sharedHostname : `d${index}.${account}.test`;

/** One change of a domain, a claim, an account or the owner of a namespace. */
function change(play: Play): void {
  const { crowd, below, version } = play;
  const { domains, claims, accounts: accountStore, namespaces } = crowd.stores;
  const account = `a${below(accounts)}`;
  const index = below(domainsEach);
  const name = `d${index}`;
  const metadata = { name, namespace: account, uid: `${account}-${name}`, resourceVersion: version() };
  const domain = domains.get(metadata);
  const hostname = hostnameOf(account, index);
  const what = below(10);
  if (what < 3) {
    const creationTimestamp = new Date(Date.UTC(2026, 0, 1 + below(20))).toISOString();
    const leaving = below(8) === 0 ? { deletionTimestamp: creationTimestamp } : {};
    const role = below(2) === 0 ? 'Primary' : 'Redirect';
    domains.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { ...metadata, creationTimestamp, ...leaving },
      spec: { project: below(3) === 0 ? 'blog' : 'shop', hostname, role },
    });
  } else if (what < 5 && domain) domains.drop(domain);
  else if (what < 8) claims.put(claimFor(play, hostname, account, name));
  else if (what === 8) claims.drop({ metadata: { name: hostname } });
  else if (below(2) === 0)
    accountStore.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'Account',
      metadata: { name: account, uid: account, resourceVersion: version() },
      spec: { plan: 'pro', id: below(2) === 0 ? `id-${account}` : 'another' },
    });
  else
    namespaces.put({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: account,
        uid: `ns-${account}`,
        resourceVersion: version(),
        labels: { 'projectdomain.io/account': `a${below(accounts)}` },
      },
    });
}

const everyGroup = (index: PrecedenceIndex) =>
  Array.from({ length: accounts }, (_, account) => `a${account}`).map((namespace) => ({
    shop: index.ofProject(namespace, 'shop'),
    blog: index.ofProject(namespace, 'blog'),
    everybody: index.ofHostname(namespace, sharedHostname),
  }));

describe('the order of competitors', () => {
  it.each([1, 2, 3, 4, 5])('is after 200 changes what it is without a history: seed %i', (seed) => {
    const crowd = createCrowd({ accounts, domainsEach });
    let versions = 1_000_000;
    const play = { crowd, below: numbersFrom(seed), version: () => String((versions += 1)) };
    for (let step = 0; step < 200; step += 1) {
      change(play);
      expect({ step, groups: everyGroup(crowd.stores.precedenceIndex) }).toEqual({
        step,
        groups: everyGroup(maintainPrecedence(crowd.stores)),
      });
    }
    crowd.close();
  });

  it('is that of each namespace, of a hostname that many want', () => {
    const crowd = createCrowd({ accounts: 30, domainsEach: 2 });
    for (let account = 0; account < 30; account += 1)
      for (const index of [0, 1])
        crowd.change(crowd.stores.domains, crowd.domain(account, index), { spec: { hostname: sharedHostname } });
    for (const namespace of ['a0', 'a17', 'a29', 'none'])
      expect(
        crowd.stores.precedenceIndex.ofHostname(namespace, sharedHostname).map(({ precedence }) => precedence.key),
      ).toEqual(namespace === 'none' ? [] : [`${namespace}/d0`, `${namespace}/d1`]);
    crowd.close();
  });
});
