import { exceededQuota, isQuotaNotCountedYet } from '../resources/object-limits.ts';
import { statusOf } from './writes/write-turn.ts';
import { Problem, tryLater } from './problem.ts';
import { issueSentence } from '../rules/issue-params.ts';
import type { RefusalCode } from '../rules/codes/refusal-codes.ts';
import type { Refusal } from '../rules/write-refusal.ts';
import { refusalOf } from '../rules/write-refusal.ts';
import type { Rejection } from '../rules/acceptance.ts';
import type { ProblemCode } from './problem.ts';

/** The problem to respond with for an error; null for an unexpected one. */
export function problemOfError(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof URIError) return new Problem('malformed-request', 'the path has an invalid percent-encoding');
  if (!(error instanceof Error)) return null;
  const away = Object.hasOwn(unavailable, error.name) ? unavailable[error.name] : undefined;
  if (away) return tryLater(...away);
  const status = statusOf(error);
  return error.name === 'KubernetesError' && status !== null ? clusterProblem(status, error) : null;
}

/** The response to an unexpected error; the error itself is logged with the request's id. */
export const internalError = (): Problem =>
  new Problem('internal-error', 'try again in a minute; if it happens again, contact support and quote the request id');

/** The problem for an error of the kube-apiserver. A right that is missing is our fault, so it is unexpected: null. */
function clusterProblem(status: number, error: Error): Problem | null {
  const refusal = refusalOf(error);
  if (refusal && refusedElsewhere.has(refusal.code) && !isOursToSay(error)) return refused(refusal);
  if (status === 429 || status >= 500 || isQuotaNotCountedYet(error)) return tryLater(...clusterUnavailable);
  const full = exceededQuota(error);
  if (full)
    return new Problem(capCodes[full], 'the account has reached its maximum; remove one, or move to a higher plan');
  if (status === 409)
    return new Problem('conflict', 'someone else changed it at the same time; read it again and retry');
  if (status === 404) return new Problem('not-found', 'it no longer exists');
  return status === 400 || status === 422 ? new Problem('malformed-request', messageOf(error)) : null;
}

/** A quota, a policy or a webhook of the cluster's, or of the account's own namespace: it is not for the API to say what a caller sent wrong. */
const refusedElsewhere: ReadonlySet<RefusalCode> = new Set([
  'QuotaFull',
  'AdmissionDenied',
  'NamespaceEnding',
  'FieldsOwnedElsewhere',
] as const);

/** Limits that the API itself knows have codes of their own, and a quota that has not counted yet does so within seconds. */
const isOursToSay = (error: Error): boolean => exceededQuota(error) !== null || isQuotaNotCountedYet(error);

/** The cluster's own words stay in the log: they may name what the caller must not know of. */
function refused({ code, by }: Refusal): Problem {
  const what = issueSentence(code, { object: 'the change', by });
  return new Problem('write-refused', `${what}; nothing was changed: ask the people who run the platform`, {
    members: { refusal: code },
  });
}

const capCodes = { projects: 'project-cap-reached', domains: 'domain-cap-reached' } as const;

const clusterUnavailable = [
  'cluster-unavailable',
  'the platform’s cluster does not answer right now; nothing was lost, try again in a few seconds',
] as const;

/** What does not answer, by the names of its errors. */
const unavailable: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  TransportError: clusterUnavailable,
  SessionsUnavailable: [
    'sessions-unavailable',
    'we cannot confirm your sign-in right now; you stay signed in, try again in a few seconds',
  ],
  HandoverLinksUnavailable: [
    'links-unavailable',
    'links cannot be looked up right now; they stay valid, try again in a few seconds',
  ],
};

/** The kube-apiserver's message without the status and reason in front of it. */
const messageOf = ({ message }: Error): string => message.replace(/^\d+ \w+: /, '').slice(0, 1_024);

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
