import { removeAction } from '../../../controller-runtime/actions.ts';
import { findCondition, isTrue, timestamp } from '../../../rules/conditions.ts';
import type { Certificate } from '../../../resources/cert-manager-types.ts';
import { CertificateRequestKind, HostnameClaimKind } from '../../../resources/kinds.ts';
import { issueAnew } from '../../../issuing/issue-anew.ts';
import { claimWith, withGivenUp, withOutcomes } from '../../../issuing/order-history.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { minutes } from '../../../rules/check-schedule.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';

/** After this long a certificate is overdue and a new attempt may be made; also the least time between two attempts. */
const overdueAfter = 30 * minutes;

/** Annotation on the claim: when the last new attempt was made. */
const attemptedAnnotation = 'projectdomain.io/attempted-at';

/**
 * When the certificate becomes overdue, milliseconds since the Unix epoch: half an hour after the latest of these: DNS
 * was verified, the Certificate was created, the last order was placed, the last new attempt was made. Null while
 * there is no Certificate to wait for.
 */
export function overdueAt({ certificate, before, claim }: EvaluatedProjectDomain): number | null {
  if (!certificate) return null;
  const dns = before.DNSVerified;
  const since = [
    certificate.metadata.creationTimestamp,
    isTrue(dns) ? dns?.lastTransitionTime : undefined,
    claim?.spec.orders?.at(-1)?.at,
    claim?.metadata.annotations?.[attemptedAnnotation],
  ];
  return Math.max(...since.flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))) + overdueAfter;
}

/**
 * What Verify does for an overdue certificate, at most once in half an hour. The attempt is recorded on the claim first,
 * by PUT with the resource version that was read: a reconcile that does not know of the last attempt yet gets a conflict
 * and is requeued.
 */
export function freshAttempt(snapshot: EvaluatedProjectDomain): readonly WriteAction[] {
  const { claim, certificate, requests, openRequests, verify, verdict, now } = snapshot;
  if (!claim || !certificate || !verdict || verify.kind !== 'asked' || !verify.fresh) return [];
  if (openRequests.length > 0) return [];
  const annotations = { ...claim.metadata.annotations, [attemptedAnnotation]: timestamp(now) };
  const reissueWrites = reissue(certificate, snapshot);
  const abandoned = reissueWrites.some(({ verb }) => verb === 'remove') ? requests.filter(isUnfinished) : [];
  const orders = withGivenUp(withOutcomes(claim.spec.orders ?? [], requests), abandoned);
  const noted = { ...claimWith(claim, orders), metadata: { ...claim.metadata, annotations } };
  return [{ verb: 'replace', kind: HostnameClaimKind, object: noted }, ...reissueWrites];
}

/**
 * Where cert-manager is backing off after a failure, triggers issuance now, as cmctl renew does. Where it hangs, deletes
 * the request it waits for, so that it creates another.
 */
export function reissue(
  certificate: Certificate,
  { requests, certificateConditions, now }: EvaluatedProjectDomain,
): readonly WriteAction[] {
  return isTrue(certificateConditions.Issuing)
    ? requests.filter(isUnfinished).map(removal)
    : [issueAnew(certificate, 'ManuallyTriggered', now)];
}

type Request = EvaluatedProjectDomain['requests'][number];

function isUnfinished({ status }: Request): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  return !isTrue(ready) && ready?.reason !== 'Failed' && ready?.reason !== 'Denied';
}

const removal = (request: Request): WriteAction => removeAction(CertificateRequestKind, request);
