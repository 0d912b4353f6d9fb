import type { Rejection } from '../rules/acceptance.ts';
import type { ProblemCode } from './problem.ts';
import { Problem } from './problem.ts';

/** Which problem each reason of the acceptance rules is (rules/acceptance.ts). */
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
  RedirectToSelf: 'invalid-redirect',
  RedirectToRedirect: 'invalid-redirect',
  RedirectToForeign: 'invalid-redirect',
};

/** Every problem that the rules of acceptance can end a call with. */
export const rejectionCodes: readonly ProblemCode[] = [...new Set(Object.values(codes))];

/** The rules' objection as the problem that REST answers at once. */
export const problemOfFinding = ({ reason, message }: Rejection): Problem =>
  new Problem(codes[reason], message, { members: { reason } });
