import type { HostnameCode } from './hostname.ts';
import type { DnsCode } from './verdict-codes.ts';

/** Our reasons by the condition that has them, with their meaning in one line; docs/reference is generated from it. */
type Meanings = Readonly<Record<string, string>>;

/**
 * Any condition that has to wait for a write: the cluster refused it, and the message says why. True while what was there before the write
 * still holds, as with a change of a route that answers.
 */
export const refusedReasons = {
  WriteRefused:
    'The cluster refused something that the operator has to write; the message says what, why and who acts.',
} as const satisfies Meanings;

/** ProjectDomain, Accepted: the results of the acceptance rules. */
export const acceptedReasons = {
  Accepted: 'The domain may be served.',
  AccountNotFound: 'The namespace carries no account label, or that Account is missing or still being set up.',
  PlanNotFound: "The account's Plan does not exist.",
  ProjectNotFound: 'The Project that the domain names does not exist in its namespace.',
  PlanUpgradeRequired: "The account's plan does not include custom domains.",
  NotDeployed: 'The project was never deployed: its Service has never had a ready endpoint.',
  DomainCapReached: 'The project has as many domains as the plan allows, and the others take precedence.',
  PrimaryExists: 'The project has another primary domain, which takes precedence.',
  HostnameInUse: 'Another object of the same account has the hostname.',
  PrepareUnavailable: 'The domain asks to be prepared before its switch, and this platform does not do that.',
  RedirectToSelf: 'The redirect leads to itself.',
  RedirectToRedirect: "The redirect's destination is itself a redirect.",
  RedirectToForeign: "The redirect's destination is not a hostname of the same project.",
} as const satisfies Meanings;

/** ProjectDomain, OwnershipVerified and DNSVerified, in addition to the verdict codes. */
export const verifiedReasons = {
  Verified: 'The records are in place, or ownership is proven.',
  Waiting: 'No check has finished yet, or an earlier step is blocked.',
  HeldElsewhere: 'Another account has proved the hostname; a TXT record decides.',
  OverlapsElsewhere: 'Another account holds the wildcard above the hostname, or a hostname that the wildcard includes.',
  Transferring: 'The hostname moves between accounts: the old route is being withdrawn.',
  OneServerAlone: 'Only one name server has confirmed the records; a new hostname needs two.',
  Unreachable: 'The name servers of a served hostname have not given a usable answer for thirty days.',
} as const satisfies Meanings;

/** ProjectDomain, CertificateIssued. */
export const certificateReasons = {
  ...refusedReasons,
  Issued: 'The certificate is issued.',
  Waiting: 'An earlier step is blocked, or cert-manager does not answer.',
  Issuing: 'The certificate is being issued.',
  IssuanceFailed: 'The certificate authority refused; the message quotes its answer.',
  IssuanceOverdue: 'Half an hour has passed without a certificate; Verify makes a new attempt.',
  CAAForbids: 'A CAA record forbids the order.',
  CAAUnknown: 'The CAA records could not be read, so nothing is ordered.',
  DNSWrongNow: 'The last DNS check found wrong records: the route stays for a while, but nothing is ordered.',
  DNSUnknownNow: 'The last DNS check was inconclusive, so nothing is ordered.',
  DNSSECBroken: 'The DNSSEC signatures are not valid, so the authority would refuse; a renewal that is due waits too.',
  NotCorroborated: 'Only one name server confirmed the records, although the zone has others.',
  NotSwitched:
    'The hostname was prepared thirty days ago and still leads to its former server, so nothing is ordered any more.',
  RequestMismatch: 'The CertificateRequest does not match what our Certificate asks for.',
  IssuanceLimited: 'Too many failed authorizations of this hostname, in an hour or in a row.',
  LedgerNameFull: 'As many certificates as the authority allows were issued for this hostname.',
  LedgerDomainFull: 'As many certificates as the authority allows were issued below the registered domain.',
  LedgerIssuerFull: "Every order of the issuer's window is used.",
  LedgerShareUsed: "The account's share of the issuer's window is used.",
  AuthoritySaysWait: 'The certificate authority itself named a time before which it accepts no order.',
  AuthorityUnavailable:
    'No account can be ordered with: its authority does not answer, or does not accept it, and no other one may issue.',
  OwnCertificate: "A certificate of the customer's own is in place. It is not renewed automatically.",
  OwnCertificateEnding: "The certificate of the customer's own ends soon, and nothing replaces it automatically.",
  OwnCertificateEnded: "The certificate of the customer's own has ended. It is still served.",
  OwnCertificateNotHeld:
    "Another account holds a hostname that the certificate of the customer's own names: one is ordered in its place.",
  OwnCertificateRefused:
    "The certificate of the customer's own is no longer taken, by rules that were added since it was sent: one is ordered in its place.",
  ForeignCertificate: 'The hostname answers with a certificate that is not its own, so its visitors may be warned.',
  OwnCertificateMissing:
    "The certificate of the customer's own is not there, or was not sent by the API: one is ordered in its place.",
  Withdrawn: 'The domain is suspended or moves to another account: renewal has stopped.',
} as const satisfies Meanings;

