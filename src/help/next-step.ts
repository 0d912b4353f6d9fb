import type { acceptedReasons } from '../rules/reasons.ts';
import type { HostnameCode } from '../rules/hostname.ts';
import type { IssueActor } from '../rules/issue-acts.ts';
import { isWarning } from '../rules/issue-acts.ts';
import type { DomainReason, DomainState } from '../rules/domain-state.ts';
import type { RefusalCode } from '../rules/refusal-codes.ts';
import type { RouteCode } from '../rules/route-codes.ts';
import { mostSpecific } from '../rules/headline.ts';

/**
 * What the customer has to do next, one at a time:
 * - records: create the records shown, and delete what is in their way; then check
 * - delete-records: delete the records shown; then check
 * - caa: create the CAA record shown; then check
 * - verify: change something that is not a record, such as the setup of a CDN, where anything is to be changed; then check
 * - upgrade, deploy, make-redirect, change-destination: what the acceptance rules ask for
 * - remove: this domain can never be served as it is
 * - replace-certificate: send another certificate of one's own, or go back to automatic ones
 */
export const stepKinds = [
  'records',
  'delete-records',
  'caa',
  'verify',
  'upgrade',
  'deploy',
  'make-redirect',
  'change-destination',
  'remove',
  'replace-certificate',
] as const;
export type StepKind = (typeof stepKinds)[number];

/** Authority: the certificate authority. Nobody: everything is done. */
type StepActor = IssueActor | 'Authority' | 'Nobody';

interface Rule {
  /** null where the customer cannot do anything */
  readonly kind: StepKind | null;
  readonly actor: StepActor;
}

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
export interface NextStep<Issue extends StepIssue = StepIssue> extends Rule {
  /** when it is tried or checked again; RFC 3339, null if that is not known */
  readonly until: string | null;
  /** the issue that has to be resolved first; null if none decides */
  readonly issue: Issue | null;
}

const customer = (kind: StepKind, actor: 'Owner' | 'Registrar' | 'Cdn' = 'Owner'): Rule =>
  Object.freeze({ kind, actor });
const waiting = (actor: 'DnsHost' | 'Platform' | 'Authority' | 'Nobody'): Rule => Object.freeze({ kind: null, actor });

const refused: Readonly<Record<Exclude<keyof typeof acceptedReasons, 'Accepted'> | HostnameCode, Rule>> = {
  AccountNotFound: waiting('Platform'),
  PlanNotFound: waiting('Platform'),
  ProjectNotFound: customer('remove'),
  PlanUpgradeRequired: customer('upgrade'),
  NotDeployed: customer('deploy'),
  DomainCapReached: customer('upgrade'),
  PrimaryExists: customer('make-redirect'),
  HostnameInUse: customer('remove'),
  PrepareUnavailable: customer('remove'),
  RedirectToSelf: customer('change-destination'),
  RedirectToRedirect: customer('change-destination'),
  RedirectToForeign: customer('change-destination'),
  InvalidHostname: customer('remove'),
  WildcardHostname: customer('remove'),
  IPLiteral: customer('remove'),
  PublicSuffix: customer('remove'),
  PlatformHostname: customer('remove'),
};

