import { isTrue, no } from '../../rules/conditions.ts';
import type { Actions } from '../../controller-runtime/actions.ts';
import { earliest } from '../../controller-runtime/actions.ts';
import type { CheckStatus } from './check-status.ts';
import { withVerdict } from './check-status.ts';
import { nextCheckAt } from './check-due.ts';
import { conclude, domainStatusAction, eventsOf, writesOfOwner } from './project-domain-status.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { whileCertManagerUnavailable, decideCertificate, findingOnly } from './steps/certificate-step.ts';
import type { CertificateStep } from './steps/certificate-step.ts';
import { decideClaim } from './steps/claim-step.ts';
import type { RouteStep } from './steps/route-step.ts';
import { decideRoute, withdrawRoute } from './steps/route-step.ts';
import type { VerificationFindings } from './steps/verification-step.ts';
import { verificationFindings } from './steps/verification-step.ts';
import { graceEnds, suspension } from './suspension.ts';
import { publishedToken } from './token-evidence.ts';

/**
 * Turns a snapshot into actions: verify, claim, certificate, route, in this order. Pure; everything users see of a
 * ProjectDomain is decided here.
 */
export function decideProjectDomain(snapshot: ProjectDomainSnapshot): Actions {
  const checkStatus = checkStatusAfter(snapshot);
  const { accepted: Accepted } = snapshot;
  const proofs = verificationFindings(snapshot, checkStatus);
  const { certificate, route: path } = serve(snapshot, checkStatus, proofs);
  const findings = { Accepted, ...proofs, CertificateIssued: certificate.finding, Routed: path.finding };
  const conclusion = conclude(findings, checkStatus, certificate.waiting);
  return {
    writes: [
      ...writesOfOwner(snapshot),
      ...(isTrue(Accepted) ? decideClaim(snapshot, checkStatus) : []),
      ...path.writes.filter(({ verb }) => verb === 'remove'),
      ...certificate.writes,
      ...path.writes.filter(({ verb }) => verb !== 'remove'),
      domainStatusAction(snapshot, conclusion),
    ],
    events: [...eventsOf(snapshot, conclusion), ...certificate.events],
    requeueAt: earliest(
      nextCheckAt(snapshot, checkStatus, conclusion.state),
      certificate.waiting.until,
      certificate.overdueAt,
      graceEnds(snapshot),
    ),
  };
}

/** The check status with this reconcile's Verify request and check included. */
function checkStatusAfter(snapshot: ProjectDomainSnapshot): CheckStatus {
  const { checkStatus, verify: request, verdict, now } = snapshot;
  const acknowledged = request.kind === 'asked' ? { ...checkStatus, verifySeen: request.value } : checkStatus;
  const started = request.kind === 'asked' && request.fresh ? { ...acknowledged, startedAt: now } : acknowledged;
  const checked = verdict ? withVerdict(started, verdict, now) : started;
  return { ...checked, token: publishedToken(snapshot) };
}

interface Serving {
  readonly certificate: CertificateStep;
  readonly route: RouteStep;
}

function serve(
  snapshot: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
  { DNSVerified }: VerificationFindings,
): Serving {
  const why = suspension(snapshot, DNSVerified);
  if (why !== null) return withdrawn(withdrawRoute(snapshot, why));
  if (snapshot.claimRelation.kind === 'Releasing')
    return withdrawn(withdrawRoute(snapshot, 'another account proved this hostname'));
  const mayCreate = snapshot.claimRelation.kind === 'Held' && isTrue(snapshot.accepted) && isTrue(DNSVerified);
  const certificate = snapshot.certManagerUnavailable
    ? whileCertManagerUnavailable(snapshot)
    : decideCertificate(snapshot, checkStatus, { mayCreate });
  const answersToken = checkStatus.token !== null;
  return { certificate, route: decideRoute(snapshot, certificate.finding, { mayCreate, answersToken }) };
}

function withdrawn(step: RouteStep): Serving {
  const finding = no('Withdrawn', step.finding.message);
  return { certificate: findingOnly(finding), route: step };
}
