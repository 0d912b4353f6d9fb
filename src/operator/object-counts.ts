import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { findCondition, timestamp } from '../rules/conditions.ts';
import { domainStateNames, isMassFailure } from '../rules/domain-state.ts';
import { certificateReasons } from '../rules/reasons.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { MetricSources } from './metrics.ts';
import type { OperatorStores } from './operator-stores.ts';
import type { RecentChecks } from '../controllers/project-domain/recent-checks.ts';
import { checkLag, countChecked } from './check-freshness.ts';
import { countInSlices, maintainClassCounts } from './class-counts.ts';

const stateOf = ({ status }: ProjectDomain): readonly string[] => [status?.state ?? 'Pending'];

/** The reason of condition CertificateIssued. */
const issuanceOf = ({ status }: ProjectDomain): readonly string[] => {
  const reason = findCondition(status?.conditions, 'CertificateIssued')?.reason;
  return reason === undefined ? [] : [reason];
};

type Counts = Pick<
  MetricSources,
  | 'domainsByState'
  | 'certificates'
  | 'issuance'
  | 'orders'
  | 'checked'
  | 'checkLag'
  | 'unconfirmed'
  | 'ledger'
  | 'suspensionsHeld'
>;

interface CountSources {
  readonly recentChecks: Pick<RecentChecks, 'all'>;
  readonly now: () => number;
  readonly slices: TimeSlices;
}

/** Counts over the caches. To be created before they are filled; states and reasons without an object count zero. */
export function countsOf(
  stores: Pick<OperatorStores, 'domains' | 'certificates' | 'claims' | 'orderLedgers' | 'failureCounts'>,
  { recentChecks, now, slices }: CountSources,
): Counts {
  const { domains, certificates, claims, orderLedgers, failureCounts } = stores;
  return {
    domainsByState: maintainClassCounts(domains, stateOf, domainStateNames),
    issuance: maintainClassCounts(domains, issuanceOf, Object.keys(certificateReasons)),
    certificates: () => countInSlices(certificates.list(), (some) => countCertificates(some, now()), slices),
    orders: () => countInSlices(claims.list(), (some) => countOrders(some, now()), slices),
    unconfirmed: () => countInSlices(claims.list(), (some) => countUnconfirmed(some, now()), slices),
    ledger: () => countLedger(orderLedgers.list()),
    checked: () => countInSlices([...recentChecks.all()], (some) => countChecked(some, now()), slices),
    checkLag: () => checkLag(recentChecks.all(), now()),
    suspensionsHeld: () => (isMassFailure(failureCounts()) ? failureCounts().failing : 0),
  };
}

const hour = 3_600_000;
const day = 24 * hour;

/** Classes of a certificate's remaining validity; the first that fits counts. */
const left = [
  ['ended', 0],
  ['1d', day],
  ['7d', 7 * day],
  ['21d', 21 * day],
  ['later', Number.POSITIVE_INFINITY],
] as const;

const zeros = (keys: readonly string[]) => new Map<string, number>(keys.map((key) => [key, 0]));

function count(keys: readonly string[], found: readonly string[]): ReadonlyMap<string, number> {
  const counts = zeros(keys);
  for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Issued certificates by remaining validity; a served hostname has one, a withdrawn hostname has none. */
export function countCertificates(certificates: readonly Certificate[], now: number): ReadonlyMap<string, number> {
  const ends = certificates.flatMap(({ status }) => (status?.notAfter ? [Date.parse(status.notAfter) - now] : []));
  return count(
    left.map(([name]) => name),
    ends.map((rest) => left.find(([, upTo]) => rest <= upTo)?.[0] ?? 'later'),
  );
}

/** Orders of the last three hours by outcome: the window in which authorities limit an account. */
export function countOrders(claims: readonly HostnameClaim[], now: number): ReadonlyMap<string, number> {
  const since = timestamp(now - 3 * hour);
  return count(
    ['Pending', 'Issued', 'Failed'],
    claims.flatMap(({ spec }) =>
      (spec.orders ?? []).filter(({ at }) => isSince(at, since)).map(({ outcome }) => outcome),
    ),
  );
}

/** Renewals of the last day that were approved on the last known answer of DNS. */
function countUnconfirmed(claims: readonly HostnameClaim[], now: number): ReadonlyMap<string, number> {
  const since = timestamp(now - day);
  const found = claims.flatMap(({ spec }) =>
    (spec.orders ?? []).filter(({ unconfirmed, at }) => unconfirmed === true && isSince(at, since)),
  );
  return new Map([['1d', found.length]]);
}

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

/** Our own timestamps all have one format, so they can be compared as text; parsing very many would take long. */
const isSince = (at: string | undefined, since: string): boolean => at !== undefined && at > since;
