import { setImmediate } from 'node:timers/promises';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
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

/** Everything that orders are shared out from, frozen. */
export interface OrderLedgerSnapshot {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly ledger: OrderLedger | undefined;
  /** what the claims say of the orders in the ledger, by uid of the request */
  readonly recorded: ReadonlyMap<string, OrderEntry>;
  /** orders of the window that only claims know of: read where somebody waits and there is no ledger yet */
  readonly unknownOrders: readonly LedgerOrder[];
  /** requests that wait, with nothing of their own in the way */
  readonly candidates: readonly OrderCandidate[];
  /** requests that wait, those included that something of their own holds off */
  readonly waiting: number;
  readonly domainOrders: ReadonlyMap<string, RegisteredDomainOrders>;
  /** what the authority said of the whole account, milliseconds since the Unix epoch; 0 when it said nothing */
  readonly authorityPauseUntil: number;
}

/** Candidates that are read before others get their turn at the processor. */
const slice = 250;

interface Asking {
  readonly hostname: string;
  readonly namespace: string;
  readonly request: string;
  readonly holder: Project | ProjectDomain;
  readonly kind: 'Platform' | 'Customer';
}

/** Reads the caches, in slices. */
export async function gatherOrderLedger(
  caches: Caches,
  settings: ControllerSettings,
  now: number,
): Promise<OrderLedgerSnapshot> {
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const claimOf = (name: string) => caches.claims.get({ namespace: '', name });
  const known = new Set((ledger?.spec.orders ?? []).flatMap((order) => (isUnused(order, now) ? [] : [order.request])));
  const asking = [
    ...caches.domains.byIndex('waitsForOrder', '').map(askingDomain),
    ...caches.projects.byIndex('waitsForOrder', '').map((project) => askingProject(project, settings)),
  ].filter(({ request }) => !known.has(request));
  const domainOrders = new Map<string, RegisteredDomainOrders>();
  const served = new Map<string, number>();
  const candidates: OrderCandidate[] = [];
  for (const [index, asks] of asking.entries()) {
    const candidate = candidateOf({ caches, settings, now }, asks, { domainOrders, served });
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
    unknownOrders: ledger || asking.length === 0 ? [] : await ordersOnClaims(caches.claims, settings.orderLimits, now),
    candidates,
    waiting: asking.length,
    domainOrders,
    authorityPauseUntil: authorityPauseUntil(caches.claims.byIndex('orders', issuerPaused), 'Issuer'),
  });
}

const askingDomain = (holder: ProjectDomain): Asking => ({
  holder,
  hostname: holder.spec.hostname,
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Customer',
});

const askingProject = (holder: Project, { platformDomain }: ControllerSettings): Asking => ({
  holder,
  hostname: platformHostname(holder, platformDomain),
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Platform',
});

/** Read once for all that wait. */
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

/** Null for what only says that it waits: decided by now, not the holder's, or held off by the name or the domain. */
function candidateOf(reading: Reading, asks: Asking, { domainOrders: books, served }: Known): OrderCandidate | null {
  const { caches, settings, now } = reading;
  const { hostname, namespace, holder } = asks;
  const child = { namespace, name: childName(hostname) };
  const requests = caches.certificateRequests.byIndex('certificate', indexKey(child.namespace, child.name));
  const request = undecided(requests).find((open) => requestId(open) === asks.request);
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get({ namespace: '', name: hostname });
  if (!request || !account || claim?.spec.phase !== 'Held' || !isHolder(claim, holder, account.spec.id)) return null;
  const others = (claim.spec.orders ?? []).filter((order) => order.request !== asks.request);
  if (hostnameWait(others, settings.orderLimits, now)) return null;
  const domain = registrableDomain(hostname);
  const book = books.get(domain) ?? registeredDomainUsage(reading, hostname);
  books.set(domain, book);
  const certificate = caches.certificates.get(child);
  const kind = asks.kind === 'Platform' ? 'Platform' : orderClass(certificate, now);
  if (registeredDomainWait(book, kind === 'Renewal', settings.orderLimits, now)) return null;
  const weight = weightOf(settings.orderLimits, account.spec.plan);
  const id = claim.spec.account;
  const ofAccount = served.get(id) ?? firstOrdersOfAWeek(id, (value) => caches.claims.byIndex('orders', value), now);
  served.set(id, ofAccount);
  const payer: Payer = { account: id, domain, weight, kind, served: Math.max(ofAccount, book.orders.size) };
  return { ...payer, request: asks.request, hostname, priority: priorityOf(request, certificate, kind) };
}

/** Renewals by the end of their certificate, everything else by how long it has waited. */
function priorityOf(
  request: CertificateRequest,
  certificate: Certificate | undefined,
  kind: OrderCandidate['kind'],
): number {
  const time = kind === 'Renewal' ? certificate?.status?.notAfter : request.metadata.creationTimestamp;
  return Date.parse(time ?? '') || 0;
}
