import type { CommonNeeds } from './needs.ts';
import type { AccountNeeds } from './account/account-needs.ts';
import type { AcmeIssuerNeeds } from './acme-issuer/acme-issuer-needs.ts';
import type { AcmeOrderNeeds } from './acme-order/acme-order-needs.ts';
import type { OrderLedgerNeeds } from './order-ledger/order-ledger-needs.ts';
import type { ProjectNeeds } from './project/project-needs.ts';
import type { ProjectDomainNeeds } from './project-domain/project-domain-needs.ts';
import type { RedirectorEndpointsNeeds } from './redirector-endpoints/redirector-endpoints-needs.ts';
import type { RevocationNeeds } from './revocation/revocation-needs.ts';
import { accountController } from './account/account-reconciler.ts';
import { acmeIssuerController } from './acme-issuer/acme-issuer-reconciler.ts';
import { acmeOrderController } from './acme-order/acme-order-reconciler.ts';
import { apiKeyController } from './api-key/api-key-reconciler.ts';
import { gatewayListenersController } from './gateway-listeners/gateway-listeners-reconciler.ts';
import { hostnameClaimController } from './hostname-claim/hostname-claim-reconciler.ts';
import { orderLedgerController } from './order-ledger/order-ledger-reconciler.ts';
import { orphanController } from './orphan/orphan-reconciler.ts';
import { planController } from './plan/plan-reconciler.ts';
import { projectController } from './project/project-reconciler.ts';
import { projectDomainController } from './project-domain/project-domain-reconciler.ts';
import { redirectorEndpointsController } from './redirector-endpoints/redirector-endpoints-reconciler.ts';
import { revocationController } from './revocation/revocation-reconciler.ts';

/** Every controller that the operator runs, by the name that triggers, metrics and logs call it. */
export const controllers = Object.freeze({
  plan: planController,
  account: accountController,
  redirectorEndpoints: redirectorEndpointsController,
  project: projectController,
  projectDomain: projectDomainController,
  hostnameClaim: hostnameClaimController,
  orderLedger: orderLedgerController,
  acmeIssuer: acmeIssuerController,
  acmeOrder: acmeOrderController,
  revocation: revocationController,
  apiKey: apiKeyController,
  orphan: orphanController,
  gatewayListeners: gatewayListenersController,
});

export type ControllerName = keyof typeof controllers;

/** What all of them need together. */
export type ControllerNeeds = CommonNeeds &
  AccountNeeds &
  AcmeIssuerNeeds &
  AcmeOrderNeeds &
  OrderLedgerNeeds &
  ProjectNeeds &
  ProjectDomainNeeds &
  RedirectorEndpointsNeeds &
  RevocationNeeds;
