import { randomUUID } from 'node:crypto';
import type { Account } from '../../generated/account.ts';
import type { Finding } from '../../model/condition.ts';
import { conditionsFrom, isTrue, no, unknown, yes } from '../../model/condition.ts';
import { account as reasons } from '../../model/reasons.ts';
import { accountLabel, limitsOf } from '../accounts.ts';
import { carryOut } from '../apply.ts';
import { AccountKind } from '../kinds.ts';
import type { Action, Outcome, Plan } from '../plan.ts';
import type { Caches, World } from '../world.ts';
import { parseKey } from '../world.ts';

/** One visit to one Account: its id, drawn once, and whether it can be used. */
export async function reconcileAccount(world: World, key: string): Promise<Outcome> {
  const account = world.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  return carryOut(world, decide(world.caches, account, { now: world.now(), newId: randomUUID() }));
}

/** Pure: `newId` is used only for an account without one. */
export function decide(caches: Caches, account: Account, given: { now: number; newId: string }): Plan {
  const namespace = namespaceReady(caches, account);
  const plan = limitsOf(caches, account)
    ? yes('PlanFound', `plan ${account.spec.plan}`)
    : unknown(reasons.PlanNotFound, `plan ${account.spec.plan} does not exist; create it or set another`);
  const blocking = [plan, namespace].find((finding) => !isTrue(finding));
  const findings = {
    PlanFound: plan,
    NamespaceReady: namespace,
    Ready: blocking ?? yes(reasons.Ready, 'the account can be used'),
  };
  const id = account.spec.id ? [] : [drawId(account, given.newId)];
  return { actions: [...id, status(account, findings, given.now)], announcements: [], revisitAt: null };
}

function namespaceReady({ namespaces }: Caches, { metadata }: Account): Finding {
  const labelled = namespaces.list().find((namespace) => namespace.metadata.labels?.[accountLabel] === metadata.name);
  if (labelled) return yes(reasons.NamespaceReady, `namespace ${labelled.metadata.name}`);
  const message = `no namespace carries the label ${accountLabel}=${metadata.name}; create one and label it`;
  return no(reasons.NamespaceMissing, message);
}

/** PUT with the version that was read: of two racing operators one draws the id, and it never changes again. */
function drawId(account: Account, id: string): Action {
  return { verb: 'replace', kind: AccountKind, object: { ...account, spec: { ...account.spec, id } } };
}

function status(
  { metadata, status: before }: Account,
  findings: Readonly<Record<string, Finding>>,
  now: number,
): Action {
  const { name, uid, generation = 0 } = metadata;
  const { apiVersion, kind } = AccountKind;
  const conditions = conditionsFrom(findings, before?.conditions, {
    generation,
    now,
  });
  const object = { apiVersion, kind, metadata: { name, ...(uid ? { uid } : {}) }, status: { conditions } };
  return { verb: 'applyStatus', kind: AccountKind, object };
}