/** The step for a reason alone; issues are more exact. */
const ofReason: Readonly<Record<DomainReason | RouteCode | RefusalCode, Rule>> = {
  ...refused,
  Accepted: waiting('Platform'),
  Waiting: waiting('Platform'),
  Verified: waiting('Authority'),
  HeldElsewhere: customer('records'),
  OverlapsElsewhere: customer('remove'),
  Transferring: waiting('Platform'),
  OneServerAlone: waiting('DnsHost'),
  Unreachable: customer('verify', 'Registrar'),
  GatewayFull: waiting('Platform'),
  Issued: waiting('Platform'),
  Issuing: waiting('Authority'),
  IssuanceFailed: waiting('Authority'),
  IssuanceOverdue: customer('verify'),
  CAAForbids: customer('caa'),
  CAAUnknown: waiting('DnsHost'),
  DNSWrongNow: customer('records'),
  DNSUnknownNow: waiting('DnsHost'),
  DNSSECBroken: customer('verify', 'Registrar'),
  NotCorroborated: waiting('DnsHost'),
  NotSwitched: customer('records'),
  RequestMismatch: waiting('Platform'),
  IssuanceLimited: waiting('Authority'),
  LedgerNameFull: waiting('Authority'),
  LedgerDomainFull: waiting('Authority'),
  LedgerIssuerFull: waiting('Authority'),
  LedgerShareUsed: waiting('Authority'),
  AuthoritySaysWait: waiting('Authority'),
  AuthorityUnavailable: waiting('Authority'),
  OwnCertificate: waiting('Nobody'),
  OwnCertificateEnding: customer('replace-certificate'),
  OwnCertificateEnded: customer('replace-certificate'),
  OwnCertificateNotHeld: customer('replace-certificate'),
  OwnCertificateRefused: customer('replace-certificate'),
  OwnCertificateMissing: customer('replace-certificate'),
  ForeignCertificate: waiting('Platform'),
  Withdrawn: customer('verify'),
  SuspendedByAdministrator: waiting('Platform'),
  LedElsewhere: customer('verify'),
  NotAllowed: customer('verify'),
  ParentDeleted: waiting('Platform'),
  ProvenElsewhere: customer('verify'),
  Routed: waiting('Nobody'),
  ReadyToSwitch: customer('records'),
  NotAnswering: waiting('Platform'),
  HeldBack: waiting('Platform'),
  NotAsked: waiting('Platform'),
  UrlInValue: customer('records'),
  QuotedValue: customer('records'),
  ZoneInValue: customer('records'),
  MistypedTarget: customer('records'),
  NotRegistered: customer('verify', 'Registrar'),
  RecordAtOtherName: customer('records'),
  RecordMissing: customer('records'),
  WrongTarget: customer('records'),
  OtherProjectTarget: customer('records'),
  BareCnameDomain: customer('records'),
  CdnNeedsOriginCertificate: customer('verify', 'Cdn'),
  CdnRedirectLoop: customer('verify', 'Cdn'),
  CdnForbids: customer('verify', 'Cdn'),
  BehindCdn: customer('verify', 'Cdn'),
  StrayAddress: customer('records'),
  SeveralCnames: customer('records'),
  CnameAtApex: customer('records'),
  DoubledZone: customer('records'),
  AliasLoop: customer('records'),
  TooManyAliases: customer('records'),
  DelegationsDiffer: waiting('DnsHost'),
  ServersDisagree: waiting('DnsHost'),
  DnssecBogus: customer('verify', 'Registrar'),
  DnssecUnchecked: waiting('Platform'),
  LameDelegation: customer('verify', 'Registrar'),
  NoUsableAnswer: customer('verify', 'Registrar'),
  TypeUnanswered: waiting('DnsHost'),
  SomeServersSilent: waiting('DnsHost'),
  FormerEdge: customer('records'),
  StaleHttpsHints: customer('records'),
  VantagePointsDisagree: waiting('DnsHost'),
  VantagePointSilent: waiting('Platform'),
  TxtQuoted: customer('records'),
  TxtBareToken: customer('records'),
  TxtMistyped: customer('records'),
  TxtAtOtherName: customer('records'),
  TxtMissing: customer('records'),
  NotByCname: customer('records'),
  TxtWrong: customer('records'),
  HostnameTooLongForTxt: customer('remove'),
  DelegationMissing: customer('records'),
  DelegationWrong: customer('records'),
  ChallengeNameInUse: customer('records'),
  CaaForbidsAuthority: customer('caa'),
  CaaForbidsAccount: customer('caa'),
  CaaForbidsMethod: customer('caa'),
  CaaMalformed: customer('caa'),
  CaaCriticalUnknown: customer('caa'),
  HostnameConflicted: waiting('Platform'),
  ReferenceNotGranted: waiting('Platform'),
  CertificateNotAccepted: customer('replace-certificate'),
  BackendNotFound: customer('deploy'),
  RouteNotAccepted: waiting('Platform'),
  NoMatchingListener: waiting('Platform'),
  ListenerNotProgrammed: waiting('Platform'),
  EdgeSilent: waiting('Platform'),
  IngressElsewhere: waiting('Platform'),
  HostnameOverlaps: waiting('Platform'),
  WriteRefused: waiting('Platform'),
  QuotaFull: waiting('Platform'),
  AdmissionDenied: waiting('Platform'),
  AdmissionUnavailable: waiting('Platform'),
  WriteUnanswered: waiting('Platform'),
  OperatorForbidden: waiting('Platform'),
  FieldsOwnedElsewhere: waiting('Platform'),
  NameTaken: waiting('Platform'),
  NamespaceEnding: waiting('Platform'),
  ObjectRejected: waiting('Platform'),
};

