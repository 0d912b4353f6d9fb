import { acceptedReasons, hostnameReasons } from './codes/accepted-reasons.ts';
import type { HostnameCode } from './codes/accepted-reasons.ts';
import {
  acmeIssuerReasons,
  apiKeyReasons,
  gatewayReasons,
  issuerReasons,
  namespaceReasons,
  planReasons,
  readyReasons,
} from './codes/account-reasons.ts';
import { certificateReasons } from './codes/certificate-reasons.ts';
import type { CodeRow } from './codes/code-rows.ts';
import { declaredReasons, deployedReasons, projectAcceptedReasons } from './codes/project-reasons.ts';
import { refusedReasons } from './codes/refusal-codes.ts';
import { routedReasons, withdrawnReasons } from './codes/routed-reasons.ts';
import { verifiedReasons } from './codes/verified-reasons.ts';
import type { DnsCode } from './verdict-codes.ts';

/** The reasons of every condition that we write, other than verdict codes, by kind and type. */
export const conditionReasons: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, CodeRow>>>>>> = {
  ProjectDomain: {
    Accepted: { ...acceptedReasons, ...hostnameReasons },
    OwnershipVerified: verifiedReasons,
    DNSVerified: verifiedReasons,
    CertificateIssued: certificateReasons,
    Routed: routedReasons,
    Ready: withdrawnReasons,
  },
  Project: {
    Accepted: projectAcceptedReasons,
    Deployed: deployedReasons,
    Routed: routedReasons,
    DomainsDeclared: declaredReasons,
    Ready: readyReasons,
  },
  Account: {
    PlanFound: planReasons,
    NamespaceReady: namespaceReasons,
    IssuerGuarded: issuerReasons,
    GatewayGuarded: gatewayReasons,
    Ready: readyReasons,
  },
  ApiKey: { Ready: apiKeyReasons },
  AcmeIssuer: { Ready: acmeIssuerReasons },
};

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
  WriteRefused: refusedReasons.WriteRefused.definition,
  IngressElsewhere: 'An Ingress that is not the operator’s has the hostname of a claim too; the message names it.',
  CertificateNotRevoked: 'A certificate that was to be revoked cannot be; the message says why.',
} as const satisfies Readonly<Record<string, string>>;

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
