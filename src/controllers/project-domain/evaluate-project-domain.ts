import { findingIn, isTrue } from '../../rules/conditions.ts';
import { certificateReasons } from '../../rules/codes/certificate-reasons.ts';
import type { CheckStatus } from './check-status.ts';
import { withVerdict } from './check-status.ts';
import { isVerifiable } from './check-due.ts';
import { servingClasses } from './domain-classes.ts';
import { lostRouteOf } from './lost-route.ts';
import { ownUseOf } from './own-certificate/own-use.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { routeFindingsOf } from './route-issues.ts';
import { publishedToken } from './token-evidence.ts';

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
