import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../src/generated/account.ts';
import { decide } from '../../../src/reconcile/account/decide.ts';
import type { AccountSnapshot } from '../../../src/reconcile/account/snapshot.ts';
import type { Condition } from '../../../src/model/condition.ts';
import { defaultPlans } from '../../support/plans.ts';

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
  redirects: false,
  redirector: [],
  newId: 'new',
};

function conditionsOf(snapshot: AccountSnapshot): readonly Condition[] {
  const write = decide(snapshot).actions.find(({ verb }) => verb === 'applyStatus');
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

  it('is looked at again within a minute while a right is missing, as nothing tells when it is given', () => {
    const { revisitAt } = decide({ ...complete, missingRights: ['delete'] });
    expect((revisitAt ?? Number.POSITIVE_INFINITY) - complete.now).toBeLessThanOrEqual(60_000);
  });

  it.each<[string, string | undefined, readonly string[]]>([
    ['draws its id when it has none', undefined, ['replace', 'apply', 'applyStatus']],
    ['never draws a second one', 'drawn', ['apply', 'applyStatus']],
  ])('%s', (_, id, verbs) => {
    const spec = { plan: 'pro', ...(id === undefined ? {} : { id }) };
    expect(decide({ ...complete, account: { ...account, spec } }).actions.map(({ verb }) => verb)).toEqual(verbs);
  });
});

describe('what an account may make', () => {
  const quotas = (changes: Partial<AccountSnapshot>) =>
    decide({ ...complete, ...changes }).actions.flatMap((action) =>
      action.verb === 'apply' && action.kind.kind === 'ResourceQuota' ? [action.object] : [],
    );

  it('stands in a ResourceQuota of its namespace, tied to the account', () => {
    expect(quotas({})).toMatchObject([
      {
        metadata: {
          name: 'projectdomain-maximum',
          namespace: 'acme',
          ownerReferences: [{ kind: 'Account', uid: 'u-acme' }],
        },
        spec: { hard: { 'count/projects.projectdomain.io': '20', 'count/projectdomains.projectdomain.io': '1000' } },
      },
    ]);
  });

  it.each<[string, Partial<AccountSnapshot>]>([
    ['the plan is unknown, so that a lost Plan opens nothing and closes nothing', { limits: null }],
    ['there is no namespace', { namespace: null }],
  ])('is left alone while %s', (_, changes) => {
    expect(quotas(changes)).toEqual([]);
  });
});
