import type { Rejection } from '../rules/acceptance.ts';
import type { ProblemCode } from './problem.ts';
import { Problem } from './problem.ts';

/** The problem code of each reason of the acceptance rules (rules/acceptance.ts). */
const codes: Readonly<Record<Rejection['reason'], ProblemCode>> = {
  InvalidHostname: 'invalid-hostname',
  WildcardHostname: 'invalid-hostname',
  IPLiteral: 'invalid-hostname',
  PublicSuffix: 'invalid-hostname',
  PlatformHostname: 'invalid-hostname',
  AccountNotFound: 'account-not-ready',
  PlanNotFound: 'account-not-ready',
  ProjectNotFound: 'not-found',
  PlanUpgradeRequired: 'plan-upgrade-required',
  NotDeployed: 'project-not-deployed',
  DomainCapReached: 'domain-cap-reached',
  PrimaryExists: 'primary-exists',
  HostnameInUse: 'hostname-in-use',
  PrepareUnavailable: 'prepare-unavailable',
  RedirectToSelf: 'invalid-redirect',
  RedirectToRedirect: 'invalid-redirect',
  RedirectToForeign: 'invalid-redirect',
};

/** Every problem code that the acceptance rules can lead to. */
export const rejectionCodes: readonly ProblemCode[] = [...new Set(Object.values(codes))];

/** The same where nothing is prepared. */
export const rejectionCodesUnprepared: readonly ProblemCode[] = rejectionCodes.filter(
  (code) => code !== 'prepare-unavailable',
);

/** A rejection of the acceptance rules as the problem that REST responds with. */
export const problemOfFinding = ({ reason, message }: Rejection): Problem =>
  new Problem(codes[reason], message, { members: { reason } });
