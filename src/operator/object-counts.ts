import type { AcmeIssuer } from '../generated/acme-issuer.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { hasRevocations } from '../issuing/revocations.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { findCondition } from '../rules/conditions.ts';
import { domainStateNames, isMassFailure } from '../rules/domain-state.ts';
import type { OrderEntry } from '../rules/order-ledger/hostname-orders.ts';
import { certificateReasons } from '../rules/codes/certificate-reasons.ts';
import { routedReasons } from '../rules/codes/routed-reasons.ts';
import type { OperatorStores } from './operator-stores.ts';
import type { CheckFreshness } from './check-freshness.ts';
import { maintainClassCounts } from '../kubernetes/class-counts.ts';
import type { Moment } from './moment-counts.ts';
import { maintainMomentCounts } from './moment-counts.ts';

const stateOf = ({ status }: ProjectDomain): readonly string[] => [status?.state ?? 'Pending'];

/** The reason of a condition. Routed of a project is of its platform hostname. */
const reasonOf =
  (type: 'CertificateIssued' | 'Routed') =>
  ({ status }: Pick<ProjectDomain | Project, 'status'>): readonly string[] => {
    const reason = findCondition(status?.conditions, type)?.reason;
    return reason === undefined ? [] : [reason];
  };

/** A claim whose revocations, or a request for them, have not ended. */
const revocationOf = (claim: HostnameClaim): readonly string[] => (hasRevocations(claim) ? ['open'] : []);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Clocks of writers may be ahead of ours by so much; what they wrote counts as now. */
const skew = hour;

interface CountSources {
  readonly freshness: CheckFreshness;
  readonly now: () => number;
}

/**
 * Counts over the caches, kept with every change: reading them visits no object. To be created before the caches are
 * filled; states and reasons without an object count zero.
 */
export function countsOf(stores: OperatorStores, { freshness, now }: CountSources) {
  const { domains, projects, certificates, claims, orderLedgers, acmeIssuers, failureCounts } = stores;
  const ends = maintainMomentCounts(certificates, endOf, hour);
  const orders = maintainMomentCounts(claims, ordersOf, minute);
  const last = (counts: typeof orders, ms: number) => counts.between(now() - ms, now() + skew);
  return {
    domainsByState: maintainClassCounts(domains, stateOf, domainStateNames),
    platformHostnames: maintainClassCounts(projects, reasonOf('Routed'), Object.keys(routedReasons)),
    issuance: maintainClassCounts(domains, reasonOf('CertificateIssued'), Object.keys(certificateReasons)),
    certificates: () => new Map(validities(now()).map(([name, from, to]) => [name, sumOf(ends.between(from, to))])),
    orders: () => named(outcomes, last(orders, 3 * hour)),
    unconfirmed: () => new Map([['1d', last(orders, day).get(unconfirmed) ?? 0]]),
    revocations: maintainClassCounts(claims, revocationOf, ['open']),
    ledger: () => countLedger(orderLedgers.list()),
    acmeAccounts: () => countAccounts(acmeIssuers.list()),
    acmeOrdersLeft: () => ordersLeft(orderLedgers.list()),
    checked: () => freshness.checked(now()),
    checkLag: () => freshness.lag(now()),
    suspensionsHeld: () => (isMassFailure(failureCounts()) ? failureCounts().failing : 0),
  };
}

/** Classes of a certificate's remaining validity: name, and when such certificates end. */
const validities = (now: number): readonly (readonly [name: string, from: number, to: number])[] => [
  ['ended', Number.NEGATIVE_INFINITY, now],
  ['1d', now, now + day],
  ['7d', now + day, now + 7 * day],
  ['21d', now + 7 * day, now + 21 * day],
  ['later', now + 21 * day, Number.POSITIVE_INFINITY],
];

/** Issued certificates only; a served hostname has one, a withdrawn hostname has none. */
const endOf = ({ status }: Certificate): readonly Moment[] =>
  status?.notAfter ? [{ name: 'ends', at: Date.parse(status.notAfter) }] : [];

const outcomes = ['Pending', 'Issued', 'Failed', 'Abandoned'] satisfies OrderEntry['outcome'][];
const unconfirmed = 'unconfirmed';

/** When each order was placed, by its outcome; and once more if it relied on the last known answer of DNS. */
const ordersOf = ({ spec }: HostnameClaim): readonly Moment[] =>
  (spec.orders ?? []).flatMap(({ at, outcome, unconfirmed: isUnconfirmed }) => {
    const moment = { at: Date.parse(at) };
    return [{ name: outcome, ...moment }, ...(isUnconfirmed === true ? [{ name: unconfirmed, ...moment }] : [])];
  });

const named = (names: readonly string[], counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map(names.map((name) => [name, counts.get(name) ?? 0]));

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

/** The issuer's window as its ledger was last written. */
function countLedger(ledgers: readonly OrderLedger[]): ReadonlyMap<string, number> {
  const sum = (figure: 'used' | 'left' | 'waiting') =>
    ledgers.reduce((total, { spec }) => total + (spec[figure] ?? 0), 0);
  return new Map([
    ['used', sum('used')],
    ['left', sum('left')],
    ['waiting', sum('waiting')],
  ]);
}

/** What is left by account, where the ledger's issuer has named ones. */
const ordersLeft = (ledgers: readonly OrderLedger[]): ReadonlyMap<string, number> =>
  new Map(ledgers.flatMap(({ spec }) => (spec.accounts ?? []).map(({ name, left }) => [name, left] as const)));

/** Accounts as the status of their issuer last said; one that it does not name yet cannot be used. */
function countAccounts(issuers: readonly AcmeIssuer[]): ReadonlyMap<string, number> {
  const wanted = issuers.flatMap(({ spec }) => spec.accounts).length;
  const known = issuers.flatMap(({ status }) => status?.accounts ?? []);
  const isUsable = ({ uri, problem, use }: (typeof known)[number]) =>
    uri !== undefined && problem === undefined && use !== 'Down';
  const usable = known.filter(isUsable).length;
  return new Map([
    ['usable', usable],
    ['unusable', Math.max(0, wanted - usable)],
  ]);
}
