import { X509Certificate } from 'node:crypto';
import { AcmeUnavailable } from '../../acme/acme-errors.ts';
import { certificateId } from '../../acme/certificate-id.ts';
import type { ReconcileResult, WriteAction } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { issuedChain } from '../../issuing/acme/issued-chain.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import { requestId, settled } from '../../issuing/order-history.ts';
import { failedRequest, isIssued, issuedRequest, pendingRequest } from '../../issuing/request-outcome.ts';
import { readSigningRequest } from '../../issuing/signing-request.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import { challengePath } from '../../rules/challenge-path.ts';
import { timestamp } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import type { AcmeOrder, OrderPorts } from './advance-order.ts';
import { advanceOrder, giveUpProofs } from './advance-order.ts';
import type { AcmeOrderSnapshot, NextForOrder } from './decide-acme-order.ts';
import { decideAcmeOrder } from './decide-acme-order.ts';
import type { OrderAttempt } from './order-attempts.ts';
import { untilNextLook, untilNextTry } from './order-attempts.ts';
import type { OrderRecord } from './order-record.ts';
import { openOrderRecord } from './order-record.ts';
import { askAgain } from './renewal.ts';
import { renewAsSuggested } from './renew-as-suggested.ts';

/** Until the orders are looked at again where nobody knows cert-manager's requests. */
const untilKnownMs = 30_000;
const noAnswer = 'the certificate authority does not answer; it is asked again';

/**
 * Reconciles the orders of one hostname that its claim has as open: each goes on at its authority as far as it gets, and one that has
 * ended has its proofs given up before its outcome is recorded. The newest goes first: an earlier one may wait for an authority that is
 * gone. Without one its certificate is renewed when its authority suggests that. A request that is not seen is not taken for gone while cert-manager's kinds are not known.
 */
export async function reconcileAcmeOrder(
  dependencies: ReconcilerDependencies,
  hostname: string,
): Promise<ReconcileResult> {
  const open = gatherAcmeOrders(dependencies, hostname);
  if (open.length > 0 && dependencies.certManagerUnavailable()) return { requeueAfterMs: untilKnownMs };
  for (const snapshot of open) {
    const next = decideAcmeOrder(snapshot);
    if (next.next !== 'Leave') return perform(dependencies, snapshot, next);
  }
  const isOurs = isOrderedHere(dependencies.settings.issuer);
  return open.length === 0 && isOurs ? renewAsSuggested(dependencies, hostname) : {};
}

function gatherAcmeOrders(
  { caches, settings, accounts, now }: ReconcilerDependencies,
  hostname: string,
): readonly AcmeOrderSnapshot[] {
  const claim = caches.claims.get({ namespace: '', name: hostname });
  if (!claim) return [];
  const certificate = indexKey(claim.spec.holder.namespace, childName(hostname));
  const requests = caches.certificateRequests.byIndex('certificate', certificate);
  return (claim.spec.orders ?? [])
    .filter(({ outcome }) => outcome === 'Pending')
    .toReversed()
    .map((order) =>
      Object.freeze({
        now: now(),
        claim,
        order,
        request: requests.find((request) => requestId(request) === order.request),
        issuer: settings.issuer,
        accounts: accounts.of(settings.issuer.name),
      }),
    );
}

async function perform(
  dependencies: ReconcilerDependencies,
  snapshot: AcmeOrderSnapshot,
  next: Exclude<NextForOrder, { next: 'Leave' }>,
): Promise<ReconcileResult> {
  const record = openOrderRecord(dependencies.cluster, snapshot.claim, snapshot.order);
  if (next.next === 'Wait') return wait(dependencies.orderAttempts.of(snapshot.claim.metadata.name), next.forMs);
  if (next.next === 'Advance') return advance(dependencies, snapshot, { ...next, record });
  if (next.account) await giveUpProofs(next.acme, next.account.acme);
  await record.write(outcomeOf(snapshot));
  dependencies.orderAttempts.forget(snapshot.claim.metadata.name);
  return {};
}

/** By what its request says; an order whose request is gone has failed. */
function outcomeOf({ order, request }: AcmeOrderSnapshot): Partial<OrderEntry> {
  if (!request) return { outcome: 'Failed' };
  const known = settled(order, request);
  return known === order ? { outcome: isIssued(request) ? 'Issued' : 'Failed' } : known;
}

