import { statusAction, earliest } from '../../controller-runtime/actions.ts';
import type { Finding } from '../../rules/conditions.ts';
import { findCondition, findingsOf, isTrue, no, observedConditions, unknown, yes } from '../../rules/conditions.ts';
import { planReasons } from '../../rules/codes/account-reasons.ts';
import type { AccountReason, NamespaceReason, PlanReason } from '../../rules/reasons.ts';
import { accountLabel } from '../../resources/object-metadata.ts';
import { AccountKind, ResourceQuotaKind } from '../../resources/kinds.ts';
import type { RefusedWrite } from '../refused-write.ts';
import { withRefusals } from '../refused-write.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import { decideResourceQuota, isQuotaCounted, requeueBackoffMs } from './account-resource-quota.ts';
import type { AccountSnapshot } from './account-snapshot.ts';

/**
 * RoleBindings, cert-manager's setup and the Gateway are not watched, so a problem with them is rechecked within these bounds, and
 * a ready account after an hour.
 */
const recheckBounds = { least: 30_000, most: 300_000 } as const;
const recheckWhenReady = 3_600_000;

/** Reports whether an Account has what it needs: an id, its plan, its namespace and the operator's rights there. Pure. */
export function decideAccount(snapshot: AccountSnapshot): Actions {
  const { account, now } = snapshot;
  const maximum = decideResourceQuota(snapshot);
  const wrong = conditionToRecheck(snapshot);
  return {
    writes: [
      ...(account.spec.id ? [] : [drawId(snapshot)]),
      ...maximum.writes,
      status(snapshot, withRefusedWrites(snapshot, accountFindings(snapshot, isQuotaCounted(snapshot.quota)))),
    ],
    events: [],
    requeueAt: earliest(
      maximum.requeueAt,
      now + (wrong ? requeueBackoffMs(lastedMs(snapshot, wrong), recheckBounds) : recheckWhenReady),
    ),
  };
}

/** Without its quota an account can be used; without an id it cannot. */
const withRefusedWrites = (
  { account, refused = [] }: AccountSnapshot,
  findings: Readonly<Record<string, Finding<AccountReason>>>,
): Readonly<Record<string, Finding<AccountReason>>> => {
  const isOfQuota = ({ kind }: RefusedWrite) => kind === ResourceQuotaKind.kind;
  const isUnusable = account.spec.id === undefined && !refused.every(isOfQuota);
  const found = isUnusable ? { ...findings, Ready: unknown('WriteRefused', '') } : findings;
  return withRefusals<Readonly<Record<string, Finding<AccountReason>>>>(found, refused, {
    conditionOf: (one) => (isOfQuota(one) ? 'PlanFound' : 'Ready'),
    before: account.status?.conditions,
  });
};

type FoundAccount = Pick<
  AccountSnapshot,
  'account' | 'limits' | 'namespace' | 'missingRights' | 'issuerGuard' | 'gatewayGuard'
>;

/** The conditions of an account; once its quota is counted they name its caps. Pure. */
export function accountFindings(
  found: FoundAccount,
  isCapped: boolean,
): Readonly<Record<string, Finding<AccountReason>>> {
  const plan = planFound(found, isCapped);
  const namespace = namespaceReady(found);
  const blocking = [plan, namespace].find((finding) => !isTrue(finding));
  return {
    PlanFound: plan,
    NamespaceReady: namespace,
    ...(found.issuerGuard === null ? {} : { IssuerGuarded: found.issuerGuard }),
    ...(found.gatewayGuard === null ? {} : { GatewayGuarded: found.gatewayGuard }),
    Ready: blocking ?? yes('Ready', 'the account can be used'),
  };
}

type Rechecked = 'NamespaceReady' | 'IssuerGuarded' | 'GatewayGuarded';

/** The condition whose problem has to be rechecked; null when all is well. */
function conditionToRecheck({ missingRights, issuerGuard, gatewayGuard }: AccountSnapshot): Rechecked | null {
  if (missingRights.length > 0) return 'NamespaceReady';
  if (issuerGuard !== null && !isTrue(issuerGuard)) return 'IssuerGuarded';
  return gatewayGuard === null || isTrue(gatewayGuard) ? null : 'GatewayGuarded';
}

/** How long the condition has not been true; 0 when it is true or not yet set. */
function lastedMs({ account, now }: AccountSnapshot, type: string): number {
  const before = findCondition(account.status?.conditions, type);
  return before === undefined || isTrue(before) ? 0 : now - Date.parse(before.lastTransitionTime);
}

function planFound({ account, limits }: FoundAccount, isCapped: boolean): Finding<PlanReason> {
  const { plan } = account.spec;
  if (limits) return yes('PlanFound', isCapped ? `plan ${plan}, ${capsOf(limits)}` : `plan ${plan}`);
  return findingsOf(planReasons).unknown('PlanNotFound', { plan });
}

const capsOf = ({ maximum: { projects, domains } }: Limits): string =>
  `at most ${projects} projects and ${domains} domains`;

function namespaceReady({ account, namespace, missingRights }: FoundAccount): Finding<NamespaceReason> {
  if (namespace === null) {
    const label = `${accountLabel}=${account.metadata.name}`;
    return no('NamespaceMissing', `no namespace carries the label ${label}; create one and label it`);
  }
  if (missingRights.length === 0) return yes('NamespaceReady', `namespace ${namespace}`);
  return no(
    'RightsMissing',
    `the operator may not ${missingRights.join(' or ')} Secrets in namespace ${namespace}, so a hostname cannot leave the account; bind ClusterRole projectdomain-operator-account-namespace to the operator's ServiceAccount there`,
  );
}

/** PUT with the resource version that was read: of two racing operators only one sets the id, and it never changes. */
function drawId({ account, newId }: AccountSnapshot): WriteAction {
  return { verb: 'replace', kind: AccountKind, object: { ...account, spec: { ...account.spec, id: newId } } };
}

function status(
  { account, now }: AccountSnapshot,
  findings: Readonly<Record<string, Finding<AccountReason>>>,
): WriteAction {
  const { generation = 0 } = account.metadata;
  return statusAction(
    AccountKind,
    account,
    observedConditions(findings, account.status?.conditions, { generation, now }),
  );
}
