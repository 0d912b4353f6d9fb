import { X509Certificate } from 'node:crypto';
import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem, AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { earliest } from '../../controller-runtime/actions.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { isWorthRepeating } from '../../issuing/acme/order-refusal.ts';
import { issueAnew } from '../../issuing/issue-anew.ts';
import type { Revocation } from '../../issuing/revocations.ts';
import { hasRevocations, isRequested, revocationEnd } from '../../issuing/revocations.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { HostnameClaimKind, SecretKind } from '../../resources/kinds.ts';
import { clip, schemaBounds } from '../../resources/object-limits.ts';
import { minutes } from '../../rules/check-schedule.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { childName } from '../../rules/dns-target.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { untilAnswered, untilNextTry } from '../acme-order/order-attempts.ts';
import { openOrderRecord } from '../acme-order/order-record.ts';
import { applyWrites } from '../apply-actions.ts';
import type { RevocationNeeds } from './revocation-needs.ts';
import type { NextForRequest, RevocationRequestSnapshot } from './decide-revocation-request.ts';
import { decideRevocationRequest, isDue } from './decide-revocation-request.ts';
import type { NextForRevocation } from './decide-revocation.ts';
import { decideRevocation, revocationEvent } from './decide-revocation.ts';
import type { RevocationAttempt } from '../acme-order/order-attempts.ts';
import type { Controller } from '../controller.ts';
import { byHolder } from '../controller.ts';
import { tellingRefusals } from '../lasting-refusals.ts';

export const revocationController: Controller<RevocationNeeds> = {
  // Most of the requests that an authority is sent at a time are left to orders.
  workers: () => 4,
  shareOf: byHolder,
  reconcile: (dependencies, name, signal) =>
    tellingRefusals(dependencies, name, () => reconcileRevocation(dependencies, name, signal)),
};

/** Whatever a request waits for changes the claim or the Certificate; this is for what is not seen. */
const lookAgain = 1 * minutes;
const silent = 'the certificate authority does not answer; it is asked again';

/**
 * Reconciles the revocations of one hostname, given by the name of its claim: what an administrator's request needs first, then each certificate that can be revoked now.
 * What is decided stands on the claim before it is done, and its end once it is, so that a process which ends in between repeats at
 * most a revocation. Orders never wait for any of this: they have a queue of their own.
 */
export async function reconcileRevocation(
  dependencies: RevocationNeeds,
  name: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const snapshot = gatherRevocations(dependencies, name);
  if (!snapshot || !hasRevocations(snapshot.claim)) return {};
  const next = decideRevocationRequest(snapshot);
  if (next.next === 'Finish' && next.isSecretLeft) await removeSecret(dependencies, snapshot.claim);
  if (next.next === 'Record' || next.next === 'Finish') {
    await dependencies.cluster.replace(HostnameClaimKind, next.claim);
    return { requeueAfterMs: lookAgain };
  }
  const [served, revoked] = await Promise.allSettled([
    serveRequest(dependencies, snapshot.claim, next),
    revokeDue(dependencies, snapshot, signal),
  ]);
  const requeueAfterMs = earliest(valueOf(served), valueOf(revoked));
  return requeueAfterMs === null ? {} : { requeueAfterMs };
}

/** Neither the new certificate nor a revocation waits for the other, whatever comes of it. */
function valueOf(ended: PromiseSettledResult<number | null>): number | null {
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

async function revokeDue(
  dependencies: RevocationNeeds,
  snapshot: RevocationRequestSnapshot,
  signal: AbortSignal,
): Promise<number | null> {
  const { claim } = snapshot;
  const due = (claim.spec.orders ?? []).filter((order) => isDue(order, snapshot));
  const times: (number | null)[] = [];
  for (const order of due) {
    signal.throwIfAborted();
    times.push(await revokeOne(dependencies, claim, order));
  }
  return earliest(...times);
}

function gatherRevocations(
  { caches, certManagerUnavailable, now }: RevocationNeeds,
  name: string,
): RevocationRequestSnapshot | null {
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim) return null;
  const certificate = caches.certificates.get({
    namespace: claim.spec.holder.namespace,
    name: childName(claimedHostname(name)),
  });
  return Object.freeze({ now: now(), claim, certificate, isCertificateKnown: !certManagerUnavailable() });
}

/** Where the operator has no rights on Secrets any more, there is no account either, and nobody to serve. */
async function removeSecret({ cluster }: RevocationNeeds, { metadata, spec }: HostnameClaim): Promise<void> {
  const { namespace } = spec.holder;
  if (await isAllowed(cluster, { namespace, verb: 'delete', resource: 'secrets' }))
    await cluster.remove(SecretKind, { namespace, name: childName(claimedHostname(metadata.name)) });
}

/** Milliseconds until it is looked at again, as in all of these; null where what it waits for brings it back. */
async function serveRequest(
  dependencies: RevocationNeeds,
  { metadata, spec }: HostnameClaim,
  next: NextForRequest,
): Promise<number | null> {
  const { revocationAttempts, now } = dependencies;
  if (next.next === 'Leave') revocationAttempts.forget(metadata.name);
  if (next.next !== 'Replace') return isRequested(spec) ? lookAgain : null;
  const attempt = revocationAttempts.of(metadata.name);
  if (attempt.restsUntil <= now()) await replace(dependencies, attempt, next.certificate);
  return attempt.restsUntil - now();
}

async function replace(
  dependencies: RevocationNeeds,
  attempt: RevocationAttempt,
  certificate: Certificate,
): Promise<void> {
  const now = dependencies.now();
  await applyWrites(dependencies, [issueAnew(certificate, 'RevocationRequested', now)]);
  rest(attempt, now, untilNextTry(attempt));
}

