import { hostnameCodes } from './hostname.ts';
import {
  acceptedReasons,
  acmeIssuerReasons,
  apiKeyReasons,
  certificateReasons,
  declaredReasons,
  deployedReasons,
  gatewayReasons,
  issuerReasons,
  namespaceReasons,
  planReasons,
  projectAcceptedReasons,
  readyReasons,
  routedReasons,
  verifiedReasons,
  withdrawnReasons,
} from './reasons.ts';

/** The reasons of every condition that we write, other than verdict codes, by kind and type, with their meanings. */
export const conditionReasons: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  ProjectDomain: {
    Accepted: { ...acceptedReasons, ...hostnameCodes },
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
