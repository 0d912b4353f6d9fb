import { isTrue, no, unknown, findingIn } from '../../rules/conditions.ts';
import type { Actions } from '../../controller-runtime/actions.ts';
import { earliest } from '../../controller-runtime/actions.ts';
import { withdrawnReasons } from '../../rules/codes/routed-reasons.ts';
import { timeOf } from '../../rules/next-dns-check.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import type { WithdrawnReason } from '../../rules/reasons.ts';
import {
  nextDnsCheckAt,
  nextReconcileAt,
  orderCheckAt,
  settledUntil,
  isProbeAwaited,
  unansweredSince,
  isVerifiable,
} from './check-due.ts';
import type { RecentCheck } from './recent-checks.ts';
import { conclude, domainStatus, domainStatusAction, eventsOf, writesOfOwner } from './project-domain-status.ts';
import { decideCertificateOrOwn } from './own-certificate/own-certificate-step.ts';
import { tidySecrets } from './own-certificate/own-secrets.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { whileCertManagerUnavailable, decideCertificate, findingOnly } from './steps/certificate-step.ts';
import type { CertificateStep } from './steps/certificate-step.ts';
import { decideClaim } from './steps/claim-step.ts';
import { withForeign } from './steps/foreign-certificate.ts';
import type { RouteStep } from './steps/route-step.ts';
import { decideRoute, suspendRoute, withdrawRoute } from './steps/route-step.ts';
import type { VerificationFindings } from './steps/verification-step.ts';
import { verificationFindings } from './steps/verification-step.ts';
import { graceEnds, refusedUntil, suspension } from './withdrawal.ts';
import { heldBackForMs, isNewBehindOpenGateway, whyHeldBack } from '../held-back.ts';
import { formerClasses, servingClasses } from './domain-classes.ts';
import { withRefusedWrites, routeFindingsOf } from './issues-without-record.ts';
import { certificateReasons } from '../../rules/codes/certificate-reasons.ts';
import type { CheckStatus } from './check-status.ts';
import { withVerdict } from './check-status.ts';
import { lostRouteOf } from './lost-route.ts';
import { ownUseOf } from './own-certificate/own-use.ts';
import { publishedToken } from './token-evidence.ts';

/** What to do, and what to remember once it is done. */
export interface DomainActions extends Actions {
  readonly recentCheck: RecentCheck;
  /** somebody waits for what the next reconcile finds */
  readonly isAwaited: boolean;
  /** how long before this check the last one without the right record ended, milliseconds; null unless it was found now */
  readonly foundAfterMs: number | null;
}

/**
 * Turns a snapshot into actions: verify, claim, certificate, route, in this order. Pure; everything users see of a
 * ProjectDomain is decided here.
 */
export function decideProjectDomain(observed: ProjectDomainSnapshot): DomainActions {
  const snapshot = evaluateProjectDomain(observed);
  const { accepted: Accepted, checks, serving, lostRoute, ofEdge } = snapshot;
  const proofs = verificationFindings(snapshot);
  const { certificate, route: path, withdrawn: why = null } = serve(snapshot, proofs);
  const { OwnershipVerified, DNSVerified } = proofs;
  const served = { CertificateIssued: withForeign(snapshot, certificate.finding), Routed: path.finding };
  const findings = withRefusedWrites({ Accepted, OwnershipVerified, DNSVerified, ...served }, snapshot);
  const conclusion = conclude(snapshot, findings, { waiting: certificate.waiting, withdrawn: why });
  const status = domainStatus(snapshot, conclusion);
  const tidied = tidySecrets(snapshot);
  const otherwiseAt = earliest(
    certificate.waiting.until,
    certificate.overdueAt,
    graceEnds(snapshot),
    refusedUntil(snapshot),
    orderCheckAt(snapshot),
    tidied.at,
    pendingUntil(snapshot),
    ofEdge.dueAt,
    serving.formerUntil,
    lostRoute.countsUntil,
  );
  const recentCheck = {
    checkedAt: checks.checkedAt,
    fullyCheckedAt: checks.fullyCheckedAt,
    writtenAt: timeOf(status.check.checkedAt),
    nextAt: nextDnsCheckAt(snapshot, conclusion.state),
    routing: checks.routing,
    unansweredSince: unansweredSince(snapshot, conclusion.state),
    routeLostAt: lostRoute.since,
    edgeSilentSince: ofEdge.silentSince,
    former: formerClasses(serving, snapshot.classes),
    settledUntil: conclusion.state === 'Live' && lostRoute.since === null ? settledUntil(snapshot, otherwiseAt) : null,
  };
  return {
    writes: [
      ...writesOfOwner(snapshot),
      ...(isTrue(Accepted) || snapshot.claimRelation.kind === 'Pending' ? decideClaim(snapshot) : []),
      ...path.writes.filter(({ verb }) => verb === 'remove'),
      ...certificate.writes,
      ...path.writes.filter(({ verb }) => verb !== 'remove'),
      ...tidied.writes,
      domainStatusAction(snapshot, status),
    ],
    events: [...eventsOf(snapshot, conclusion), ...certificate.events],
    requeueAt: earliest(nextReconcileAt(snapshot, conclusion.state, recentCheck), otherwiseAt),
    recentCheck,
    isAwaited: isProbeAwaited(recentCheck, snapshot.now),
    foundAfterMs: foundAfter(snapshot, conclusion.state),
  };
}

