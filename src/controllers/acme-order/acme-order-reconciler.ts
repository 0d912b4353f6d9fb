import { AcmeUnavailable, AcmeProblem } from '../../acme/acme-errors.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { removeAction, noActions } from '../../controller-runtime/actions.ts';
import { issueAnew } from '../../issuing/issue-anew.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import { requestId, settled } from '../../issuing/order-history.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import { CertificateRequestKind } from '../../resources/kinds.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { timestamp } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import { applyActions, applyWrites } from '../apply-actions.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import { accountChoice } from './account-choice.ts';
import { advanceOpenOrder } from './advance-open-order.ts';
import { withdrawAnswers } from './answered-challenges.ts';
import type { AcmeOrderSnapshot, NextForOrder } from './decide-acme-order.ts';
import { decideAcmeOrder } from './decide-acme-order.ts';
import { giveUpProofs, certificateLeft } from './order-end.ts';
import { untilAnswered } from './order-attempts.ts';
import type { OrderChange } from './order-record.ts';
import { openOrderRecord } from './order-record.ts';
import { afterSilence, askAgain, momentIn, servedOrder, untilAskedAgain } from './renewal.ts';
import { waitForOrder } from './wait-for-order.ts';
import type { Controller } from '../controller.ts';
import { byHolder } from '../controller.ts';
import { tellingRefusals } from '../lasting-refusals.ts';

export const acmeOrderController: Controller<AcmeOrderNeeds> = {
  workers: ({ acmeOrder }) => acmeOrder,
  shareOf: byHolder,
  reconcile: (dependencies, name, signal) =>
    tellingRefusals(dependencies, name, () => reconcileAcmeOrder(dependencies, name, signal)),
};

/** What was just recorded on the claim brings the hostname back before. */
const untilSeenMs = 1_000;
const closed: ReconcileResult = Object.freeze({});
/** Until the orders are looked at again where nobody knows cert-manager's requests. */
const untilKnownMs = 30_000;

type Next<Kind extends NextForOrder['next']> = Extract<NextForOrder, { next: Kind }>;
type UnderWay = Next<'Advance' | 'Wait' | 'Move' | 'Abandon'>;

const isUnderWay = ({ next }: NextForOrder): boolean => next !== 'Leave' && next !== 'Close';

/**
 * Reconciles the orders of one hostname, given by the name of its claim, that the claim has as open: one that has ended has its proofs given up
 * before its outcome is recorded, whatever becomes of the others, and the newest goes on at its authority as far as it gets. That comes after: an
 * authority may have both rest on the same proof. Without an open
 * one the hostname's certificate is renewed when its authority suggests that.
 */
export async function reconcileAcmeOrder(
  dependencies: AcmeOrderNeeds,
  name: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const open = gatherAcmeOrders(dependencies, name);
  if (open.length === 0) {
    return isOrderedHere(dependencies.settings.issuer) ? renewAsSuggested(dependencies, name) : {};
  }
  if (dependencies.certManagerUnavailable()) return { requeueAfterMs: untilKnownMs };
  const decided = open.map((snapshot) => ({ snapshot, next: decideAcmeOrder(snapshot) }));
  const under = decided.find(({ next }) => isUnderWay(next));
  const over = decided.find(({ next }) => next.next === 'Close');
  const closing = over ? await close(dependencies, over.snapshot, over.next as Next<'Close'>) : {};
  if (over && closing === closed) return under ? { requeueAfterMs: untilSeenMs } : {};
  const results = [closing, under ? await goOn(dependencies, under.snapshot, under.next as UnderWay, signal) : {}];
  const times = results.flatMap(({ requeueAfterMs }) => requeueAfterMs ?? []);
  return times.length === 0 ? {} : { requeueAfterMs: Math.min(...times) };
}

/** Of every order that the claim has as open, the newest first. */
function gatherAcmeOrders(dependencies: AcmeOrderNeeds, name: string): readonly AcmeOrderSnapshot[] {
  const { caches, settings, accounts, now } = dependencies;
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim) return [];
  const certificate = indexKey(claim.spec.holder.namespace, childName(claimedHostname(name)));
  const requests = caches.certificateRequests.byIndex('certificate', certificate);
  const issuer = caches.acmeIssuers.get({ namespace: '', name: settings.issuer.name });
  const common = {
    now: now(),
    claim,
    issuer: settings.issuer,
    accounts: accounts.of(settings.issuer.name),
    knownAccounts: (issuer?.status?.accounts ?? []).flatMap(({ uri }) => uri ?? []),
  };
  const choose = accountChoice(dependencies, claim);
  return (claim.spec.orders ?? [])
    .filter(({ outcome }) => outcome === 'Pending')
    .toReversed()
    .map((order) =>
      Object.freeze({
        ...common,
        order,
        ...choose(order),
        request: requests.find((request) => requestId(request) === order.request),
      }),
    );
}

