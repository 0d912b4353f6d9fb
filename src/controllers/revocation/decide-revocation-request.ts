import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { RevocationRequest } from '../../issuing/revocations.ts';
import { claimWith } from '../../issuing/order-history.ts';
import { isOpen, isRevocable, withRevocations } from '../../issuing/revocations.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { minutes } from '../../rules/check-schedule.ts';
import { findCondition, isTrue, timestamp } from '../../rules/conditions.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';

/** Everything that is decided from about an administrator's request, frozen. */
export interface RevocationRequestSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly claim: HostnameClaim;
  /** the one that serves the hostname for its holder; undefined without one */
  readonly certificate: Certificate | undefined;
  /** false while nobody knows cert-manager's Certificates */
  readonly isCertificateKnown: boolean;
}

/** What a request needs next. */
export type NextForRequest =
  /** nothing: there is none, it is done, or what it waits for brings it back */
  | { readonly next: 'Leave' }
  /** what is decided about it is written down before anything else is done */
  | { readonly next: 'Record'; readonly claim: HostnameClaim }
  /** it is done; where nobody is served by the Secret, the revoked certificate in it must not be served again either */
  | { readonly next: 'Finish'; readonly claim: HostnameClaim; readonly isSecretLeft: boolean }
  /** a certificate with a new key takes the place of the present one */
  | { readonly next: 'Replace'; readonly certificate: Certificate }
  /** the new certificate is ordered, issued or about to be served */
  | { readonly next: 'Await' };

/** Counted from its order, which waits for the authority first. */
const storedWithin = 10 * minutes;

const leave: NextForRequest = Object.freeze({ next: 'Leave' });
const awaited: NextForRequest = Object.freeze({ next: 'Await' });

/**
 * Decides what a request to revoke a hostname's certificates needs. Every certificate that was ordered before the new one is to be
 * revoked, one whose order is still under way too; when each is, follows from `isDue`. Pure.
 */
export function decideRevocationRequest(snapshot: RevocationRequestSnapshot): NextForRequest {
  const { claim } = snapshot;
  const request = openRequest(claim);
  if (!request) return leave;
  const marked = withConcerned(snapshot, request);
  if (snapshot.isCertificateKnown) {
    const next = nextForKnown({ ...snapshot, claim: marked }, request);
    if (next.next !== 'Leave') return next;
  }
  return marked === claim ? leave : { next: 'Record', claim: marked };
}

/**
 * The certificate of an order that is to be revoked can be now: it was not requested, nobody uses it, it must not be used any more, or
 * the new one is served in its place.
 */
export function isDue(order: OrderEntry, snapshot: RevocationRequestSnapshot): boolean {
  const request = openRequest(snapshot.claim);
  if (!isOpen(order)) return false;
  if (!request || order.revocation?.since !== request.requestedAt || isAtOnce(request)) return true;
  return snapshot.isCertificateKnown && (!needsReplacement(snapshot, request) || isReplaced(snapshot, request));
}

function openRequest({ spec }: HostnameClaim): RevocationRequest | null {
  return spec.revocation && spec.revocation.doneAt === undefined ? spec.revocation : null;
}

/** A key that others have is worth no visitor's trust, and an administrator may know better. */
const isAtOnce = ({ reason, atOnce }: RevocationRequest): boolean => reason === 'keyCompromise' || atOnce === true;

const ordersOf = ({ spec }: HostnameClaim): readonly OrderEntry[] => spec.orders ?? [];

/**
 * What is ordered for the new certificate is no concern of the request. Of an earlier request that is not done the later one's reason counts;
 * what is revoked as another account took the hostname over is left to that, unless the request cannot wait either.
 */
