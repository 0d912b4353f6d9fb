import type { AccountHead } from '../kept-fields.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DomainHead } from '../../rules/domain-head.ts';
import type { Certificate, CertificateRequest } from '../../resources/cert-manager-types.ts';
import type { EdgeControllers } from '../../routing/route-findings.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import { isLeaving, projectLeavesWith } from '../../rules/leaving.ts';
import { declaredDomains, isControlled, isDeclaredBy } from '../../rules/declared-domains.ts';
import { childName } from '../../rules/dns-target.ts';
import { undecided } from '../../issuing/request-status.ts';
import { readOrderUsage, noOrderUsage } from '../order-ledger/order-usage.ts';
import { addressOfProject } from '../address-of-project.ts';
import { accountOf, namespacesOf, permittedClasses } from '../account-lookup.ts';
import type { OrderingAccount } from '../acme-issuer/ordering-accounts.ts';
import { orderingAccounts } from '../acme-issuer/ordering-accounts.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../needs.ts';
import type { RefusedWrite } from '../refused-write.ts';
import { indexKey, objectKeyOf } from '../../kubernetes/object-keys.ts';
import { claimKey } from '../../rules/claim-name.ts';

/** Everything a Project is decided from, frozen. */
export interface ProjectSnapshot {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly project: Project;
  readonly account: AccountHead | undefined;
  /** the platform hostname that it has, or will have once it is deployed (rules/project-address.ts) */
  readonly hostname: string;
  readonly target: string | null;
  /** routing classes that the account's plan permits, in order of preference */
  readonly permittedClasses: readonly string[];
  readonly claim: HostnameClaim | undefined;
  /** why it may not be served any more although it is not deleted itself: what it stands on is; null or absent where nothing is */
  readonly leaving?: string | null;
  /** the Service has a ready endpoint right now */
  readonly serving: boolean;
  readonly certificate: Certificate | undefined;
  readonly requests: readonly CertificateRequest[];
  /** what was ordered of the issuer; undefined before its first order */
  readonly orderLedger: OrderLedger | undefined;
  /** the accounts that certificates are ordered with, in order of preference */
  readonly issuerAccounts: readonly OrderingAccount[];
  /** what was ordered below the platform's registered domain; read only while a request waits */
  readonly domainOrders: RegisteredDomainOrders;
  /** the account's first orders of a week; read only while a request waits */
  readonly recentFirstOrders: number;
  /** what stands for the platform hostname */
  readonly route: ObservedRoute | undefined;
  readonly domains: readonly DomainHead[];
  /** the account's ProjectDomains with a hostname that spec.domains declares, the project's own included */
  readonly sameHostname: readonly DomainHead[];
  /** stand-alone domains of the project that its configuration lists and is to adopt, by hostname; absent: none */
  readonly adopted?: ReadonlyMap<string, DomainHead>;
  /** the project's own object for the primary of its configuration, while that still redirects; absent: it does not */
  readonly formerRedirect?: ProjectDomain | undefined;
  /** routing classes to whose Gateways others can attach; absent: none */
  readonly openClasses?: readonly string[];
  /** whose the Gateways are that serve hostnames */
  readonly edgeControllers?: EdgeControllers;
  /** Gateways that take no further hostname */
  readonly fullEdges?: readonly string[];
  /** this reconcile's look at the platform hostname's route, null when it was not due */
  readonly probe: ProbeResult | null;
  /** since when looks, this one included, have shown a certificate that is not the hostname's; null or absent: they do not */
  readonly foreignSince?: number | null;
  /** when the platform hostname is looked at next, milliseconds since the Unix epoch; absent: not for now */
  readonly nextLookAt?: number | null;
  /** a ProjectDomain was refused on this reconcile, as the account has as many as it may */
  readonly isAccountFull: boolean;
  /** what the cluster refused of this reconcile's writes; absent before they are sent */
  readonly refused?: readonly RefusedWrite[];
}

