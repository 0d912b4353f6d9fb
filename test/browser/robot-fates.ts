import type { NextStep } from '../../src/rules/next-step.ts';
import type { StepKind } from '../../src/rules/codes/code-rows.ts';
import type { DomainReason } from '../../src/rules/domain-state.ts';
import type { DnsCode } from '../../src/rules/verdict-codes.ts';

/**
 * For every reason and verdict code: the robot's cases that end it, or who acts instead and what proves the way there.
 * A new reason does not compile without its line; a verdict code has none where a name of test/corpus gives it, whose advice is followed there.
 */
type Fates = Readonly<Record<Exclude<DomainReason, DnsCode>, Fate> & Partial<Record<DnsCode, Fate>>>;

type Fate =
  | { readonly cases: readonly string[] }
  | {
      readonly who: NextStep['actor'];
      /** the primary action of its page; null where there is none */
      readonly action: StepKind | null;
      readonly because: string;
    };

const by = (...cases: readonly string[]): Fate => ({ cases });
const others = (who: NextStep['actor'], action: StepKind | null, because: string): Fate => ({ who, action, because });

const passing = (who: 'Platform' | 'Authority') =>
  others(who, null, 'it passes: every case goes through it or beside it');
const counted = others('Authority', null, 'a limit that only time ends; the page says until when');
const sent = others('Owner', 'replace-certificate', 'certificates are sent by the API alone; test/e2e/own-certificate');
const unseen = 'the API and the dashboard refuse such a name before there is an object';

