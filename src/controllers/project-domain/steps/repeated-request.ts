import { removeAction } from '../../../controller-runtime/actions.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { cancelIssuance } from '../../../issuing/issue-anew.ts';
import { requestId } from '../../../issuing/order-history.ts';
import { withholdApproval } from '../../../issuing/request-status.ts';
import type { CertificateRequest } from '../../../resources/cert-manager-types.ts';
import { CertificateRequestKind } from '../../../resources/kinds.ts';
import { minutes, seconds } from '../../../rules/check-schedule.ts';
import { isTrue } from '../../../rules/conditions.ts';
import { mayHaveCertificate } from '../../../rules/order-ledger/hostname-orders.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';

/**
 * What cert-manager says of a Secret that it has stored a moment ago and does not see yet: its caches of Certificates and of Secrets are not
 * of one moment (internal/controller/certificates/policies). None of this is true of a Certificate that it calls Ready.
 */
const unseenReasons: ReadonlySet<string> = new Set(['DoesNotExist', 'SecretMismatch', 'IncorrectIssuer']);
/** It sees the Secret after this time at the latest, and says by then whether the Certificate is Ready. */
const seenWithin = 10 * seconds;
/** An issuance that begins later than this after the last order has other reasons. */
const recently = 15 * minutes;

/** What comes of requests that ask for the certificate that was just issued once more, or that nobody waits for. */
interface RepeatedRequests {
  readonly writes: readonly WriteAction[];
  /** when it is known of those that are held back, milliseconds since the Unix epoch; null for none */
  readonly knownAt: number | null;
  /** the requests that mean what they say */
  readonly others: readonly CertificateRequest[];
}

type Repetition = 'no' | 'unknown' | 'yes';

/**
 * Tells repeated requests from others by what cert-manager says of the Certificate and by its last order. Where that may change within
 * moments the request is held back, as an order would be one of the few that a hostname has in a week. Pure.
 */
export function repeatedRequests(
  snapshot: EvaluatedProjectDomain,
  requests: readonly CertificateRequest[],
): RepeatedRequests {
  const found = Map.groupBy(requests, (request) => repetitionOf(snapshot, request));
  const unknown = found.get('unknown') ?? [];
  const writes = [
    ...unknown.flatMap((request) =>
      withholdApproval(request, 'waiting for cert-manager to see its Secret', snapshot.now),
    ),
    ...(found.get('yes') ?? []).flatMap((request) => endRepetition(snapshot, request)),
  ];
  const knownAt = unknown.length === 0 ? null : Math.max(...unknown.map((request) => knownAtOf(snapshot, request)));
  return { writes, knownAt, others: found.get('no') ?? [] };
}

function repetitionOf(snapshot: EvaluatedProjectDomain, request: CertificateRequest): Repetition {
  if (!isDoubtful(snapshot, request)) return 'no';
  if (snapshot.now < knownAtOf(snapshot, request)) return 'unknown';
  return isReady(snapshot) ? 'yes' : 'no';
}

function isDoubtful(snapshot: EvaluatedProjectDomain, request: CertificateRequest): boolean {
  const { Issuing: issuing } = snapshot.certificateConditions;
  const isUnseen = isTrue(issuing) ? unseenReasons.has(issuing?.reason ?? '') : isReady(snapshot);
  const orderedAt = isUnseen ? lastOrderAt(snapshot, request) : null;
  return orderedAt !== null && beganAt(snapshot, request) - orderedAt < recently;
}

const knownAtOf = (snapshot: EvaluatedProjectDomain, request: CertificateRequest): number =>
  beganAt(snapshot, request) + seenWithin;

/** When the issuance began, or the request was made where there is none; milliseconds since the Unix epoch. */
function beganAt(snapshot: EvaluatedProjectDomain, { metadata }: CertificateRequest): number {
  const { Issuing: issuing } = snapshot.certificateConditions;
  return Date.parse((isTrue(issuing) ? issuing?.lastTransitionTime : metadata.creationTimestamp) ?? '') || 0;
}

/** When the last order of this Certificate ended, or began; null where it failed, or there is none but that of the request. */
function lastOrderAt({ certificate, claim }: EvaluatedProjectDomain, request: CertificateRequest): number | null {
  const createdAt = Date.parse(certificate?.metadata.creationTimestamp ?? '');
  const last = claim?.spec.orders?.findLast((order) => order.request !== requestId(request));
  if (!last || !mayHaveCertificate(last) || Date.parse(last.at) < createdAt) return null;
  return Date.parse(last.endedAt ?? last.at);
}

function isReady({ certificate, certificateConditions: { Ready } }: EvaluatedProjectDomain): boolean {
  return isTrue(Ready) && (Ready?.observedGeneration ?? 0) >= (certificate?.metadata.generation ?? 0);
}

/** The certificate that is there stays: cert-manager looks again, and its request is gone. */
function endRepetition(snapshot: EvaluatedProjectDomain, request: CertificateRequest): readonly WriteAction[] {
  const { certificate, certificateConditions } = snapshot;
  const cancel = certificate && isTrue(certificateConditions.Issuing) ? [cancelIssuance(certificate)] : [];
  return [...cancel, removeAction(CertificateRequestKind, request)];
}