function goOn(
  dependencies: AcmeOrderNeeds,
  snapshot: AcmeOrderSnapshot,
  next: UnderWay,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  switch (next.next) {
    case 'Advance':
      return advanceOpenOrder(dependencies, { ...snapshot, ...next }, signal);
    case 'Wait':
      return waitForOrder(dependencies, snapshot, next);
    case 'Move':
      return move(dependencies, snapshot, next);
    case 'Abandon':
      return applyWrites(dependencies, [removeAction(CertificateRequestKind, next.request)]);
  }
}

/** One write, which the claim's next reading goes on from: what the other account is told of the order is remembered after it. */
async function move(
  { cluster, orderAttempts }: AcmeOrderNeeds,
  { claim, order }: AcmeOrderSnapshot,
  { issuerAccount, waitsAccount }: Next<'Move'>,
): Promise<ReconcileResult> {
  const named = order.waitsUntil === undefined ? {} : { waitsAccount };
  await openOrderRecord(cluster, claim, order).intend({ acme: null, issuerAccount, ...named });
  orderAttempts.forget(order.request);
  return {};
}

/** While the authority does not answer, other orders of the hostname do not wait for that. */
async function close(
  dependencies: AcmeOrderNeeds,
  snapshot: AcmeOrderSnapshot,
  next: Next<'Close'>,
): Promise<ReconcileResult> {
  try {
    return await closeAtAuthority(dependencies, snapshot, next);
  } catch (error) {
    if (!(error instanceof AcmeUnavailable)) throw error;
    if (next.account) dependencies.authorityHealth.silent(next.account.server);
    const attempt = dependencies.orderAttempts.of(snapshot.order.request);
    attempt.refusals += 1;
    return { requeueAfterMs: untilAnswered(attempt) };
  }
}

/** A certificate that is just being issued is waited for: it may have to be revoked later. */
async function closeAtAuthority(
  dependencies: AcmeOrderNeeds,
  snapshot: AcmeOrderSnapshot,
  { acme, account }: Next<'Close'>,
): Promise<ReconcileResult> {
  const record = openOrderRecord(dependencies.cluster, snapshot.claim, snapshot.order);
  let known = acme;
  let isRefused = false;
  if (acme && account) {
    const left = await certificateLeft(acme, account.acme);
    if (left === 'UnderWay') return waitForOrder(dependencies, snapshot, { forMs: null, because: null });
    known = { ...acme, ...left };
    if (left !== null) await record.note({ acme: known });
    isRefused = await giveUpProofs(acme, account.acme);
  }
  await withdrawAnswers(dependencies, snapshot.order);
  await record.note(outcomeOf(snapshot, { isIssued: known?.notAfter !== undefined, isRefused }));
  dependencies.orderAttempts.forget(snapshot.order.request);
  return closed;
}

/** What its authority says of an order that is closed. */
interface ClosedOrder {
  readonly isIssued: boolean;
  readonly isRefused: boolean;
}

/**
 * By what its request says. Where that is gone, as cert-manager removes it once it has asked for another, or says nothing, by what its
 * authority says: an order that it neither issued nor refused was abandoned by us.
 */
function outcomeOf({ order, request, now }: AcmeOrderSnapshot, { isIssued, isRefused }: ClosedOrder): OrderChange {
  const { outcome, scope, waitsUntil, endedAt = timestamp(now) } = request ? settled(order, request) : order;
  if (outcome === 'Pending') return { outcome: isIssued ? 'Issued' : isRefused ? 'Failed' : 'Abandoned', endedAt };
  return { outcome, endedAt, ...(scope && { scope }), ...(waitsUntil && { waitsUntil }) };
}

/**
 * Asks the authority when it wishes a hostname's certificate to be renewed, and begins that when its moment has come. `name`
 * is that of its claim. cert-manager's own time of renewal stays as the net below: for authorities that say nothing, and
 * where they do not answer.
 */
async function renewAsSuggested(dependencies: AcmeOrderNeeds, name: string): Promise<ReconcileResult> {
  const { caches, accounts, settings, now } = dependencies;
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim) return {};
  const key = { namespace: claim.spec.holder.namespace, name: childName(claimedHostname(name)) };
  const certificate = caches.certificates.get(key);
  const order = servedOrder(claim, certificate);
  if (!certificate || !order) return {};
  const account = accounts.of(settings.issuer.name).find(({ acme }) => acme.url === order.account);
  if (!account) return { requeueAfterMs: askAgain };
  try {
    const suggested = await account.authority.renewalWindow(order.certificate);
    if (suggested === null) return {};
    const moment = momentIn(suggested.value, claim);
    if (moment > now()) return { requeueAfterMs: untilAskedAgain(suggested.retryAfterMs, moment, now()) };
  } catch (error) {
    if (error instanceof AcmeUnavailable) return { requeueAfterMs: afterSilence };
    if (error instanceof AcmeProblem) return { requeueAfterMs: askAgain };
    throw error;
  }
  const begin = issueAnew(certificate, 'RenewalSuggested', now());
  return applyActions(dependencies, { ...noActions, writes: [begin], requeueAt: now() + askAgain });
}