export const fates: Fates = Object.freeze({
  Accepted: passing('Platform'),
  AccountNotFound: others('Platform', null, 'whoever runs the platform made no account: nobody can sign in to it'),
  PlanNotFound: others('Platform', null, 'whoever runs the platform deleted a plan that accounts have'),
  ProjectNotFound: others('Owner', 'remove', 'its project has no page; the API and kubectl show it'),
  PlanUpgradeRequired: by('plan'),
  NotDeployed: by('deploy'),
  DomainCapReached: by('cap'),
  PrimaryExists: by('second'),
  HostnameInUse: others('Owner', 'remove', 'two objects have one hostname, whose page shows the one that is served'),
  PrepareUnavailable: others('Owner', 'remove', 'the form offers it only where it is possible; test/unit/controllers'),
  RedirectToSelf: by('self'),
  RedirectToRedirect: by('onward'),
  RedirectToForeign: by('foreign'),
  InvalidHostname: others('Owner', 'remove', unseen),
  WildcardHostname: others('Owner', 'remove', unseen),
  IPLiteral: others('Owner', 'remove', unseen),
  PublicSuffix: by('suffix'),
  PlatformHostname: by('platforms'),
  Waiting: passing('Platform'),
  Verified: passing('Authority'),
  HeldElsewhere: by('held'),
  OverlapsElsewhere: others('Owner', 'remove', 'another account has what overlaps; test/unit/controllers'),
  Transferring: passing('Platform'),
  OneServerAlone: others('DnsHost', null, 'servers of the zone are silent; test/e2e/outage'),
  Unreachable: others('Registrar', 'verify', 'thirty days of silence, after which the name servers are wrong'),
  WriteRefused: others('Platform', null, 'the cluster refuses the operator something; test/cluster/refusals'),
  Issued: passing('Platform'),
  Issuing: passing('Authority'),
  IssuanceFailed: others('Authority', null, 'it is tried again automatically; test/e2e/orders'),
  IssuanceOverdue: by('overdue'),
  CAAForbids: by('caa-other', 'caa-account', 'caa-method', 'caa-malformed', 'caa-critical'),
  CAAUnknown: others('DnsHost', null, 'servers do not answer CAA queries; test/corpus'),
  DNSWrongNow: by('degraded'),
  DNSUnknownNow: others('DnsHost', null, 'servers of the zone are silent; test/e2e/outage'),
  DNSSECBroken: others('Registrar', 'verify', 'a DS record is at the registrar; test/e2e/dnssec'),
  NotCorroborated: others('DnsHost', null, 'servers of the zone are silent; test/e2e/outage'),
  NotSwitched: others('Owner', 'records', 'thirty days without a switch; test/unit/controllers'),
  RequestMismatch: others('Platform', null, 'somebody with rights in the cluster changed a request'),
  IssuanceLimited: counted,
  LedgerNameFull: counted,
  LedgerDomainFull: counted,
  LedgerIssuerFull: counted,
  LedgerShareUsed: counted,
  AuthoritySaysWait: counted,
  AuthorityUnavailable: counted,
  OwnCertificate: others('Nobody', null, 'it is Live'),
  OwnCertificateEnding: sent,
  OwnCertificateEnded: sent,
  OwnCertificateNotHeld: sent,
  OwnCertificateMissing: sent,
  OwnCertificateRefused: sent,
  ForeignCertificate: passing('Platform'),
  Withdrawn: by('suspended'),
  SuspendedByAdministrator: others('Platform', null, 'whoever runs the platform lifts it; test/conformance'),
  LedElsewhere: by('suspended'),
  NotAllowed: others('Owner', 'verify', 'a plan or a project that allows it again; test/unit/controllers'),
  ParentDeleted: others('Platform', null, 'what it stands on is being deleted; test/unit/controllers'),
  ProvenElsewhere: others('Owner', 'verify', 'another account has the name; test/e2e/transfer'),
  Routed: others('Nobody', null, 'it is Live'),
  ReadyToSwitch: others('Owner', 'records', 'the switch of a prepared domain; test/e2e/prepare'),
  NotAnswering: passing('Platform'),
  HeldBack: others('Platform', null, 'whoever runs the platform lets others attach to its Gateway; test/conformance'),
  NotAsked: others('Platform', null, 'CAA of a platform without an authority of its own: nothing is asked'),
  UrlInValue: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  QuotedValue: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  ZoneInValue: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  MistypedTarget: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  NotRegistered: others('Registrar', 'verify', 'a domain that no registry knows; test/corpus'),
  RecordAtOtherName: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  RecordMissing: by('missing', 'apex', 'plain-apex', 'caa-harmless', 'pair'),
  WrongTarget: by('wrong', 'dangling', 'wildcard-alias'),
  OtherProjectTarget: by('other-project'),
  BareCnameDomain: by('bare'),
  CdnNeedsOriginCertificate: others('Cdn', 'verify', 'a setting of the CDN; test/e2e/cdn'),
  CdnRedirectLoop: others('Cdn', 'verify', 'a setting of the CDN; test/e2e/cdn'),
  CdnForbids: others('Cdn', 'verify', 'a setting of the CDN; test/e2e/cdn'),
  BehindCdn: others('Cdn', 'verify', 'a setting of the CDN; test/e2e/cdn'),
  StrayAddress: by('stray', 'private', 'several', 'wildcard', 'beside', 'apex-mail', 'degraded'),
  SeveralCnames: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  CnameAtApex: by('apex-alias'),
  DoubledZone: by('doubled'),
  AliasLoop: by('loop'),
  TooManyAliases: by('chain'),
  DelegationsDiffer: others('DnsHost', null, 'servers above the zone; test/corpus'),
  ServersDisagree: others('DnsHost', null, 'one server is behind; test/corpus'),
  DnssecBogus: others('Registrar', 'verify', 'a DS record is at the registrar; test/e2e/dnssec'),
  DnssecUnchecked: others('Platform', null, 'a warning about the platform’s own resolvers'),
  LameDelegation: by('lame'),
  NoUsableAnswer: by('silent'),
  TypeUnanswered: others('DnsHost', null, 'servers that fail for one type; test/corpus'),
  SomeServersSilent: others('DnsHost', null, 'a warning; nothing is blocked'),
  FormerEdge: others('Owner', 'records', 'a warning while a project moves between edges; test/e2e/edges'),
  StaleHttpsHints: others('Owner', 'records', 'a warning; test/unit/dns'),
  VantagePointsDisagree: others('DnsHost', null, 'records spread, or answers differ by place; test/faults/vantage'),
  VantagePointSilent: others('Platform', null, 'the platform’s own vantage point; test/faults/vantage'),
  TxtQuoted: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  TxtBareToken: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  TxtMistyped: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  TxtAtOtherName: others('Owner', 'records', 'a mistake that is named; test/corpus'),
  TxtMissing: others('Owner', 'records', 'a name that needs a TXT record beside its own; test/corpus'),
  NotByCname: by('unproved', 'wildcard-own'),
  TxtWrong: by('proved-once'),
  HostnameTooLongForTxt: by('too-long'),
  DelegationMissing: others('Owner', 'records', 'a prepared domain; test/e2e/prepare'),
  DelegationWrong: others('Owner', 'records', 'a prepared domain; test/e2e/prepare'),
  ChallengeNameInUse: others('Owner', 'records', 'a prepared domain; test/unit/dns'),
  CaaForbidsAuthority: by('caa-other'),
  CaaForbidsAccount: by('caa-account'),
  CaaForbidsMethod: by('caa-method'),
  CaaMalformed: by('caa-malformed'),
  CaaCriticalUnknown: by('caa-critical'),
});
