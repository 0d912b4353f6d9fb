import { findCondition, isTrue, timestamp } from '../../../model/condition.ts';
import { CertificateKind, CertificateRequestKind } from '../../../model/kinds.ts';
import type { Action } from '../../plan.ts';
import { minutes } from '../schedule.ts';
import type { DomainSnapshot } from '../snapshot.ts';

/** A certificate that has not come by then is overdue, and a fresh attempt may be made; so it is at most one per name. */
const patience = 30 * minutes;

/**
 * When the certificate is overdue, milliseconds since the Unix epoch: half an hour after DNS was right, the Certificate
 * was made and the last order was placed. Null while there is no Certificate to wait for.
 */
export function overdueAt({ certificate, domain, claim }: DomainSnapshot): number | null {
  if (!certificate) return null;
  const dns = findCondition(domain.status?.conditions, 'DNSVerified');
  const since = [
    certificate.metadata.creationTimestamp,
    isTrue(dns) ? dns?.lastTransitionTime : undefined,
    claim?.spec.orders?.at(-1)?.at,
  ];
  return Math.max(...since.flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))) + patience;
}

/**
 * What Verify does for an overdue certificate once DNS and CAA were found right again: where cert-manager rests after a
 * failure it is told to issue now, as cmctl renew does; where it hangs, the request it waits for is taken away and it
 * makes another.
 */
export function freshAttempt({ certificate, requests, verify, judgement, now }: DomainSnapshot): readonly Action[] {
  if (!certificate || !judgement || verify.kind !== 'asked' || !verify.fresh) return [];
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

type Request = DomainSnapshot['requests'][number];

function isUnfinished({ status }: Request): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  return !isTrue(ready) && ready?.reason !== 'Failed' && ready?.reason !== 'Denied';
}

function removal({ metadata }: Request): Action {
  const { namespace = '', name, uid } = metadata;
  return { verb: 'remove', kind: CertificateRequestKind, key: { namespace, name }, preconditions: uid ? { uid } : {} };
}
