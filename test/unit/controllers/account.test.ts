import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../src/generated/account.ts';
import { decideAccount } from '../../../src/controllers/account/decide-account.ts';
import type { ObservedQuota, AccountSnapshot } from '../../../src/controllers/account/account-snapshot.ts';
import type { Condition } from '../../../src/rules/conditions.ts';
import { no } from '../../../src/rules/conditions.ts';
import { defaultPlans } from '../../support/plans.ts';
import { limits } from '../../support/snapshot.ts';

const account: Account = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Account',
  metadata: { name: 'acme', uid: 'u-acme' },
  spec: { plan: 'pro', id: 'drawn' },
};

const complete: AccountSnapshot = {
  now: Date.parse('2026-01-01T00:00:00Z'),
  account,
  limits: defaultPlans.pro ?? null,
  namespace: 'acme',
  missingRights: [],
  issuerGuard: null,
  gatewayGuard: null,
  quota: null,
  areQuotasCounted: true,
  newId: 'new',
};

function conditionsOf(snapshot: AccountSnapshot): readonly Condition[] {
  const write = decideAccount(snapshot).writes.find(({ verb }) => verb === 'applyStatus');
  if (write?.verb !== 'applyStatus') throw new Error('the plan writes no status');
  return (write.object.status as { conditions: readonly Condition[] }).conditions;
}

describe('an account', () => {
  it.each<[string, Partial<AccountSnapshot>, string, string, RegExp]>([
    ['is ready with plan, namespace and rights', {}, 'True', 'Ready', /can be used/],
    ['waits for a plan that does not exist', { limits: null }, 'Unknown', 'PlanNotFound', /plan pro does not exist/],
    [
      'without a namespace says which label',
      { namespace: null },
      'False',
      'NamespaceMissing',
      /projectdomain.io\/account=acme/,
    ],
    [
      'whose namespace lacks the RoleBinding says what to bind, before a transfer fails on it',
      { missingRights: ['create', 'delete'] },
      'False',
      'RightsMissing',
      /may not create or delete Secrets in namespace acme.*bind ClusterRole projectdomain-operator-account-namespace/,
    ],
  ])('%s', (_, changes, status, reason, message) => {
    const ready = conditionsOf({ ...complete, ...changes }).find(({ type }) => type === 'Ready');
    expect(ready).toMatchObject({ status, reason });
    expect(ready?.message).toMatch(message);
  });

  const missing: Partial<AccountSnapshot> = { missingRights: ['delete'] };
  const unguarded: Partial<AccountSnapshot> = { issuerGuard: no('ApprovedElsewhere', 'no') };
  it.each<[string, Partial<AccountSnapshot>, string, number, number]>([
    ['a right is missing: seen soon, as nothing tells when it is given', missing, 'NamespaceReady', 0, 30_000],
    [
      'a right has been missing for long: thousands may wait for one administrator',
      missing,
      'NamespaceReady',
      200,
      100_000,
    ],
    ['a right has been missing for days: still seen within five minutes', missing, 'NamespaceReady', 200_000, 300_000],
    [
      'cert-manager has been set up wrongly for long, which concerns every account',
      unguarded,
      'IssuerGuarded',
      200,
      100_000,
    ],
    ['something else was wrong until now', missing, 'IssuerGuarded', 200, 30_000],
  ])('is looked at again when %s', (_, changes, type, sinceSeconds, after) => {
    const lastTransitionTime = new Date(complete.now - sinceSeconds * 1_000).toISOString();
    const before: Condition = { type, status: 'False', reason: 'Before', message: '', lastTransitionTime };
    const told = { ...account, status: { conditions: [before] } };
    const withoutQuota = { limits: null };
    const { requeueAt } = decideAccount({ ...complete, account: told, ...withoutQuota, ...changes });
    expect((requeueAt ?? Number.POSITIVE_INFINITY) - complete.now).toBe(after);
  });

  it.each<[string, string | undefined, readonly string[]]>([
    ['draws its id when it has none', undefined, ['replace', 'apply', 'applyStatus']],
    ['never draws a second one', 'drawn', ['apply', 'applyStatus']],
  ])('%s', (_, id, verbs) => {
    const spec = { plan: 'pro', ...(id === undefined ? {} : { id }) };
    expect(decideAccount({ ...complete, account: { ...account, spec } }).writes.map(({ verb }) => verb)).toEqual(verbs);
  });
});

describe('what an account may make', () => {
  const hard = { 'count/projects.projectdomain.io': '20', 'count/projectdomains.projectdomain.io': '1k' };
  const used = { 'count/projects.projectdomain.io': '1', 'count/projectdomains.projectdomain.io': '0' };
  const quota = (status: ObservedQuota['status'], spec = { hard }): ObservedQuota => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'projectdomain-maximum', namespace: 'acme', uid: 'u-quota' },
    spec,
    ...(status === undefined ? {} : { status }),
  });

  function keeps(changes: Partial<AccountSnapshot>): readonly [deeds: readonly string[], again: number] {
    const { writes, requeueAt } = decideAccount({ ...complete, ...changes });
    const deeds = writes.filter(({ kind }) => kind.kind === 'ResourceQuota').map(({ verb }) => verb);
    return [deeds, (requeueAt ?? Number.POSITIVE_INFINITY) - complete.now];
  }

  it('stands in a ResourceQuota of its namespace, tied to the account', () => {
    const made = decideAccount(complete).writes.find(({ kind }) => kind.kind === 'ResourceQuota');
    const metadata = { namespace: 'acme', ownerReferences: [{ kind: 'Account', uid: 'u-acme' }] };
    expect(made).toMatchObject({ verb: 'apply', object: { metadata, spec: { hard } }, live: null });
  });

  it.each<[string, Partial<AccountSnapshot>, readonly string[], number]>([
    ['is made where there is none, and looked at soon', {}, ['apply'], 2_000],
    ['is not made before Kubernetes counts our kinds', { areQuotasCounted: false }, [], 5_000],
    [
      'is seldom tried in an old account: this cluster may never count them',
      {
        areQuotasCounted: false,
        account: { ...account, metadata: { ...account.metadata, creationTimestamp: '2025-01-01T00:00:00Z' } },
      },
      [],
      300_000,
    ],
    ['rests while it holds: the apply finds nothing to change', { quota: quota({ hard, used }) }, ['apply'], 3_600_000],
    [
      'follows the limits',
      { quota: quota({ hard, used }), limits: { ...limits, maximum: { ...limits.maximum, domains: 5 } } },
      ['apply'],
      2_000,
    ],
    ['is looked at again while it is not counted', { quota: quota(undefined) }, ['apply'], 30_000],
    [
      'is taken away where Kubernetes cannot count it, which would refuse all',
      { quota: quota({ hard }) },
      ['remove'],
      30_000,
    ],
    ['goes on to hold while the plan is unknown', { limits: null, quota: quota({ hard, used }) }, [], 3_600_000],
    ['waits for the namespace', { namespace: null }, [], 3_600_000],
  ])('%s', (_, changes, deeds, again) => {
    expect(keeps(changes)).toEqual([deeds, again]);
  });
});
