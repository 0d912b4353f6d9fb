import type { HostnameCode } from './hostname.ts';
import type { DnsCode } from './verdict-codes.ts';

/** Every reason of ours, by the condition that carries it, with its meaning in one line: docs/reference is made of it. */
type Meanings = Readonly<Record<string, string>>;

/** ProjectDomain, Accepted: what the rules of acceptance say. */
export const acceptedReasons = {
  Accepted: 'The domain may be served.',
  AccountNotFound: 'The namespace carries no account label, or that Account is missing or still being set up.',
  PlanNotFound: "The account's Plan does not exist.",
  ProjectNotFound: 'The Project that the domain names does not exist in its namespace.',
  PlanUpgradeRequired: "The account's plan has no custom domains.",
  NotDeployed: 'The project was never deployed: its Service has had no ready endpoint.',
  DomainCapReached: 'The project has as many domains as the plan allows, and the others go first.',
  PrimaryExists: 'The project has another primary domain, which goes first.',
  HostnameInUse: 'Another object of the same account has the hostname.',
  RedirectToSelf: 'The redirect leads to itself.',
  RedirectToRedirect: "The redirect's destination is a redirect itself.",
  RedirectToForeign: "The redirect's destination is no hostname of the same project.",
} as const satisfies Meanings;

/** ProjectDomain, OwnershipVerified and DNSVerified, beside the verdict codes. */
export const verifiedReasons = {
  Verified: 'The proof holds.',
  Waiting: 'No check has finished yet, or something before it blocks.',
  HeldElsewhere: 'Another account proved the hostname; a TXT record decides.',
  Transferring: 'The hostname moves between accounts: the old route is being withdrawn.',
  OneServerAlone: 'The records are right by the word of one name server; a hostname begins with the word of two.',
  Unreachable: 'The name servers of a served hostname have given no usable answer for thirty days.',
} as const satisfies Meanings;

/** ProjectDomain, CertificateIssued. */
export const certificateReasons = {
  Issued: 'The certificate is issued.',
  Waiting: 'Something before the certificate blocks, or cert-manager does not answer.',
  Issuing: 'The certificate is being issued.',
  IssuanceFailed: 'The certificate authority refused; the message carries its words.',
  IssuanceOverdue: 'Half an hour went by without a certificate; Verify makes a fresh attempt.',
  CAAForbids: 'A CAA record forbids the order.',
  CAAUnknown: 'The CAA records could not be read, so nothing is ordered.',
  DNSWrongNow: 'The last check of DNS said no: the route stays for a while, but nothing is ordered.',
  DNSUnknownNow: 'The last check of DNS could not tell, so nothing is ordered.',
  NotCorroborated: 'One name server said yes, and the zone has others that did not.',
  RequestMismatch: 'The CertificateRequest is not the one that our Certificate makes.',
  IssuanceLimited: 'Too many failed authorizations of this hostname, in an hour or in a row.',
  LedgerNameFull: 'This hostname was issued as often as the authority allows.',
  LedgerDomainFull: 'Hostnames below the registered domain were issued as often as the authority allows.',
  LedgerIssuerFull: "Every order of the issuer's window is used.",
  LedgerShareUsed: "The account's share of the issuer's window is used.",
  AuthoritySaysWait: 'The certificate authority itself named a time before which it takes no order.',
  Withdrawn: 'The domain is suspended or moves to another account: renewal has stopped.',
} as const satisfies Meanings;

/** ProjectDomain and Project, Routed. */
export const routedReasons = {
  Routed: 'The hostname answers with its certificate.',
  Waiting: 'Something before the route blocks.',
  NotAnswering: 'The route is in place, but the hostname does not answer with the expected certificate yet.',
  Withdrawn: 'The route was withdrawn: the domain is suspended or moves to another account.',
} as const satisfies Meanings;

/** Project, Accepted. */
export const projectAcceptedReasons = {
  Accepted: 'The project is served at its platform hostname.',
  AccountNotFound: 'The namespace belongs to no Account that is ready.',
  InvalidSubdomain: 'The subdomain is not one DNS label.',
  SubdomainReserved: 'The platform keeps this subdomain for itself.',
  SubdomainTaken: 'Another project has this subdomain.',
} as const satisfies Meanings;

/** Project, Deployed. */
export const deployedReasons = {
  Deployed: 'The Service has had a ready endpoint once; that is remembered.',
  NotDeployed: 'The Service has had no ready endpoint yet.',
} as const satisfies Meanings;

/** Project, DomainsDeclared. */
export const declaredReasons = {
  DomainsDeclared: 'Every entry of spec.domains is a ProjectDomain.',
  DeclaredElsewhere: 'A ProjectDomain of its own has the hostname of an entry; it wins.',
  DomainCapReached: 'The account has as many domains as it may, so some entries are not made.',
} as const satisfies Meanings;

/** Account, PlanFound. */
export const planReasons = {
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
  IssuerGuarded: "Nothing is ordered of our issuer without the operator's approval.",
  ApprovedElsewhere: 'cert-manager approves requests of our issuer automatically, so DNS is not asked first.',
  SecretsOwned: 'cert-manager deletes a Secret with its Certificate, so a hostname that returns needs a new order.',
  CertManagerNotFound: 'cert-manager was not found where the configuration says.',
} as const satisfies Meanings;

/** ApiKey, Ready. */
export const apiKeyReasons = {
  Ready: 'The key can be used.',
  AccountNotFound: "The key's Account does not exist.",
  NamespaceMissing: 'The account has no namespace, where the Secret with a generated key would go.',
} as const satisfies Meanings;

/** Account and Project, Ready, where nothing blocks. */
export const readyReasons = {
  Ready: 'Everything is in place.',
} as const satisfies Meanings;

/** Events about a ProjectDomain, beside the one for each new state, whose reason is the state. */
export const eventReasons = {
  VerifyIgnored: 'The annotation that asks for a check is not a time, or lies in the future.',
  RenewedOnLastKnownAnswer:
    'A certificate that was about to expire was renewed although nobody could say whether DNS still leads here.',
} as const satisfies Meanings;

export type AcceptedReason = keyof typeof acceptedReasons | HostnameCode;
export type VerifiedReason = keyof typeof verifiedReasons | DnsCode;
export type CertificateReason = keyof typeof certificateReasons;
export type RoutedReason = keyof typeof routedReasons;
export type ProjectAcceptedReason = keyof typeof projectAcceptedReasons;
export type DeployedReason = keyof typeof deployedReasons;
export type DeclaredReason = keyof typeof declaredReasons;
type ReadyReason = keyof typeof readyReasons;
export type ProjectReason = ProjectAcceptedReason | DeployedReason | DeclaredReason | RoutedReason | ReadyReason;
export type PlanReason = keyof typeof planReasons;
export type NamespaceReason = keyof typeof namespaceReasons;
export type IssuerReason = keyof typeof issuerReasons;
export type AccountReason = PlanReason | NamespaceReason | IssuerReason | ReadyReason;
export type ApiKeyReason = keyof typeof apiKeyReasons;
export type EventReason = keyof typeof eventReasons;

/** What a condition of ours can carry. */
export type Reason =
  AcceptedReason | VerifiedReason | CertificateReason | RoutedReason | ProjectReason | AccountReason | ApiKeyReason;