function rest(attempt: RevocationAttempt, now: number, forMs: number): number {
  attempt.refusals += 1;
  attempt.restsUntil = now + forMs;
  return forMs;
}

async function revokeOne(
  dependencies: RevocationNeeds,
  claim: HostnameClaim,
  order: OrderEntry,
): Promise<number | null> {
  const { now, revocationAttempts } = dependencies;
  const next = nextFor(dependencies, claim, order);
  if (next.next === 'End') return end(dependencies, { claim, order }, next);
  const attempt = revocationAttempts.of(order.request);
  if (attempt.restsUntil > now()) return attempt.restsUntil - now();
  if (next.next === 'Wait') return waitFor(dependencies, { claim, order }, next);
  const { account, download } = next;
  try {
    await revokeCertificate(account.acme, download, reasonOf(order));
  } catch (error) {
    return failed(dependencies, { claim, order }, error);
  }
  return end(dependencies, { claim, order }, { result: 'Revoked' });
}

/** After a start accounts are registered within a moment, which is not worth a write. */
async function waitFor(
  dependencies: RevocationNeeds,
  concerned: Concerned,
  { forMs, because }: Extract<NextForRevocation, { next: 'Wait' }>,
): Promise<number> {
  if (because === null) return forMs;
  const attempt = dependencies.revocationAttempts.of(concerned.order.request);
  if (attempt.refusals > 0) await say(dependencies, concerned, because);
  return rest(attempt, dependencies.now(), forMs);
}

const reasonOf = ({ revocation }: OrderEntry): Revocation['reason'] => revocation?.reason ?? 'unspecified';

function nextFor({ accounts, caches, now }: RevocationNeeds, claim: HostnameClaim, order: OrderEntry) {
  const uri = order.acme?.account ?? '';
  const isKnown = caches.acmeIssuers.list().some(({ spec, status }) =>
    spec.accounts.some(({ name }) => {
      const known = status?.accounts?.find((one) => one.name === name)?.uri;
      return known === undefined || known === uri;
    }),
  );
  return decideRevocation({ now: now(), claim, order, account: accounts.at(uri), isKnown });
}

interface Concerned {
  readonly claim: HostnameClaim;
  readonly order: OrderEntry;
}

/** A refusal that ends with time is tried again after longer and longer, until the certificate ends; any other one is the last word. */
async function failed(dependencies: RevocationNeeds, concerned: Concerned, error: unknown): Promise<number | null> {
  const { revocationAttempts, now } = dependencies;
  const attempt = revocationAttempts.of(concerned.order.request);
  if (error instanceof AcmeUnavailable) {
    const forMs = rest(attempt, now(), Math.max(untilAnswered(attempt), error.retryAfterMs ?? 0));
    await say(dependencies, concerned, silent);
    return forMs;
  }
  if (!(error instanceof AcmeProblem)) throw error;
  const message = `the certificate authority says: ${error.detail} (${error.type})`;
  if (!isWorthRepeating(error))
    return end(dependencies, concerned, { result: error.status === 404 ? 'Unavailable' : 'Refused', message });
  const forMs = rest(attempt, now(), Math.max(untilNextTry(attempt), error.retryAfterMs ?? 0));
  await say(dependencies, concerned, message);
  return forMs;
}

/** For whoever waits: it is not written where the claim has changed, as then it is decided anew. */
async function say({ cluster, now }: RevocationNeeds, { claim, order }: Concerned, text: string): Promise<void> {
  const message = clip(text, schemaBounds.issueText);
  const { revocation } = order;
  if (!revocation || revocation.message === message) return;
  await openOrderRecord(cluster, claim, order).intend({ revocation: revocationEnd(revocation, { message }, now()) });
}

async function end(
  dependencies: RevocationNeeds,
  { claim, order }: Concerned,
  { result, message }: Omit<Extract<NextForRevocation, { next: 'End' }>, 'next'>,
): Promise<null> {
  const { cluster, caches, now, revocationAttempts, observeRevocation, recordEvent } = dependencies;
  const { revocation = { reason: reasonOf(order), since: order.at } } = order;
  const words = message === undefined ? {} : { message: clip(message, schemaBounds.issueText) };
  const ended = { reason: revocation.reason, result };
  await openOrderRecord(cluster, claim, order).note({
    revocation: revocationEnd(revocation, { result, ...words }, now()),
  });
  revocationAttempts.forget(order.request);
  observeRevocation(ended);
  const holder = caches.domains.get(claim.spec.holder);
  const event = revocationEvent(ended, { claim, holder, order, message });
  if (event) recordEvent(event);
  return null;
}

/**
 * Has a certificate revoked by the account that ordered it (RFC 8555, section 7.6): the authority gives it once more, so that no Secret
 * is read. One that is revoked already is no error. Rejects with AcmeProblem or AcmeUnavailable.
 */
export async function revokeCertificate(
  { chain, revoke }: Pick<AcmeAccount, 'chain' | 'revoke'>,
  download: string,
  reason: Revocation['reason'],
): Promise<void> {
  const { raw } = new X509Certificate(await chain(download, null));
  try {
    await revoke(raw, reason);
  } catch (error) {
    if (!isAboutReason(error) || reason === 'unspecified') throw error;
    await revoke(raw, 'unspecified');
  }
}

/** An authority may permit some reasons alone, and a certificate is better revoked for none than not at all. */
const isAboutReason = (error: unknown): boolean => error instanceof AcmeProblem && error.type === 'badRevocationReason';
