import type { Finding } from '../../../model/condition.ts';
import { findCondition, isTrue, no, unknown, yes } from '../../../model/condition.ts';
import type { Wait } from '../../../model/ledger/limits.ts';
import { nameWait } from '../../../model/ledger/name.ts';
import { certificate as reasons } from '../../../model/reasons.ts';
import { certificate as build } from '../../../routes/certificate.ts';
import { undecided } from '../../approval.ts';
import { CertificateKind, HostnameClaimKind } from '../../../model/kinds.ts';
import type { Action, Announcement } from '../../plan.ts';
import { waitSentence } from '../../waiting.ts';
import type { CheckMemory } from '../memory.ts';
import type { DomainSnapshot } from '../snapshot.ts';
import type { Evidence } from './evidence.ts';
import { evidence } from './evidence.ts';
import { freshAttempt, overdueAt } from './overdue.ts';
import type { RequestStep } from './request.ts';
import { decideRequests } from './request.ts';

/** What the next order of a hostname waits for. */
export interface Waiting {
  /** uid of the request that is ready and waits for its turn; null when none is */
  readonly request: string | null;
  /** a reason; null when nothing waits */
  readonly reason: string | null;
  /** milliseconds since the Unix epoch; null when nobody can tell, or nothing waits */
  readonly until: number | null;
}

export interface CertificateStep {
  readonly finding: Finding;
  readonly actions: readonly Action[];
  readonly announcements: readonly Announcement[];
  readonly waiting: Waiting;
  /** when patience with the certificate ends; null when nothing is awaited */
  readonly overdueAt: number | null;
}

/** May new things be made for this domain: accepted, claimed and led here by DNS. */
export interface Permission {
  readonly mayCreate: boolean;
}

export const nothingWaits: Waiting = Object.freeze({ request: null, reason: null, until: null });

/** A step that only says something. */
export const justSays = (finding: Finding): CertificateStep => ({
  finding,
  actions: [],
  announcements: [],
  waiting: nothingWaits,
  overdueAt: null,
});

/** One Certificate per hostname, and the approval of each of its requests: first issues and renewals alike. */
export function issue(snapshot: DomainSnapshot, memory: CheckMemory, { mayCreate }: Permission): CertificateStep {
  const { certificate, standing } = snapshot;
  if (standing.kind !== 'Held')
    return justSays(unknown(reasons.Waiting, 'the hostname is claimed first, as soon as it is verified'));
  const against = obstaclesOf(snapshot, memory, mayCreate);
  const step = decideRequests(snapshot, against);
  const actions = [
    ...(mayCreate && (certificate || !against.obstacle) ? [applyCertificate(snapshot)] : []),
    ...step.actions,
  ];
  const finding = findingOf(snapshot, against, step);
  const waiting = waitingOf(snapshot, against, step);
  const base = { actions, announcements: step.announcements, waiting, overdueAt: null };
  return finding ? { ...base, finding } : { ...base, ...awaited(snapshot, actions) };
}

interface Against extends Evidence {
  /** of the obstacle, where it is one of time */
  readonly wait: Wait | null;
}

/** What stands against an order right now. The order of the checks is the order people should mend things in. */
function obstaclesOf(snapshot: DomainSnapshot, memory: CheckMemory, mayCreate: boolean): Against {
  const bare = { unconfirmed: false, wait: null };
  if (!mayCreate)
    return { ...bare, obstacle: unknown(reasons.Waiting, 'waits until the domain is accepted and its DNS is right') };
  const found = evidence(snapshot, memory);
  const wait = found.obstacle ? null : ownWait(snapshot);
  return { ...found, wait, obstacle: wait ? no(wait.reason, waitSentence[wait.reason]) : found.obstacle };
}

/** An order that is about to be approved does not stand in its own way. */
function ownWait({ claim, requests, settings, now }: DomainSnapshot): Wait | null {
  const open = undecided(requests).map(({ metadata }) => metadata.uid);
  const others = (claim?.spec.orders ?? []).filter(({ request }) => !open.includes(request));
  return nameWait(others, settings.orderLimits, now);
}

/** What to say of the certificate; null while it is only awaited. */
function findingOf(snapshot: DomainSnapshot, { obstacle, wait }: Against, step: RequestStep): Finding | null {
  const ready = isTrue(findCondition(snapshot.certificate?.status?.conditions, 'Ready'));
  if (ready) return yes(reasons.Issued, 'the certificate is issued');
  if (obstacle && (wait === null || !restsAfterFailure(snapshot))) return obstacle;
  if (step.misfit !== null) return no(reasons.RequestMismatch, step.misfit);
  return step.wait ? no(step.wait.reason, waitSentence[step.wait.reason]) : null;
}

/** Nothing asks for an order, and why the last one failed says more than that the next one has to wait. */
const restsAfterFailure = (snapshot: DomainSnapshot): boolean =>
  undecided(snapshot.requests).length === 0 && progress(snapshot).reason === reasons.IssuanceFailed;

function waitingOf({ requests, certificate }: DomainSnapshot, against: Against, step: RequestStep): Waiting {
  const wait = against.wait ?? step.wait;
  const open = undecided(requests).length > 0;
  const misfit = step.misfit === null ? null : reasons.RequestMismatch;
  const obstacle = open || !certificate ? (against.obstacle?.reason ?? null) : null;
  return { request: step.asks, reason: wait?.reason ?? obstacle ?? misfit, until: wait?.until ?? null };
}

/** Nothing stands in the way and the certificate is not there: being issued, failed, or overdue. */
function awaited(
  snapshot: DomainSnapshot,
  actions: readonly Action[],
): Pick<CertificateStep, 'finding' | 'actions' | 'overdueAt'> {
  const due = undecided(snapshot.requests).length > 0 ? null : overdueAt(snapshot);
  if (due === null || snapshot.now < due) return { finding: progress(snapshot), actions, overdueAt: due };
  const attempt = freshAttempt(snapshot);
  const others = attempt.length === 0 ? actions : actions.filter(({ kind }) => kind !== HostnameClaimKind);
  return { finding: overdue(snapshot), actions: [...others, ...attempt], overdueAt: null };
}

function overdue(snapshot: DomainSnapshot): Finding {
  const said = progress(snapshot).message;
  return no(reasons.IssuanceOverdue, `no certificate after 30 minutes: ${said}; Verify makes a fresh attempt`);
}

function applyCertificate({ domain, settings }: DomainSnapshot): Action {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return { verb: 'apply', kind: CertificateKind, object: build(input, settings.issuer) };
}

function progress({ certificate }: DomainSnapshot): Finding {
  const issuing = findCondition(certificate?.status?.conditions, 'Issuing');
  if (issuing?.status === 'False' && issuing.reason === 'Failed') {
    return no(reasons.IssuanceFailed, `the certificate authority refused: ${issuing.message}`);
  }
  return unknown(reasons.Issuing, 'the certificate is being issued');
}
