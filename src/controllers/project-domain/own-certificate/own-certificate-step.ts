import { earliest } from '../../../controller-runtime/actions.ts';
import type { Finding } from '../../../rules/conditions.ts';
import { findingsOf } from '../../../rules/conditions.ts';
import { seconds } from '../../../rules/check-schedule.ts';
import type { OwnCertificate } from '../../../rules/own-certificate.ts';
import { endingAt, ownPhase } from '../../../rules/own-certificate.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';
import type { CertificateStep } from '../steps/certificate-step.ts';
import { findingOnly } from '../steps/certificate-step.ts';
import { ownEnded } from './own-use.ts';

const { unknown, yes } = findingsOf(certificateReasons);

export interface CertificateDecision {
  readonly certificate: CertificateStep;
  /** what the route is decided by: the certificate that it is to name, or the one that stands in for it */
  readonly issued: Finding;
}

/**
 * Decides between a certificate of the customer's own and one that is ordered. While its own can be served, nothing is ordered; where it
 * cannot, `automatic` orders one in its place, and the condition says so. Without any of its own this is `automatic` alone.
 */
export function decideCertificateOrOwn(
  snapshot: EvaluatedProjectDomain,
  automatic: () => CertificateStep,
): CertificateDecision {
  const { own, ownUse, claimRelation } = snapshot;
  if (own === null) return ordered(automatic());
  const { certificate, issued } =
    claimRelation.kind === 'Held' ? decideOwn(snapshot, own.wanted, automatic) : ordered(automatic());
  const routeEnds = ownUse.isRouteOver ? null : own.routedUntil;
  return { issued, certificate: { ...certificate, overdueAt: earliest(certificate.overdueAt, routeEnds) } };
}

const ordered = (certificate: CertificateStep): CertificateDecision => ({ certificate, issued: certificate.finding });

function decideOwn(
  snapshot: EvaluatedProjectDomain,
  wanted: OwnCertificate | null,
  automatic: () => CertificateStep,
): CertificateDecision {
  const { trouble } = snapshot.ownUse;
  if (!trouble) return ordered(wanted ? ownStep(snapshot, wanted) : whileReturning(snapshot, automatic()));
  const step = automatic();
  return { issued: step.finding, certificate: { ...step, finding: trouble } };
}

/** How long the operator knows of a Secret before a route names it: ingress controllers have it by then. */
const settlesFor = 2 * seconds;

function ownStep(snapshot: EvaluatedProjectDomain, wanted: OwnCertificate): CertificateStep {
  const { now, ownSecretIsThere, ownUse, issuedBefore } = snapshot;
  if (!ownUse.isRoutable) {
    const waiting = unknown('Waiting', 'the certificate that was sent is taken over within seconds');
    return { ...findingOnly(issuedBefore ?? waiting), overdueAt: ownSecretIsThere ? now + settlesFor : null };
  }
  const overdueAt = [endingAt(wanted), Date.parse(wanted.notAfter)].find((time) => time > now) ?? null;
  switch (ownPhase(wanted, now)) {
    case 'Ended':
      return findingOnly(ownEnded());
    case 'Ending': {
      const reason = 'OwnCertificateEnding';
      const finding = yes(reason);
      return { ...findingOnly(finding), waiting: { request: null, reason, until: null }, overdueAt };
    }
    case 'InUse':
      return { ...findingOnly(yes('OwnCertificate')), overdueAt };
  }
}

/** On the way back to automatic certificates its own is served until the first of them is there, so nothing is wrong meanwhile. */
function whileReturning(snapshot: EvaluatedProjectDomain, step: CertificateStep): CertificateStep {
  if (snapshot.own?.routed === null || snapshot.ownUse.isRouteOver || step.finding.reason !== 'Issuing') return step;
  return { ...step, finding: snapshot.issuedBefore ?? step.finding };
}