/** Reasons and codes of another version have no rule here: the platform is believed to go on with them. */
const ruleOf = (reason: string): Rule => (isKnownReason(reason) ? ofReason[reason] : waiting('Platform'));

/** Whether this version knows a reason of a domain. */
export const isKnownReason = (reason: string): reason is DomainReason | RouteCode | RefusalCode =>
  Object.hasOwn(ofReason, reason);

/** Who acts next on a domain, and how. */
export function nextStepOf<Issue extends StepIssue>(
  domain: StepSubject<Issue>,
  { nextCheckAt, refusal, checksEnded = false }: StepContext,
): NextStep<Issue> {
  const { waits } = domain;
  const whatever = ruleWhateverDns(domain, refusal);
  if (whatever !== null) return { ...whatever, until: null, issue: null };
  const issue = decidingIssue(domain.issues);
  const rule = issue ? ruleOfIssue(issue) : ruleWithoutIssue(domain);
  // Verify does not end a wait for the authority.
  if (checksEnded && rule.kind === null && rule.actor !== 'Authority')
    return { ...customer('verify'), until: null, issue: null };
  return { ...rule, until: rule.actor === 'Authority' ? (waits?.until ?? null) : nextCheckAt, issue };
}

/** The rule of a domain that nothing in DNS helps: others have ended it, or it is not accepted; null for any other. */
function ruleWhateverDns({ state, reason }: StepSubject, refusal: string | null): Rule | null {
  if (state === 'Suspended' && isOthersDecision(reason)) return ruleOf(reason);
  const because = refusal ?? (Object.hasOwn(refused, reason) ? reason : null);
  return because === null ? null : refusedStep(state, because);
}

function ruleWithoutIssue({ state, reason, waits }: StepSubject): Rule {
  if (state === 'Suspended') return customer('verify');
  if (state !== 'Live') return ruleOf(reason);
  return waits ? ruleOf(waits.reason) : waiting('Nobody');
}

/** A project that vanishes while its domains are served will be restored: no domain is removed for that. */
const refusedStep = (state: DomainState, reason: string): Rule =>
  state === 'Degraded' && reason === 'ProjectNotFound' ? waiting('Platform') : ruleOf(reason);

/** Nothing in DNS ends it, and no check. */
const isOthersDecision = (reason: string): boolean =>
  reason === 'SuspendedByAdministrator' || reason === 'ParentDeleted';

/** The most specific error that the customer can resolve; or else the most specific one. */
function decidingIssue<Issue extends StepIssue>(issues: readonly Issue[]): Issue | null {
  const errors = issues.filter((issue) => !isWarning(issue));
  const own = errors.filter((issue) => ruleOfIssue(issue).kind !== null);
  return mostSpecific(own.length > 0 ? own : errors, ({ code }) => code) ?? null;
}

/** Acts that are about no record and no name server. */
const stepOfAct: Readonly<Partial<Record<string, StepKind>>> = {
  UseShorterName: 'remove',
  SendCertificate: 'replace-certificate',
  DeployProject: 'deploy',
};

function ruleOfIssue({ code, act, actor, create, ...issue }: StepIssue): Rule {
  if (actor === 'DnsHost' || actor === 'Platform') return waiting(actor);
  if (act === null) return ruleOf(code);
  const own = stepOfAct[act];
  if (own) return customer(own);
  if (create.length > 0) return customer(create.every(({ type }) => type === 'CAA') ? 'caa' : 'records', actor);
  return customer(issue.delete.length > 0 ? 'delete-records' : 'verify', actor);
}