/** ProjectDomain and Project, Routed. */
export const routedReasons = {
  ...refusedReasons,
  Routed: 'The hostname answers with its certificate.',
  Waiting: 'An earlier step is blocked.',
  ReadyToSwitch:
    'Certificate and route are there, and the hostname still leads to its former server: it can be switched at any time.',
  NotAnswering: 'The route is in place, but the hostname does not answer with the expected certificate yet.',
  ForeignCertificate: 'The hostname answers with a certificate that is not its own, so its visitors may be warned.',
  HeldBack: 'The platform serves no new hostname until only the operator can attach them to its Gateway.',
  Withdrawn: 'The route was withdrawn: the domain is suspended or moves to another account.',
} as const satisfies Meanings;

/** ProjectDomain, Ready of one that is Suspended: why, where Routed and CertificateIssued say Withdrawn. */
export const withdrawnReasons = {
  SuspendedByAdministrator: 'An administrator suspended the hostname; the message has their words.',
  LedElsewhere: 'The hostname has pointed somewhere else for seven days.',
  NotAllowed: 'The domain has not been accepted for seven days.',
  ParentDeleted: 'What the domain stands on, such as its project, is being deleted.',
  ProvenElsewhere: 'Another account has proved the hostname.',
} as const satisfies Meanings;

/** Project, Accepted. */
export const projectAcceptedReasons = {
  Accepted: 'The project is served at its platform hostname.',
  AccountNotFound: 'The namespace belongs to no Account that is ready.',
  InvalidSubdomain: 'The subdomain is not one DNS label.',
  SubdomainReserved:
    'The project asks by name for a subdomain that the platform keeps for itself, or has one from before it was kept.',
  SubdomainTaken: 'The project asks by name for a subdomain that another project has.',
} as const satisfies Meanings;

/** Project, Deployed. */
export const deployedReasons = {
  Deployed: 'The Service has had a ready endpoint once; that is remembered.',
  NotDeployed: 'The Service has had no ready endpoint yet.',
} as const satisfies Meanings;

/** Project, DomainsDeclared. */
export const declaredReasons = {
  ...refusedReasons,
  DomainsDeclared: 'Every entry of spec.domains is a ProjectDomain.',
  DeclaredElsewhere: 'A stand-alone ProjectDomain has the hostname of an entry, and wins over it.',
  DomainCapReached: 'The account has as many domains as it may have, so some entries are not created.',
} as const satisfies Meanings;

/** Account, PlanFound. */
export const planReasons = {
  ...refusedReasons,
  PlanFound: "The account's Plan exists.",
  PlanNotFound: "The account's Plan does not exist.",
} as const satisfies Meanings;

/** Account, NamespaceReady. */
export const namespaceReasons = {
  NamespaceReady: "The account's namespace exists, and the operator has its rights there.",
  NamespaceMissing: 'No namespace carries the label of the account.',
  RightsMissing:
    "The operator may not create or delete Secrets in the account's namespace: a hostname cannot leave the account.",
} as const satisfies Meanings;

/** Account, IssuerGuarded. */
export const issuerReasons = {
  IssuerGuarded: "Nothing is ordered from our issuer without the operator's approval.",
  ApprovedElsewhere: 'cert-manager approves requests to our issuer automatically, so DNS is not checked first.',
  SecretsOwned: 'cert-manager deletes a Secret with its Certificate, so a hostname that returns needs a new order.',
  CertManagerNotFound: 'cert-manager was not found where the configuration says it is.',
} as const satisfies Meanings;

