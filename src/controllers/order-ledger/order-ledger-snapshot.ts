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
  authorityPauses,
  firstOrdersOfAWeek,
  pauseEnd,
} from '../../rules/order-ledger/registered-domain-orders.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import { longestOf, weightOf, permittedOf } from '../../rules/order-ledger/order-limits.ts';
import type { Payer } from '../../rules/order-ledger/fair-share.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { accountsForName } from '../../rules/order-ledger/hostname-orders.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { isHolder } from '../../rules/precedence.ts';
import { childName } from '../../rules/dns-target.ts';
import { accountOf } from '../account-lookup.ts';
import type { AccountAvailability, AccountAway, OrderingAccount } from '../acme-issuer/ordering-accounts.ts';
import { orderingAccounts } from '../acme-issuer/ordering-accounts.ts';
import { undecided } from '../../issuing/request-status.ts';
import { registeredDomainUsage, ordersOnClaims } from './order-usage.ts';
import { requestId, isUnused, orderClass } from '../../issuing/order-history.ts';
import { addressOfProject } from '../address-of-project.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import type { Caches } from '../needs.ts';
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
  /** those of the issuer in order of preference */
  readonly accounts: readonly LedgerAccount[];
  /** waiting requests that no limit of their hostname or registered domain holds back */
  readonly candidates: readonly LedgerCandidate[];
  /** number of waiting requests, including those held back by a limit of their own */
  readonly waiting: number;
  readonly domainOrders: ReadonlyMap<string, RegisteredDomainOrders>;
}

/** An account that orders can be granted for. */
export interface LedgerAccount extends OrderingAccount {
  /** why it takes none now; null where it does */
  readonly away: AccountAway | null;
  /**
   * until when it takes none: as its authority told us for the whole ACME account, or as that did not answer; milliseconds since the Unix
   * epoch, 0 without either
   */
  readonly pausedUntil: number;
}

/** A request that waits for an order of one of these accounts. */
export interface LedgerCandidate extends OrderCandidate {
  readonly accounts: readonly LedgerAccount[];
}

/** How many candidates are read before yielding to the event loop. */
const slice = 250;

interface WaitingRequest {
  readonly hostname: string;
  readonly namespace: string;
  readonly request: string;
  readonly holder: Pick<DomainHead, 'metadata'>;
  readonly kind: 'Platform' | 'Customer';
  /** names of the accounts that CAA permits; undefined where that restricts nothing */
  readonly permittedAccounts: readonly string[] | undefined;
}

/** What is read for the ledger. */
interface LedgerSources {
  readonly caches: Caches;
  readonly settings: ControllerSettings;
  /** what this process knows of an account */
  readonly availability: (account: OrderingAccount) => AccountAvailability;
}

/** Reads the caches, yielding to the event loop between slices. */
export async function gatherOrderLedger(
  { caches, settings, availability }: LedgerSources,
  now: number,
): Promise<OrderLedgerSnapshot> {
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const accounts = ledgerAccounts({ caches, settings, availability }, ledger);
  const claimOf = (name: string) => caches.claims.get(claimKey(name));
  const known = new Set((ledger?.spec.orders ?? []).flatMap((order) => (isUnused(order, now) ? [] : [order.request])));
  const waitingRequests = [
    ...caches.domains.byIndex('waitsForOrder', '').map(requestOfDomain),
    ...(await requestsOfProjects({ caches, settings })),
  ].filter(({ request }) => !known.has(request));
  const domainOrders = new Map<string, RegisteredDomainOrders>();
  const reading = { caches, settings, issuerAccounts: accounts, now, domainOrders, served: new Map<string, number>() };
  const candidates: LedgerCandidate[] = [];
  for (const [index, waitingRequest] of waitingRequests.entries()) {
    const candidate = candidateOf(reading, waitingRequest);
    if (candidate) candidates.push(candidate);
    if (index % slice === slice - 1) await setImmediate();
  }
  const longest = { orders: longestOf(accounts.map(({ limits }) => limits.orders)) };
  const recorded = (ledger?.spec.orders ?? []).flatMap(({ request, hostname }) => {
    const entry = claimOf(hostname)?.spec.orders?.find((order) => order.request === request);
    return entry ? [[request, entry] as const] : [];
  });
  return Object.freeze({
    now,
    settings,
    ledger,
    accounts,
    recorded: new Map(recorded),
    unknownOrders: ledger || waitingRequests.length === 0 ? [] : await ordersOnClaims(caches.claims, longest, now),
    candidates,
    waiting: waitingRequests.length,
    domainOrders,
  });
}

