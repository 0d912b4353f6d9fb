import { removeAction } from '../../../controller-runtime/actions.ts';
import { findCondition, isTrue, timestamp } from '../../../rules/conditions.ts';
import type { Certificate } from '../../../resources/cert-manager-types.ts';
import { CertificateKind, CertificateRequestKind, HostnameClaimKind } from '../../../resources/kinds.ts';
import { undecided } from '../../../issuing/request-approval.ts';
import { claimWith, withGivenUp, withOutcomes } from '../../../issuing/order-history.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { minutes } from '../check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** A certificate that has not come by then is overdue, and a fresh attempt may be made; so it is at most one per name. */
const patience = 30 * minutes;

/** On the claim: when the last fresh attempt was made. */
const attemptedAnnotation = 'projectdomain.io/attempted-at';

/**
 * When the certificate is overdue, milliseconds since the Unix epoch: half an hour after DNS was right, the Certificate
 * was made and the last order was placed. Null while there is no Certificate to wait for.
 */
export function overdueAt({ certificate, domain, claim }: ProjectDomainSnapshot): number | null {
  if (!certificate) return null;
  const dns = findCondition(domain.status?.conditions, 'DNSVerified');
  const since = [
    certificate.metadata.creationTimestamp,
    isTrue(dns) ? dns?.lastTransitionTime : undefined,
    claim?.spec.orders?.at(-1)?.at,
    claim?.metadata.annotations?.[attemptedAnnotation],
  ];
  return Math.max(...since.flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))) + patience;
}

/**
 * What Verify does for an overdue certificate, at most once in half an hour: it is written on the claim first, by PUT with
 * the version that was read, so that a reconcile that does not know of the last attempt yet is refused and looks again.
 */
export function freshAttempt(snapshot: ProjectDomainSnapshot): readonly WriteAction[] {
  const { claim, certificate, requests, verify, verdict, now } = snapshot;
  if (!claim || !certificate || !verdict || verify.kind !== 'asked' || !verify.fresh) return [];
  if (undecided(requests).length > 0) return [];
  const annotations = { ...claim.metadata.annotations, [attemptedAnnotation]: timestamp(now) };
  const again = beginAgain(certificate, snapshot);
  const givenUp = again.some(({ verb }) => verb === 'remove') ? requests.filter(isUnfinished) : [];
  const orders = withGivenUp(withOutcomes(claim.spec.orders ?? [], requests), givenUp);
  const noted = { ...claimWith(claim, orders), metadata: { ...claim.metadata, annotations } };
  return [{ verb: 'replace', kind: HostnameClaimKind, object: noted }, ...again];
}

/**
 * Where cert-manager rests after a failure it is told to issue now, as cmctl renew does; where it hangs, the request it
 * waits for is taken away and it makes another.
 */
function beginAgain(certificate: Certificate, { requests, now }: ProjectDomainSnapshot): readonly WriteAction[] {
  const { conditions = [], lastFailureTime, failedIssuanceAttempts: _, ...rest } = certificate.status ?? {};
  if (isTrue(findCondition(conditions, 'Issuing'))) return requests.filter(isUnfinished).map(removal);
  const issuing = {
    type: 'Issuing',
    status: 'True' as const,
    reason: 'ManuallyTriggered',
    message: 'a fresh attempt was requested',
    lastTransitionTime: beganAt(lastFailureTime, now),
    observedGeneration: certificate.metadata.generation ?? 0,
  };
  const others = conditions.filter(({ type }) => type !== 'Issuing');
  const object = { ...certificate, status: { ...rest, conditions: [...others, issuing] } };
  return [{ verb: 'replaceStatus', kind: CertificateKind, object }];
}

/**
 * cert-manager discards requests that failed before the issuance began, and makes others. By its own clock just after the
 * last failure: with ours, were it ahead, every new failure would look old, and orders would follow one another.
 */
const beganAt = (lastFailureTime: string | undefined, now: number): string =>
  timestamp(lastFailureTime === undefined ? now : Date.parse(lastFailureTime) + 1_000);

type Request = ProjectDomainSnapshot['requests'][number];

function isUnfinished({ status }: Request): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  return !isTrue(ready) && ready?.reason !== 'Failed' && ready?.reason !== 'Denied';
}

const removal = (request: Request): WriteAction => removeAction(CertificateRequestKind, request);