type Advance = Extract<NextForOrder, { next: 'Advance' }> & { readonly record: OrderRecord };

async function advance(
  dependencies: ReconcilerDependencies,
  { claim }: AcmeOrderSnapshot,
  { request, known, account, record }: Advance,
): Promise<ReconcileResult> {
  const { name: hostname } = claim.metadata;
  const { now, orderAttempts } = dependencies;
  const signing = readSigningRequest(request.spec.request);
  if (!signing) throw new Error(`the signing request of ${hostname} cannot be read, although it was approved`);
  const attempt = orderAttempts.of(hostname);
  let acme = known;
  const progress = await advanceOrder(
    known,
    {
      hostname,
      signingRequest: signing.der,
      profile: account.profile,
      replaces: predecessor(claim, account.acme.url),
    },
    {
      account: account.acme,
      thumbprint: account.thumbprint,
      answered: answeredBy(dependencies, account.thumbprint),
      triggered: attempt.triggered,
      now,
      async remember(order) {
        await record.write({ acme: order });
        acme = order;
      },
    },
  ).catch(async (error: unknown) => {
    if (error instanceof AcmeUnavailable) await apply(dependencies, pendingRequest(request, noAnswer, now()));
    throw error;
  });
  const end = async (written: WriteAction, outcome: Partial<OrderEntry>): Promise<ReconcileResult> => {
    await apply(dependencies, [written]);
    if (acme) await giveUpProofs(acme, account.acme);
    await record.write(outcome);
    orderAttempts.forget(hostname);
    return outcome.outcome === 'Issued' ? { requeueAfterMs: askAgain } : {};
  };
  switch (progress.kind) {
    case 'Waiting':
      return wait(attempt, progress.forMs);
    case 'Issued': {
      const chain = issuedChain(progress.chains, signing);
      const named = acme ? { acme: { ...acme, ...factsOf(chain) } } : {};
      return end(issuedRequest(request, chain, now()), { outcome: 'Issued', ...named });
    }
    case 'Refused': {
      const { message, isFinal, limit } = progress.refusal;
      const named: Partial<OrderEntry> = limit ? { scope: limit.scope, waitsUntil: timestamp(limit.until) } : {};
      if (isFinal) return end(failedRequest(request, message, now()), { outcome: 'Failed', ...named });
      await apply(dependencies, pendingRequest(request, message, now()));
      if (limit) await record.write(named);
      const pause = untilNextTry(attempt);
      attempt.refusals += 1;
      return { requeueAfterMs: Math.max(pause, (limit?.until ?? 0) - now()) };
    }
  }
}

/** What is remembered of a certificate: how its authority names it, if it has renewal information, and when it ends. */
function factsOf(chain: string): Pick<AcmeOrder, 'certificate' | 'notAfter'> {
  const certificate = certificateId(chain);
  const notAfter = timestamp(new X509Certificate(chain).validToDate.getTime());
  return certificate === null ? { notAfter } : { certificate, notAfter };
}

/** The id of the hostname's last certificate, if this account ordered it: another one may not replace it. */
function predecessor({ spec }: HostnameClaim, account: string): string | null {
  const { acme } = spec.orders?.findLast(({ outcome }) => outcome === 'Issued') ?? {};
  return acme?.account === account ? (acme.certificate ?? null) : null;
}

function wait(attempt: OrderAttempt, forMs: number): ReconcileResult {
  const requeueAfterMs = untilNextLook(attempt, forMs);
  attempt.waits += 1;
  return { requeueAfterMs };
}

const apply = (dependencies: ReconcilerDependencies, writes: readonly WriteAction[]): Promise<ReconcileResult> =>
  applyActions(dependencies, { ...noActions, writes });

/** Those of some tokens that are answered wherever the authority may ask. */
const answeredBy =
  ({ challengeProbe }: Pick<ReconcilerDependencies, 'challengeProbe'>, thumbprint: string): OrderPorts['answered'] =>
  async (hostname, tokens) => {
    const expected = new Map(tokens.map((token) => [`${challengePath}${token}`, `${token}.${thumbprint}`]));
    const answered = await challengeProbe(hostname, expected);
    return new Set(tokens.filter((token) => answered.has(`${challengePath}${token}`)));
  };