/** The ledger remembers each pause, as the claim that shows it may forget it. */
function ledgerAccounts(
  { caches, settings, availability }: LedgerSources,
  ledger: OrderLedger | undefined,
): readonly LedgerAccount[] {
  const named = authorityPauses(caches.claims.byIndex('orders', issuerPaused), 'Issuer');
  const { accounts: before = [], waitsUntil: ofAll } = ledger?.spec ?? {};
  return orderingAccounts(caches, settings).map((account) => {
    const state = before.find(({ name }) => name === account.name);
    const remembered = Date.parse((state ? state.waitsUntil : ofAll) ?? '') || 0;
    const { away, answersSince } = availability(account);
    const pausedUntil = Math.max(remembered, pauseEnd(named.filter(account.isOwn)), answersSince);
    return Object.freeze({ ...account, away, pausedUntil });
  });
}

const requestOfDomain = (holder: DomainHead): WaitingRequest => ({
  holder,
  hostname: holder.spec.hostname,
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Customer',
  permittedAccounts: holder.status?.certificate?.permittedAccounts,
});

async function requestsOfProjects(
  sources: Pick<LedgerSources, 'caches' | 'settings'>,
): Promise<readonly WaitingRequest[]> {
  const { projects } = sources.caches;
  const requests: WaitingRequest[] = [];
  for (const [index, key] of projects.keysByIndex('waitsForOrder', '').entries()) {
    const project = projects.get(key);
    if (project) requests.push(requestOfProject(sources, project));
    if (index % slice === slice - 1) await setImmediate();
  }
  return requests;
}

const requestOfProject = (sources: Pick<LedgerSources, 'caches' | 'settings'>, holder: Project): WaitingRequest => ({
  holder,
  hostname: addressOfProject(sources, holder, accountOf(sources.caches, holder.metadata.namespace ?? '')?.spec.id),
  namespace: holder.metadata.namespace ?? '',
  request: holder.status?.certificate?.request ?? '',
  kind: 'Platform',
  permittedAccounts: undefined,
});

/** Values that are read once are shared by all candidates. */
interface Reading extends Omit<LedgerSources, 'availability'> {
  readonly issuerAccounts: readonly LedgerAccount[];
  readonly now: number;
  readonly domainOrders: Map<string, RegisteredDomainOrders>;
  /** first orders of a week by account id */
  readonly served: Map<string, number>;
}

/** Null for a request that does not compete now: already decided, not of the holder, or held back by a limit of the hostname or domain. */
function candidateOf(reading: Reading, waitingRequest: WaitingRequest): LedgerCandidate | null {
  const { caches, settings, issuerAccounts, now, domainOrders: books, served } = reading;
  const { hostname, namespace, holder } = waitingRequest;
  const child = { namespace, name: childName(hostname) };
  const requests = caches.certificateRequests.byIndex('certificate', indexKey(child.namespace, child.name));
  const request = undecided(requests).find((open) => requestId(open) === waitingRequest.request);
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get(claimKey(hostname));
  if (!request || !account || claim?.spec.phase !== 'Held' || !isHolder(claim, holder, account.spec.id)) return null;
  const others = (claim.spec.orders ?? []).filter((order) => order.request !== waitingRequest.request);
  const permitted = permittedOf(issuerAccounts, waitingRequest.permittedAccounts);
  const { open } = accountsForName(others, permitted, now);
  if (open.length === 0) return null;
  const domain = registrableDomain(hostname);
  const book = books.get(domain) ?? registeredDomainUsage(reading, hostname);
  books.set(domain, book);
  const certificate = caches.certificates.get(child);
  const kind = waitingRequest.kind === 'Platform' ? 'Platform' : orderClass(certificate, now);
  const accounts = open.filter((one) => registeredDomainWait(book, kind === 'Renewal', one, now) === null);
  if (accounts.length === 0) return null;
  const weight = weightOf(settings.orderLimits, account.spec.plan);
  const id = claim.spec.account;
  const ofAccount =
    served.get(id) ?? firstOrdersOfAWeek(id, (value) => caches.claims.countByIndex('orders', value), now);
  served.set(id, ofAccount);
  const payer: Payer = { account: id, domain, weight, kind, served: Math.max(ofAccount, book.orders.size) };
  return {
    ...payer,
    accounts,
    request: waitingRequest.request,
    hostname,
    priority: priorityOf(request, certificate, kind),
  };
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