/** A claim that waits for another one, which is decided within moments. */
const pendingUntil = ({ claimRelation, now }: EvaluatedProjectDomain): number | null =>
  claimRelation.kind === 'Pending' ? now + pendingAgainMs : null;
const pendingAgainMs = 1_000;

function foundAfter({ domain, checkStatus: before, verdict, now }: EvaluatedProjectDomain, state: DomainState) {
  const isFound = verdict !== null && domain.status?.state === 'Unverified' && state === 'Verified';
  return isFound && before.checkedAt !== null ? now - before.checkedAt : null;
}

interface Serving {
  readonly certificate: CertificateStep;
  readonly route: RouteStep;
  /** why nothing is served any more; absent where it is, or may be */
  readonly withdrawn?: WithdrawnReason;
}

function serve(snapshot: EvaluatedProjectDomain, { DNSVerified }: VerificationFindings): Serving {
  const why = suspension(snapshot, DNSVerified);
  if (why !== null) return withdrawn(suspendRoute(snapshot, why.message), why.reason);
  if (snapshot.claimRelation.kind === 'Releasing')
    return withdrawn(withdrawRoute(snapshot, withdrawnReasons.ProvenElsewhere.sentence()), 'ProvenElsewhere');
  if (isHeldBack(snapshot)) return heldBack(snapshot.now);
  const mayCreate = snapshot.claimRelation.kind === 'Held' && isTrue(snapshot.accepted) && isTrue(DNSVerified);
  const { certificate, issued } = decideCertificateOrOwn(snapshot, () =>
    snapshot.certManagerUnavailable
      ? whileCertManagerUnavailable(snapshot)
      : decideCertificate(snapshot, { mayCreate }),
  );
  const answersToken = snapshot.checks.token !== null;
  const isDelegated = snapshot.checks.routedBy === 'delegation';
  return { certificate, route: decideRoute(snapshot, issued, { mayCreate, answersToken, isDelegated }) };
}

const isHeldBack = (snapshot: EvaluatedProjectDomain): boolean =>
  snapshot.claimRelation.kind === 'Held' && isNewBehindOpenGateway(snapshot, snapshot.classes.wanted);

function heldBack(now: number): Serving {
  return {
    certificate: { ...findingOnly(unknown('Waiting', whyHeldBack)), overdueAt: now + heldBackForMs },
    route: { finding: unknown('HeldBack', whyHeldBack), writes: [] },
  };
}

function withdrawn(step: RouteStep, why: WithdrawnReason): Serving {
  const finding = no('Withdrawn', step.finding.message);
  return { certificate: findingOnly(finding), route: step, withdrawn: why };
}

/** Works out once what several steps ask of a snapshot. Pure. */
export function evaluateProjectDomain(snapshot: ProjectDomainSnapshot): EvaluatedProjectDomain {
  const issued = findingIn(snapshot.before.CertificateIssued, certificateReasons);
  return Object.freeze({
    ...snapshot,
    checks: checkStatusAfter(snapshot),
    issuedBefore: issued && isTrue(issued) ? issued : null,
    ownUse: ownUseOf(snapshot),
    serving: servingClasses(snapshot),
    lostRoute: lostRouteOf(snapshot),
    ofEdge: routeFindingsOf(snapshot),
  });
}

/**
 * The check status with this reconcile's Verify request and check included. A request is answered by a check that began after it was seen, or at
 * once where DNS is not checked at all. Failures are counted of a name that is held, as
 * it can be lost, and proofs of one that is not, as it can be won.
 */
function checkStatusAfter(snapshot: ProjectDomainSnapshot): CheckStatus {
  const { checkStatus, claimRelation, verify: request, verdict, now } = snapshot;
  const isAnswered = verdict !== null || !isVerifiable(snapshot);
  const acknowledged =
    request.kind === 'asked' && isAnswered ? { ...checkStatus, verifySeen: request.value } : checkStatus;
  const started = request.kind === 'asked' && request.fresh ? { ...acknowledged, startedAt: now } : acknowledged;
  const checked = verdict ? withVerdict(started, verdict, now) : started;
  const counted = claimRelation.kind === 'Held' ? { successes: 0 } : { failures: 0 };
  return { ...checked, ...counted, token: publishedToken(snapshot) };
}