/** Reads the caches once. */
export function gatherProject(
  caches: Caches,
  settings: ControllerSettings,
  project: Project,
  now: number,
): ProjectSnapshot {
  const { namespace = '', name } = project.metadata;
  const account = accountOf(caches, namespace);
  const hostname = addressOfProject({ caches, settings }, project, account?.spec.id);
  const claim = caches.claims.get(claimKey(hostname));
  const accountId = account?.spec.id;
  const child = { namespace, name: childName(hostname) };
  const adopted = adoptedOf(caches, project);
  const requests = caches.certificateRequests.byIndex('certificate', indexKey(child.namespace, child.name));
  const issuerAccounts = orderingAccounts(caches, settings);
  return Object.freeze({
    now,
    settings,
    project,
    account,
    hostname,
    permittedClasses: permittedClasses(caches, account),
    target: accountId ? settings.records.target({ accountId, name }) : null,
    claim,
    leaving: projectLeavesWith(project, {
      namespace: caches.namespaces.get({ namespace: '', name: namespace }),
      account,
      claim,
    }),
    serving: hasReadyEndpoint(caches, indexKey(namespace, project.spec.service.name)),
    certificate: caches.certificates.get(child),
    requests,
    orderLedger: caches.orderLedgers.get({ namespace: '', name: settings.issuer.name }),
    issuerAccounts,
    ...(undecided(requests).length > 0
      ? readOrderUsage({ caches, settings, issuerAccounts, now }, hostname, account?.spec.id)
      : noOrderUsage),
    route: caches.routes.get(namespace, hostname),
    domains: caches.domains.byIndex('project', indexKey(namespace, name)),
    sameHostname: twinsOf(caches, project, account),
    adopted,
    formerRedirect: formerRedirectOf(caches, project, adopted),
    probe: null,
    isAccountFull: false,
  });
}

/** Of several objects with one hostname the one that takes precedence, as it holds the claim. */
function adoptedOf(caches: Caches, { metadata, spec }: Project): ReadonlyMap<string, DomainHead> {
  if (spec.domains?.adopt !== true) return new Map();
  const { namespace = '', name } = metadata;
  const found = declaredDomains(name, spec.domains).flatMap(({ hostname }) => {
    const first = ofHostname(caches, namespace, hostname).find(
      (domain) => domain.spec.project === name && !isLeaving(domain) && !isControlled(domain),
    );
    return first ? [[hostname, first] as const] : [];
  });
  return new Map(found);
}

/** The primary of the configuration, where its object is a redirect that only a replacement makes a primary. */
function formerRedirectOf(
  caches: Caches,
  project: Project,
  adopted: ReadonlyMap<string, DomainHead>,
): ProjectDomain | undefined {
  const { primary } = project.spec.domains ?? {};
  if (primary === undefined) return undefined;
  const own = ofHostname(caches, project.metadata.namespace ?? '', primary).find((head) => isDeclaredBy(head, project));
  const head = own ?? adopted.get(primary);
  return head?.spec.redirect && caches.domains.get(objectKeyOf(head));
}

/** In the account's other namespaces too; while the account is unknown no other namespace is its own. */
function twinsOf(caches: Caches, { metadata, spec }: Project, account: AccountHead | undefined): readonly DomainHead[] {
  const ofAccount = account ? namespacesOf(caches, account.metadata.name) : [];
  const namespaces = [...new Set([metadata.namespace ?? '', ...ofAccount])];
  return declaredDomains(metadata.name, spec.domains)
    .flatMap(({ hostname }) => namespaces.flatMap((namespace) => ofHostname(caches, namespace, hostname)))
    .filter((domain) => !isLeaving(domain));
}

/** A namespace's domains with a hostname, in order of precedence; those of other accounts are not gone through. */
const ofHostname = ({ precedenceIndex, domains }: Caches, namespace: string, hostname: string): readonly DomainHead[] =>
  precedenceIndex.ofHostname(namespace, hostname).flatMap((competitor) => domains.headOf(competitor) ?? []);

/** `ready` unset counts as ready (discovery.k8s.io/v1 EndpointConditions). */
function hasReadyEndpoint({ endpointSlices }: Caches, service: string): boolean {
  return endpointSlices
    .keysByIndex('service', service)
    .some((key) =>
      endpointSlices
        .get(key)
        ?.endpoints?.some(({ conditions, addresses }) => conditions?.ready !== false && addresses.length > 0),
    );
}
