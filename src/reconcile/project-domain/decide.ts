import type { Finding } from '../../model/condition.ts';
import { isTrue, no } from '../../model/condition.ts';
import { routed } from '../../model/reasons.ts';
import { domainState } from '../../model/state.ts';
import type { Action, Plan } from '../plan.ts';
import { earliest } from '../plan.ts';
import type { CheckMemory } from './memory.ts';
import { learn } from './memory.ts';
import { nextLook } from './due.ts';
import { announcementsOf, ownerStamp, statusAction } from './report.ts';
import type { DomainSnapshot } from './snapshot.ts';
import { accept } from './steps/accept.ts';
import { whileAway } from './steps/away.ts';
import type { CertificateStep } from './steps/certificate.ts';
import { issue, justSays } from './steps/certificate.ts';
import { claim } from './steps/claim.ts';
import type { RouteStep } from './steps/route.ts';
import { route, withdraw } from './steps/route.ts';
import type { VerifyFindings } from './steps/verify.ts';
import { verify } from './steps/verify.ts';
import { graceEnds, suspension } from './suspension.ts';

/**
 * From a snapshot to a plan: accept, verify, claim, certificate, route, in this order. Pure; everything that people
 * see of a ProjectDomain is decided here.
 */
export function decide(snapshot: DomainSnapshot): Plan {
  const memory = memoryAfter(snapshot);
  const Accepted = accept(snapshot);
  const proofs = verify(snapshot, memory, Accepted);
  const { certificate, route: path } = serve(snapshot, memory, { Accepted, ...proofs });
  const findings = { Accepted, ...proofs, CertificateIssued: certificate.finding, Routed: path.finding };
  const conclusion = { findings, memory, waiting: certificate.waiting };
  return {
    actions: [
      ...ownerStamp(snapshot),
      ...(isTrue(Accepted) ? claim(snapshot, memory) : []),
      ...path.actions.filter(({ verb }) => verb === 'remove'),
      ...certificate.actions,
      ...path.actions.filter(({ verb }) => verb !== 'remove'),
      statusAction(snapshot, conclusion),
    ],
    announcements: [...announcementsOf(snapshot, conclusion), ...certificate.announcements],
    revisitAt: earliest(
      nextLook(snapshot, memory, domainState(findings)),
      certificate.waiting.until,
      certificate.overdueAt,
      graceEnds(snapshot),
    ),
  };
}

/** Memory with this visit's Verify request and check taken in. */
function memoryAfter({ memory, verify: request, judgement, now }: DomainSnapshot): CheckMemory {
  const asked = request.kind === 'asked' ? { ...memory, verifySeen: request.value } : memory;
  const begun = request.kind === 'asked' && request.fresh ? { ...asked, startedAt: now } : asked;
  return judgement ? learn(begun, judgement, now) : begun;
}

interface Serving {
  readonly certificate: CertificateStep;
  readonly route: RouteStep;
}

function serve(snapshot: DomainSnapshot, memory: CheckMemory, before: VerifyFindings & { Accepted: Finding }): Serving {
  const why = suspension(snapshot, before.Accepted, before.DNSVerified);
  if (why !== null) return withdrawn(withdraw(snapshot, why));
  if (snapshot.standing.kind === 'Releasing')
    return withdrawn(withdraw(snapshot, 'another account proved this hostname'));
  const mayCreate = snapshot.standing.kind === 'Held' && isTrue(before.Accepted) && isTrue(before.DNSVerified);
  const certificate = snapshot.certManagerAway ? whileAway(snapshot) : issue(snapshot, memory, { mayCreate });
  return { certificate, route: route(snapshot, certificate.finding, { mayCreate }) };
}

function withdrawn(step: { finding: Finding; actions: readonly Action[] }): Serving {
  const finding = no(routed.Withdrawn, step.finding.message);
  return { certificate: justSays(finding), route: step };
}
