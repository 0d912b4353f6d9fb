import type { Finding } from '../../../model/condition.ts';
import { findCondition, isTrue, no, unknown, yes } from '../../../model/condition.ts';
import { certificate as reasons } from '../../../model/reasons.ts';
import { certificate as build } from '../../../routes/certificate.ts';
import { approve, undecided, withhold } from '../../approval.ts';
import { CertificateKind, HostnameClaimKind } from '../../../model/kinds.ts';
import { isRecorded, waitsUntil, withOrder, withOutcomes } from '../../ledger.ts';
import type { Action } from '../../plan.ts';
import type { CheckMemory } from '../memory.ts';
import { seconds } from '../schedule.ts';
import { freshAttempt, overdueAt } from './overdue.ts';
import type { DomainSnapshot } from '../snapshot.ts';

/** An order rests on a look at DNS and CAA that is at most this old. */
export const freshFor = 60 * seconds;

export interface CertificateStep {
  readonly finding: Finding;
  readonly actions: readonly Action[];
  /** when the ledger lets the name order again; null when nothing waits */
  readonly waitsUntil: number | null;
  /** when patience with the certificate ends; null when nothing is awaited */
  readonly overdueAt: number | null;
}

/** May new things be made for this domain: accepted, claimed and led here by DNS. */
export interface Permission {
  readonly mayCreate: boolean;
}

/** One Certificate per hostname, and the approval of each of its requests: first issues and renewals alike. */
export function issue(snapshot: DomainSnapshot, memory: CheckMemory, { mayCreate }: Permission): CertificateStep {
  const { certificate, standing } = snapshot;
  if (standing.kind !== 'Held') return waiting('the hostname is claimed first, as soon as it is verified');
  const ready = isTrue(findCondition(certificate?.status?.conditions, 'Ready'));
  const obstacle = obstacleOf(snapshot, memory, mayCreate);
  const actions = [
    ...(mayCreate && (certificate || !obstacle) ? [applyCertificate(snapshot)] : []),
    ...decideRequests(snapshot, obstacle),
  ];
  const done = { actions, waitsUntil: null, overdueAt: null };
  if (ready) return { ...done, finding: yes(reasons.Issued, 'the certificate is issued') };
  if (obstacle) return { ...done, finding: obstacle, waitsUntil: waitsUntil(ordersOf(snapshot), snapshot.now) };
  return awaited(snapshot, actions);
}

const ordersOf = ({ claim }: DomainSnapshot) => claim?.spec.orders ?? [];

/** Nothing stands in the way and the certificate is not there: being issued, failed, or overdue. */
function awaited(snapshot: DomainSnapshot, actions: readonly Action[]): CertificateStep {
  const due = overdueAt(snapshot);
  if (due === null || snapshot.now < due) {
    return { finding: progress(snapshot), actions, waitsUntil: null, overdueAt: due };
  }
  const attempt = freshAttempt(snapshot);
  const others = attempt.length === 0 ? actions : actions.filter(({ kind }) => kind !== HostnameClaimKind);
  return { finding: overdue(snapshot), actions: [...others, ...attempt], waitsUntil: null, overdueAt: null };
}

function overdue(snapshot: DomainSnapshot): Finding {
  const said = progress(snapshot).message;
  return no(reasons.IssuanceOverdue, `no certificate after 30 minutes: ${said}; Verify makes a fresh attempt`);
}

const waiting = (message: string): CertificateStep => ({
  finding: unknown(reasons.Waiting, message),
  actions: [],
  waitsUntil: null,
  overdueAt: null,
});

function applyCertificate({ domain, settings }: DomainSnapshot): Action {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return { verb: 'apply', kind: CertificateKind, object: build(input, settings.issuer) };
}

/** What stands against an order right now, or null. The order of the checks is the order people should mend things in. */
function obstacleOf(snapshot: DomainSnapshot, memory: CheckMemory, mayCreate: boolean): Finding | null {
  if (!mayCreate) return unknown(reasons.Waiting, 'waits until the domain is accepted and its DNS is right');
  if (memory.caa === 'No') return no(reasons.CAAForbids, describeCaa(snapshot));
  if (memory.caa !== 'Yes') return unknown(reasons.CAAUnknown, 'the CAA records of the hostname could not be read');
  if (waitsUntil(ordersOf(snapshot), snapshot.now) === null) return null;
  return no(
    reasons.IssuanceLimited,
    'too many failed authorizations of this hostname within an hour; the next order waits',
  );
}

function describeCaa({ judgement, domain }: DomainSnapshot): string {
  const before = findCondition(domain.status?.conditions, 'CertificateIssued');
  if (!judgement)
    return before?.reason === reasons.CAAForbids ? before.message : 'a CAA record forbids the certificate';
  const issue = judgement.issues.find((candidate) => candidate.code === judgement.caa.code) ?? judgement.issues[0];
  return issue ? `${issue.message}; ${issue.fix}` : 'a CAA record forbids the certificate';
}

/** Records the order on the claim, then approves; or says on the request why it waits. */
function decideRequests(snapshot: DomainSnapshot, obstacle: Finding | null): readonly Action[] {
  const { claim, requests, now } = snapshot;
  if (!claim) return [];
  const open = undecided(requests);
  const stale = !isFresh(snapshot);
  const held = obstacle ?? (stale ? unknown(reasons.Waiting, 'waits for a fresh look at DNS and CAA') : null);
  if (held) {
    return [...settleOrders(snapshot), ...open.flatMap((request) => withhold(request, held.message, now))];
  }
  const unrecorded = open.find((request) => !isRecorded(claim.spec.orders ?? [], request));
  if (unrecorded) return recordOrder(snapshot, unrecorded);
  return [...settleOrders(snapshot), ...open.map((request) => approve(request, now))];
}

/** True when a request may be decided on what is known: the last look at DNS is recent. */
export const isFresh = ({ memory, judgement, now }: DomainSnapshot): boolean =>
  judgement !== null || (memory.checkedAt !== null && now - memory.checkedAt <= freshFor);

function recordOrder(snapshot: DomainSnapshot, request: DomainSnapshot['requests'][number]): readonly Action[] {
  const { claim, requests, now } = snapshot;
  if (!claim) return [];
  const orders = withOrder(withOutcomes(claim.spec.orders ?? [], requests), request, now);
  return [
    { verb: 'replace', kind: HostnameClaimKind, object: { ...claim, spec: { ...claim.spec, orders: [...orders] } } },
    approve(request, now),
  ];
}

function settleOrders({ claim, requests }: DomainSnapshot): readonly Action[] {
  const before = claim?.spec.orders ?? [];
  const after = withOutcomes(before, requests);
  if (!claim || after === before) return [];
  return [
    { verb: 'replace', kind: HostnameClaimKind, object: { ...claim, spec: { ...claim.spec, orders: [...after] } } },
  ];
}

function progress({ certificate }: DomainSnapshot): Finding {
  const issuing = findCondition(certificate?.status?.conditions, 'Issuing');
  if (issuing?.status === 'False' && issuing.reason === 'Failed') {
    return no(reasons.IssuanceFailed, `the certificate authority refused: ${issuing.message}`);
  }
  return unknown(reasons.Issuing, 'the certificate is being issued');
}
