import { setImmediate } from 'node:timers/promises';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { Project } from '../../generated/project.ts';
import type { DomainHead } from '../../rules/domain-head.ts';
import type { Certificate, CertificateRequest } from '../../resources/cert-manager-types.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { OrderCandidate } from '../../rules/order-ledger/allocation.ts';
import {
  registeredDomainWait,
  issuerPaused,
  authorityPauseUntil,
  firstOrdersOfAWeek,
} from '../../rules/order-ledger/registered-domain-orders.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import { weightOf } from '../../rules/order-ledger/order-limits.ts';
import type { Payer } from '../../rules/order-ledger/fair-share.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { hostnameWait } from '../../rules/order-ledger/hostname-orders.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { isHolder } from '../../rules/precedence.ts';
import { childName } from '../../rules/dns-target.ts';
import { accountOf } from '../account-lookup.ts';
import { undecided } from '../../issuing/request-approval.ts';
import { registeredDomainUsage } from './order-usage.ts';
import { requestId, isUnused, orderClass } from '../../issuing/order-history.ts';
import { platformHostname } from '../project/project-snapshot.ts';
import { ordersOnClaims } from './orders-on-claims.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import type { Caches } from '../reconciler-dependencies.ts';
import { claimKey } from '../../rules/claim-name.ts';

/** Everything decideOrderLedger needs, frozen. */
export interface OrderLedgerSnapshot {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly ledger: OrderLedger | undefined;
  /** what the claims record of the orders in the ledger, by uid of the request */
  readonly recorded: ReadonlyMap<string, OrderEntry>;
  /** orders in the window that only claims record; read only where a request waits and there is no ledger yet */
  readonly unknownOrders: readonly LedgerOrder[];
  /** waiting requests that no limit of their hostname or registered domain holds back */
  readonly candidates: readonly OrderCandidate[];
  /** number of waiting requests, including those held back by a limit of their own */
  readonly waiting: number;
  readonly domainOrders: ReadonlyMap<string, RegisteredDomainOrders>;
  /** until when the authority told us to pause for the whole ACME account, milliseconds since the Unix epoch; 0 for no pause */
  readonly authorityPauseUntil: number;
}

/** How many candidates are read before yielding to the event loop. */
const slice = 250;

interface WaitingRequest {
  readonly hostname: string;
  readonly namespace: string;
  readonly request: string;
  readonly holder: Pick<DomainHead, 'metadata'>;
  readonly kind: 'Platform' | 'Customer';
}

/** Reads the caches, yielding to the event loop between slices. */
export async function gatherOrderLedger(
  caches: Caches,
  settings: ControllerSettings,
  now: number,
): Promise<OrderLedgerSnapshot> {
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const claimOf = (name: string) => caches.claims.get(claimKey(name));
  const known = new Set((ledger?.spec.orders ?? []).flatMap((order) => (isUnused(order, now) ? [] : [order.request])));
  const waitingRequests = [
    ...caches.domains.byIndex('waitsForOrder', '').map(requestOfDomain),
    ...(await requestsOfProjects(caches, settings)),
  ].filter(({ request }) => !known.has(request));
  const domainOrders = new Map<string, RegisteredDomainOrders>();
  const served = new Map<string, number>();
  const candidates: OrderCandidate[] = [];
  for (const [index, waitingRequest] of waitingRequests.entries()) {
    const candidate = candidateOf({ caches, settings, now }, waitingRequest, { domainOrders, served });
    if (candidate) candidates.push(candidate);
    if (index % slice === slice - 1) await setImmediate();
  }
  const recorded = (ledger?.spec.orders ?? []).flatMap(({ request, hostname }) => {
    const entry = claimOf(hostname)?.spec.orders?.find((order) => order.request === request);
    return entry ? [[request, entry] as const] : [];
  });
  return Object.freeze({
    now,
    settings,
    ledger,
    recorded: new Map(recorded),
    unknownOrders:
      ledger || waitingRequests.length === 0 ? [] : await ordersOnClaims(caches.claims, settings.orderLimits, now),
    candidates,
    waiting: waitingRequests.length,
    domainOrders,
    authorityPauseUntil: authorityPauseUntil(caches.claims.byIndex('orders', issuerPaused), 'Issuer'),
  });
}

const requestOfDomain = (holder: DomainHead): WaitingRequest => ({
  holder,
  hostname: holder.spec.hostname,
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Customer',
});

async function requestsOfProjects(
  { projects }: Pick<Caches, 'projects'>,
  settings: ControllerSettings,
): Promise<readonly WaitingRequest[]> {
  const requests: WaitingRequest[] = [];
  for (const [index, key] of projects.keysByIndex('waitsForOrder', '').entries()) {
    const project = projects.get(key);
    if (project) requests.push(requestOfProject(project, settings));
    if (index % slice === slice - 1) await setImmediate();
  }
  return requests;
}

const requestOfProject = (holder: Project, { platformDomain }: ControllerSettings): WaitingRequest => ({
  holder,
  hostname: platformHostname(holder, platformDomain),
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Platform',
});

/** Values that are read once and shared by all candidates. */
interface Known {
  readonly domainOrders: Map<string, RegisteredDomainOrders>;
  /** first orders of a week by account id */
  readonly served: Map<string, number>;
}

interface Reading {
  readonly caches: Caches;
  readonly settings: ControllerSettings;
  readonly now: number;
}

/** Null for a request that does not compete now: already decided, not of the holder, or held back by a limit of the hostname or domain. */
function candidateOf(
  reading: Reading,
  waitingRequest: WaitingRequest,
  { domainOrders: books, served }: Known,
): OrderCandidate | null {
  const { caches, settings, now } = reading;
  const { hostname, namespace, holder } = waitingRequest;
  const child = { namespace, name: childName(hostname) };
  const requests = caches.certificateRequests.byIndex('certificate', indexKey(child.namespace, child.name));
  const request = undecided(requests).find((open) => requestId(open) === waitingRequest.request);
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get(claimKey(hostname));
  if (!request || !account || claim?.spec.phase !== 'Held' || !isHolder(claim, holder, account.spec.id)) return null;
  const others = (claim.spec.orders ?? []).filter((order) => order.request !== waitingRequest.request);
  if (hostnameWait(others, settings.orderLimits, now)) return null;
  const domain = registrableDomain(hostname);
  const book = books.get(domain) ?? registeredDomainUsage(reading, hostname);
  books.set(domain, book);
  const certificate = caches.certificates.get(child);
  const kind = waitingRequest.kind === 'Platform' ? 'Platform' : orderClass(certificate, now);
  if (registeredDomainWait(book, kind === 'Renewal', settings.orderLimits, now)) return null;
  const weight = weightOf(settings.orderLimits, account.spec.plan);
  const id = claim.spec.account;
  const ofAccount =
    served.get(id) ?? firstOrdersOfAWeek(id, (value) => caches.claims.countByIndex('orders', value), now);
  served.set(id, ofAccount);
  const payer: Payer = { account: id, domain, weight, kind, served: Math.max(ofAccount, book.orders.size) };
  return { ...payer, request: waitingRequest.request, hostname, priority: priorityOf(request, certificate, kind) };
}

/** Renewals rank by the expiry of their certificate, all others by how long they have waited. */
function priorityOf(
  request: CertificateRequest,
  certificate: Certificate | undefined,
  kind: OrderCandidate['kind'],
): number {
  const time = kind === 'Renewal' ? certificate?.status?.notAfter : request.metadata.creationTimestamp;
  return Date.parse(time ?? '') || 0;
}