/** Account, GatewayGuarded. */
export const gatewayReasons = {
  GatewayGuarded: 'Nobody but the operator can attach hostnames to the Gateway.',
  GatewayOpen: 'Others can attach hostnames to the Gateway, so no new one is served.',
  GatewayNotFound: 'The Gateway does not exist, so no new hostname is served.',
} as const satisfies Meanings;

/** ApiKey, Ready. */
export const apiKeyReasons = {
  ...refusedReasons,
  Ready: 'The key can be used.',
  AccountNotFound: "The key's Account does not exist.",
  NamespaceMissing: 'The account has no namespace, where the Secret with a generated key would go.',
} as const satisfies Meanings;

/** AcmeIssuer, Ready. */
export const acmeIssuerReasons = {
  ...refusedReasons,
  Registered: 'An account can be used.',
  KeyMissing: 'The key that the account had before, or one that the authority gave, is not in its Secret.',
  KeyUnreadable: 'A Secret holds something else than a key that can be used.',
  RightsMissing: "The operator may not read a Secret: it is not among the chart's issuer.accountSecrets.",
  AuthorityUnreachable: 'The certificate authority does not answer as one; it is asked again every minute.',
  AuthorityRefused: 'The certificate authority refuses the account; the message quotes its answer.',
} as const satisfies Meanings;

/** Account and Project, Ready, where nothing blocks. */
export const readyReasons = {
  ...refusedReasons,
  Ready: 'Everything is in place.',
} as const satisfies Meanings;

/**
 * Events about a ProjectDomain, in addition to the one for each new state, whose reason is the state; those of revoked certificates about
 * the HostnameClaim, where they were a former holder's.
 */
export const eventReasons = {
  VerifyIgnored: 'The annotation that requests a check is not a time.',
  RenewedOnLastKnownAnswer:
    'A certificate that was about to expire was renewed although it was unknown whether the hostname still points here.',
  ForeignCertificate: 'The hostname answers with a certificate that is not its own.',
  OwnCertificateRefused: "A certificate of the customer's own is no longer taken, and one is ordered in its place.",
  CertificateRevoked: 'The certificate authority revoked a certificate, as an administrator or a transfer demanded.',
  WriteRefused: refusedReasons.WriteRefused,
  IngressElsewhere: 'An Ingress that is not the operator’s has the hostname of a claim too; the message names it.',
  CertificateNotRevoked: 'A certificate that was to be revoked cannot be; the message says why.',
} as const satisfies Meanings;

export type AcceptedReason = keyof typeof acceptedReasons | HostnameCode;
export type VerifiedReason = keyof typeof verifiedReasons | DnsCode;
export type CertificateReason = keyof typeof certificateReasons;
export type RoutedReason = keyof typeof routedReasons;
export type WithdrawnReason = keyof typeof withdrawnReasons;
export type ProjectAcceptedReason = keyof typeof projectAcceptedReasons;
export type DeployedReason = keyof typeof deployedReasons;
export type DeclaredReason = keyof typeof declaredReasons;
type ReadyReason = keyof typeof readyReasons;
export type ProjectReason = ProjectAcceptedReason | DeployedReason | DeclaredReason | RoutedReason | ReadyReason;
export type PlanReason = keyof typeof planReasons;
export type NamespaceReason = keyof typeof namespaceReasons;
export type IssuerReason = keyof typeof issuerReasons;
export type GatewayReason = keyof typeof gatewayReasons;
export type AccountReason = PlanReason | NamespaceReason | IssuerReason | GatewayReason | ReadyReason;
export type ApiKeyReason = keyof typeof apiKeyReasons;
export type AcmeIssuerReason = keyof typeof acmeIssuerReasons;
export type EventReason = keyof typeof eventReasons;

/** Every reason that a condition of ours can have. */
export type Reason =
  | AcceptedReason
  | VerifiedReason
  | CertificateReason
  | RoutedReason
  | WithdrawnReason
  | ProjectReason
  | AccountReason
  | ApiKeyReason
  | AcmeIssuerReason;
