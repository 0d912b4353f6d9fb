/** Every reason a condition of ours can carry, one word each, by the condition it belongs to. */

export const acceptedReasons = {
  Accepted: 'Accepted',
  /** the namespace carries no account label, or that Account is missing */
  AccountNotFound: 'AccountNotFound',
  PlanNotFound: 'PlanNotFound',
  ProjectNotFound: 'ProjectNotFound',
  PlanUpgradeRequired: 'PlanUpgradeRequired',
  NotDeployed: 'NotDeployed',
  DomainCapReached: 'DomainCapReached',
  PrimaryExists: 'PrimaryExists',
  /** another project or object of the same account has the hostname */
  HostnameInUse: 'HostnameInUse',
  RedirectToSelf: 'RedirectToSelf',
  RedirectToRedirect: 'RedirectToRedirect',
  /** the redirect's destination is no hostname of the same project */
  RedirectToForeign: 'RedirectToForeign',
} as const;

export const verifiedReasons = {
  Verified: 'Verified',
  /** a check has not run yet, or something before it blocks */
  Waiting: 'Waiting',
  /** the name is held by another account; a TXT record decides */
  HeldElsewhere: 'HeldElsewhere',
  /** the name moves between accounts: the old route is being withdrawn */
  Transferring: 'Transferring',
  /** the records are right by the word of one name server; a name begins with the word of two */
  OneServerAlone: 'OneServerAlone',
  /** no check for seven days of trying; Verify starts it again */
  CheckingStopped: 'CheckingStopped',
} as const;

export const certificateReasons = {
  Issued: 'Issued',
  Waiting: 'Waiting',
  Issuing: 'Issuing',
  /** cert-manager tried and failed; the message carries its words */
  IssuanceFailed: 'IssuanceFailed',
  /** half an hour went by without a certificate; Verify makes a fresh attempt */
  IssuanceOverdue: 'IssuanceOverdue',
  CAAForbids: 'CAAForbids',
  CAAUnknown: 'CAAUnknown',
  /** the last look at DNS said no: routes stay for a while, orders do not */
  DNSWrongNow: 'DNSWrongNow',
  /** the last look at DNS could not tell */
  DNSUnknownNow: 'DNSUnknownNow',
  /** one name server said so, and the zone has more that did not */
  NotCorroborated: 'NotCorroborated',
  /** the CertificateRequest is not the one that our Certificate makes */
  RequestMismatch: 'RequestMismatch',
  /** the ledger says to wait: too many failed authorizations of this name, in an hour or in a row */
  IssuanceLimited: 'IssuanceLimited',
  /** this name was issued as often as the authority allows */
  LedgerNameFull: 'LedgerNameFull',
  /** names below the registered domain were issued as often as the authority allows */
  LedgerDomainFull: 'LedgerDomainFull',
  /** every order of the issuer's window is used */
  LedgerIssuerFull: 'LedgerIssuerFull',
  /** the account's share of the window is used */
  LedgerShareUsed: 'LedgerShareUsed',
  /** the authority itself named a time */
  AuthoritySaysWait: 'AuthoritySaysWait',
  Withdrawn: 'Withdrawn',
} as const;

export const routedReasons = {
  Routed: 'Routed',
  Waiting: 'Waiting',
  /** the route is in place but the hostname did not answer with the expected certificate yet */
  NotAnswering: 'NotAnswering',
  Withdrawn: 'Withdrawn',
} as const;

export const projectReasons = {
  Accepted: 'Accepted',
  AccountNotFound: 'AccountNotFound',
  InvalidSubdomain: 'InvalidSubdomain',
  SubdomainReserved: 'SubdomainReserved',
  SubdomainTaken: 'SubdomainTaken',
  Deployed: 'Deployed',
  NotDeployed: 'NotDeployed',
  DomainsDeclared: 'DomainsDeclared',
  /** a ProjectDomain of its own has the hostname of an entry of spec.domains */
  DeclaredElsewhere: 'DeclaredElsewhere',
  /** the account has as many domains as it may: entries of spec.domains are not made */
  DomainCapReached: 'DomainCapReached',
} as const;

export const apiKeyReasons = {
  Ready: 'Ready',
  AccountNotFound: 'AccountNotFound',
  /** the account has no namespace, where the Secret with a generated key would go */
  NamespaceMissing: 'NamespaceMissing',
} as const;

export const accountReasons = {
  NamespaceReady: 'NamespaceReady',
  NamespaceMissing: 'NamespaceMissing',
  /** the operator lacks its RoleBinding in the account's namespace */
  RightsMissing: 'RightsMissing',
  PlanNotFound: 'PlanNotFound',
  /** nothing is ordered of our issuer without the operator's word */
  IssuerGuarded: 'IssuerGuarded',
  /** cert-manager approves requests of our issuer by itself */
  ApprovedElsewhere: 'ApprovedElsewhere',
  /** cert-manager deletes a Secret with its Certificate */
  SecretsOwned: 'SecretsOwned',
  CertManagerNotFound: 'CertManagerNotFound',
  Ready: 'Ready',
} as const;
