import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { comparePrecedence } from '../../../src/rules/precedence.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import { settings, recentChecks } from '../../support/snapshot.ts';

/** A claim holds a place for the account that proved it, however often the namespace changes its account. */

let crowd: Crowd;
beforeEach(() => {
  crowd = createCrowd({ accounts: 2, domainsEach: 20 });
  for (const index of [15, 7]) crowd.stores.claims.put(claimOf(index));
});

const claimOf = (index: number): HostnameClaim => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: `d${index}.a0.test`, uid: `c${index}`, resourceVersion: '1' },
  spec: {
    account: 'id-a0',
    holder: { namespace: 'a0', name: `d${index}` },
    phase: 'Held',
    epoch: 1,
    proof: { method: 'CNAME', at: `2026-02-${index < 10 ? '0' : ''}${index}T00:00:00Z` },
  },
});

const ranked = () => crowd.stores.precedenceIndex.ofProject('a0', 'shop');
const held = () => ranked().flatMap(({ name, precedence }) => (precedence.held ? [name] : []));
const versioned = (resourceVersion: string, name: string) => ({ name, uid: `-${name}`, resourceVersion });
const label = (account: string, version = account) =>
  crowd.stores.namespaces.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...versioned(version, 'a0'), labels: { 'projectdomain.io/account': account } },
  });
const account = (id: string) =>
  crowd.stores.accounts.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Account',
    metadata: versioned(id, 'a0'),
    spec: { plan: 'pro', id },
  });

describe('the ranking', () => {
  it.each<[what: string, why: string, happens: () => void, held: readonly string[]]>([
    ['nothing', 'the older proof goes first', () => undefined, ['d7', 'd15']],
    ['another account has the namespace', 'it proved none of these names', () => label('a1'), []],
    [
      'the account has its namespace back',
      'the claims were its own all the time',
      () => (label('a1'), label('a0')),
      ['d7', 'd15'],
    ],
    ['the account was made anew', 'another id is another account', () => account('id-new'), []],
    [
      'the account is away, as in a partial restore',
      'mere absence takes no place from anybody',
      () => crowd.stores.accounts.list().forEach(crowd.stores.accounts.drop),
      ['d7', 'd15'],
    ],
    [
      'a claim comes after another account took over',
      "it names the object, but is the former account's",
      () => (label('a1'), crowd.stores.claims.put(claimOf(3))),
      [],
    ],
  ])('when %s: %s', (_what, _why, happens, expected) => {
    happens();
    expect(held()).toEqual(expected);
    expect(ranked().map(({ precedence }) => precedence)).toEqual(
      ranked()
        .toSorted(byRank)
        .map(({ precedence }) => precedence),
    );
    expect(ranked().length).toBe(20);
    for (const { name } of ranked())
      expect(crowd.stores.precedenceIndex.ofHostname('a0', `${name}.a0.test`)).toHaveLength(1);
  });

  it('ranks a domain among others as it ranks itself', () => {
    label('a1');
    for (const index of [7, 15, 19]) {
      const seen = gatherProjectDomain({ caches: crowd.stores, settings, recentChecks }, crowd.domain(0, index), 0);
      expect(ranked().find(({ name }) => name === `d${index}`)?.precedence).toEqual(seen.precedence);
    }
  });

  it('goes on following changes of single domains after the account changed', () => {
    label('a1');
    crowd.stores.domains.drop(crowd.domain(0, 7));
    crowd.change(crowd.stores.domains, crowd.domain(0, 4), { spec: { role: 'Primary' } });
    expect(ranked().length).toBe(19);
    expect(ranked().find(({ name }) => name === 'd4')?.role).toBe('Primary');
    expect(ranked()).toEqual(ranked().toSorted(byRank));
  });
});

const byRank = (a: ReturnType<typeof ranked>[number], b: ReturnType<typeof ranked>[number]) =>
  comparePrecedence(a.precedence, b.precedence);