function withConcerned({ claim, now }: RevocationRequestSnapshot, request: RevocationRequest): HostnameClaim {
  if (request.replacingSince !== undefined) return claim;
  const { reason, requestedAt: since } = request;
  const { proof } = claim.spec;
  const isOfHolder = ({ at }: OrderEntry) => Date.parse(at) >= Date.parse(proof.at);
  const isFree = (order: OrderEntry) => order.revocation === undefined || isAtOnce(request) || isOfHolder(order);
  const before = ordersOf(claim);
  const orders = withRevocations(
    before,
    { reason, since },
    (order) => isRevocable(order, now) && order.revocation?.since !== since && isFree(order),
  );
  return orders === before ? claim : claimWith(claim, orders);
}

/** With the certificate that serves the hostname, if one does: Leave where its orders say nothing new. */
function nextForKnown(snapshot: RevocationRequestSnapshot, request: RevocationRequest): NextForRequest {
  const { claim, certificate, now } = snapshot;
  const withRequest = (changes: Partial<RevocationRequest>): HostnameClaim => ({
    ...claim,
    spec: { ...claim.spec, revocation: { ...request, ...changes } },
  });
  if (certificate && needsReplacement(snapshot, request) && !isReplaced(snapshot, request)) {
    if (request.replacingSince !== undefined) return nextForReplacement(snapshot, request, certificate);
    return isIssuing(certificate) ? leave : { next: 'Record', claim: withRequest({ replacingSince: timestamp(now) }) };
  }
  const concerned = ordersOf(claim).filter(({ revocation }) => revocation?.since === request.requestedAt);
  if (concerned.some(isOpen)) return leave;
  const isRevoked = concerned.some(({ revocation }) => revocation?.result === 'Revoked');
  return {
    next: 'Finish',
    claim: withRequest({ doneAt: timestamp(now) }),
    isSecretLeft: isRevoked && certificate === undefined,
  };
}

/**
 * The hostname is served, by a certificate that is to be revoked. One that cert-manager ordered or that came from a backup is none of
 * ours; where it is not known when ours ends, it is taken for the one.
 */
function needsReplacement({ claim, certificate }: RevocationRequestSnapshot, request: RevocationRequest): boolean {
  if (claim.spec.phase !== 'Held' || !certificate) return false;
  if (request.replacingSince !== undefined) return true;
  const { notAfter } = certificate.status ?? {};
  return ordersOf(claim).some(
    ({ acme, revocation }) =>
      revocation?.since === request.requestedAt &&
      revocation.result !== 'NotIssued' &&
      (acme?.notAfter === undefined || acme.notAfter === notAfter),
  );
}

/** Orders of the new certificate. */
const replacing = ({ claim }: RevocationRequestSnapshot, { replacingSince }: RevocationRequest) =>
  ordersOf(claim).filter(
    ({ at, revocation }) =>
      revocation === undefined && replacingSince !== undefined && Date.parse(at) >= Date.parse(replacingSince),
  );

/** The new certificate is where visitors get it: cert-manager has stored it, and issues nothing. */
function isReplaced(snapshot: RevocationRequestSnapshot, request: RevocationRequest): boolean {
  const { certificate } = snapshot;
  const { conditions, notAfter } = certificate?.status ?? {};
  if (isIssuing(certificate) || !isTrue(findCondition(conditions, 'Ready'))) return false;
  return replacing(snapshot, request).some(
    ({ outcome, acme }) => outcome === 'Issued' && (acme?.notAfter === undefined || acme.notAfter === notAfter),
  );
}

const isIssuing = (certificate: Certificate | undefined): boolean =>
  isTrue(findCondition(certificate?.status?.conditions, 'Issuing'));

/**
 * An order of it that is under way is waited for, and so is a certificate that is just being stored: cert-manager says that it issues
 * nothing any more before it says when the new one ends.
 */
function nextForReplacement(
  snapshot: RevocationRequestSnapshot,
  request: RevocationRequest,
  certificate: Certificate,
): NextForRequest {
  const { now } = snapshot;
  const isUnderWay = replacing(snapshot, request).some(
    ({ outcome, at }) => outcome === 'Pending' || (outcome === 'Issued' && now - Date.parse(at) < storedWithin),
  );
  return isIssuing(certificate) || isUnderWay ? awaited : { next: 'Replace', certificate };
}
