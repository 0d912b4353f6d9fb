import { acceptedReasons, hostnameReasons } from './codes/accepted-reasons.ts';
import { certificateReasons } from './codes/certificate-reasons.ts';
import type { DomainCodeRow, IssueActor, Step, StepKind } from './codes/code-rows.ts';
import type { RefusalCode } from './codes/refusal-codes.ts';
import { routedReasons, withdrawnReasons } from './codes/routed-reasons.ts';
import type { RouteCode } from './codes/route-codes.ts';
import { verifiedReasons } from './codes/verified-reasons.ts';
import type { DomainReason, DomainState } from './domain-state.ts';
import { mostSpecific } from './headline.ts';
import { isWarning } from './issue-acts.ts';
import { issueCodes } from './issue-params.ts';

/** What decides about an issue's step. */
export interface StepIssue {
  readonly code: string;
  readonly severity: string;
  /** null in a status written by an older version */
  readonly act: string | null;
  readonly actor: IssueActor;
  readonly delete: readonly { readonly type: string }[];
  readonly create: readonly { readonly type: string }[];
}

/** What decides about a domain's step. */
export interface StepSubject<Issue extends StepIssue = StepIssue> {
  readonly state: DomainState;
  readonly reason: string;
  readonly issues: readonly Issue[];
  readonly waits: { readonly reason: string; readonly until: string | null } | null;
}

/** What a domain's step depends on beside the domain; times are RFC 3339. */
export interface StepContext {
  /** null if it is not known */
  readonly nextCheckAt: string | null;
  /** why the domain is not accepted; null if it is */
  readonly refusal: string | null;
  /** whether automatic checks have ended, so that only Verify starts them again */
  readonly checksEnded?: boolean;
}

/** The customer's next step; or, if `kind` is null, who acts instead and until when. */
export interface NextStep<Issue extends StepIssue = StepIssue> extends Step {
  /** when it is tried or checked again; RFC 3339, null if that is not known */
  readonly until: string | null;
  /** the issue that has to be resolved first; null if none decides */
  readonly issue: Issue | null;
}

const customer = (kind: StepKind, actor: IssueActor = 'Owner'): Step => ({ kind, actor });
const waiting = (actor: Step['actor']): Step => ({ kind: null, actor });

/** Why a domain is not accepted. */
const refused = { ...acceptedReasons, ...hostnameReasons };

/** Every reason that a domain can have, and every code of an issue. */
export const domainCodes: Readonly<Record<DomainReason | RouteCode | RefusalCode, DomainCodeRow>> = {
  ...refused,
  ...verifiedReasons,
  ...certificateReasons,
  ...routedReasons,
  ...withdrawnReasons,
  ...issueCodes,
};

/** Reasons and codes of another version have no step here: the platform is believed to go on with them. */
const stepOf = (reason: string): Step => (isKnownReason(reason) ? domainCodes[reason].step : waiting('Platform'));

/** Whether this version knows a reason of a domain. */
export const isKnownReason = (reason: string): reason is DomainReason | RouteCode | RefusalCode =>
  Object.hasOwn(domainCodes, reason);

/** Who acts next on a domain, and how. */
export function nextStepOf<Issue extends StepIssue>(
  domain: StepSubject<Issue>,
  { nextCheckAt, refusal, checksEnded = false }: StepContext,
): NextStep<Issue> {
  const { waits } = domain;
  const whatever = stepWhateverDns(domain, refusal);
  if (whatever !== null) return { ...whatever, until: null, issue: null };
  const issue = decidingIssue(domain.issues);
  const step = issue ? stepOfIssue(issue) : stepWithoutIssue(domain);
  // Verify does not end a wait for the authority.
  if (checksEnded && step.kind === null && step.actor !== 'Authority')
    return { ...customer('verify'), until: null, issue: null };
  return { ...step, until: step.actor === 'Authority' ? (waits?.until ?? null) : nextCheckAt, issue };
}

/** The step of a domain that nothing in DNS helps: others have ended it, or it is not accepted; null for any other. */
function stepWhateverDns({ state, reason }: StepSubject, refusal: string | null): Step | null {
  if (state === 'Suspended' && isOthersDecision(reason)) return stepOf(reason);
  const because = refusal ?? (reason !== 'Accepted' && Object.hasOwn(refused, reason) ? reason : null);
  return because === null ? null : refusedStep(state, because);
}

function stepWithoutIssue({ state, reason, waits }: StepSubject): Step {
  if (state === 'Suspended') return customer('verify');
  if (state !== 'Live') return stepOf(reason);
  return waits ? stepOf(waits.reason) : waiting('Nobody');
}

/** A project that vanishes while its domains are served will be restored: no domain is removed for that. */
const refusedStep = (state: DomainState, reason: string): Step =>
  state === 'Degraded' && reason === 'ProjectNotFound' ? waiting('Platform') : stepOf(reason);

/** Nothing in DNS ends it, and no check. */
const isOthersDecision = (reason: string): boolean =>
  reason === 'SuspendedByAdministrator' || reason === 'ParentDeleted';

/** The most specific error that the customer can resolve; or else the most specific one. */
function decidingIssue<Issue extends StepIssue>(issues: readonly Issue[]): Issue | null {
  const errors = issues.filter((issue) => !isWarning(issue));
  const own = errors.filter((issue) => stepOfIssue(issue).kind !== null);
  return mostSpecific(own.length > 0 ? own : errors, ({ code }) => code) ?? null;
}

/** Acts that are about no record and no name server. */
const stepOfAct: Readonly<Partial<Record<string, StepKind>>> = {
  UseShorterName: 'remove',
  SendCertificate: 'replace-certificate',
  DeployProject: 'deploy',
};

function stepOfIssue({ code, act, actor, create, ...issue }: StepIssue): Step {
  if (actor === 'DnsHost' || actor === 'Platform') return waiting(actor);
  if (act === null) return stepOf(code);
  const own = stepOfAct[act];
  if (own) return customer(own);
  if (create.length > 0) return customer(create.every(({ type }) => type === 'CAA') ? 'caa' : 'records', actor);
  return customer(issue.delete.length > 0 ? 'delete-records' : 'verify', actor);
}

/** A domain as its customer sees it, most urgent first: what it needs, not how far it has come. */
export const customerStatuses = ['NeedsAction', 'Offline', 'AtRisk', 'InProgress', 'Live'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

/**
 * A domain that is served is Live or AtRisk, one that was served is Offline. Any other either waits for its customer or
 * for somebody else.
 */
export function customerStatusOf(domain: StepSubject, context: StepContext): CustomerStatus {
  switch (domain.state) {
    case 'Suspended':
      return 'Offline';
    case 'Degraded':
      return 'AtRisk';
    case 'Live':
      return isThreatened(domain, context) ? 'AtRisk' : 'Live';
    case 'Pending':
    case 'Unverified':
    case 'Verified':
      return waitsForCustomer(domain, context) ? 'NeedsAction' : 'InProgress';
  }
}

const isThreatened = (domain: StepSubject, context: StepContext): boolean =>
  domain.issues.some((issue) => !isWarning(issue)) || waitsForCustomer(domain, context);

/** Exactly where its page has a button for them: a pill that says that others act would contradict it. */
const waitsForCustomer = (domain: StepSubject, context: StepContext): boolean =>
  nextStepOf(domain, context).kind !== null;
