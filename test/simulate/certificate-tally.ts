import type { OrderClass } from '../../src/rules/order-ledger/order-limits.ts';
import type { OrderOutcome, SimulatedAuthority } from './certificate-authority.ts';
import type { CertificateStore } from './certificate-store.ts';

/** What became of all names' certificates. Times in milliseconds. */
export interface CertificateReport {
  readonly names: number;
  readonly orders: number;
  readonly renewals: number;
  readonly firsts: number;
  /** orders that the authority validated and did not issue */
  readonly failed: number;
  /** orders that the authority refused to take */
  readonly refused: number;
  /** orders whose look could not tell, in the last fifth of the certificate's lifetime */
  readonly unconfirmed: number;
  /** certificates that ended before they were renewed */
  readonly expired: number;
  /** least share of a lifetime that was left at a renewal */
  readonly leastLeft: number;
  /** from Add to the first certificate, ascending */
  readonly firstWaits: readonly number[];
  /** most requests that waited for an order at once */
  readonly mostWaiting: number;
  /** most orders in one window of the authority, and orders beyond its limit */
  readonly busiest: number;
  readonly violations: number;
}

interface TalliedOrder {
  readonly name: number;
  readonly kind: OrderClass;
  readonly outcome: OrderOutcome;
  readonly unconfirmed: boolean;
}

export interface CertificateTally {
  /** A name without a certificate asks for its first one. */
  asked(name: number, now: number): void;
  /** Before the certificate of an order is stored. */
  ordered(order: TalliedOrder, now: number): void;
  waiting(count: number): void;
  report(authority: SimulatedAuthority, end: number): CertificateReport;
}

export function createTally(names: number, certificates: CertificateStore): CertificateTally {
  const askedAt = new Map<number, number>();
  const firstWaits: number[] = [];
  const counts = { orders: 0, renewals: 0, firsts: 0, failed: 0, refused: 0, unconfirmed: 0, expired: 0 };
  let leastLeft = 1;
  let mostWaiting = 0;

  const renewed = (name: number, now: number) => {
    const left = certificates.left(name, now);
    counts.renewals += 1;
    leastLeft = Math.min(leastLeft, left);
    if (left <= 0) counts.expired += 1;
  };
  const first = (name: number, now: number) => {
    counts.firsts += 1;
    firstWaits.push(now - (askedAt.get(name) ?? now));
    askedAt.delete(name);
  };
  const hasEnded = (name: number, end: number) =>
    certificates.notAfter(name) !== 0 && certificates.notAfter(name) <= end;

  return {
    asked: (name, now) => void askedAt.set(name, now),
    ordered({ name, kind, outcome, unconfirmed }, now) {
      counts.orders += 1;
      if (unconfirmed) counts.unconfirmed += 1;
      if (outcome === 'Failed') counts.failed += 1;
      if (outcome === 'Refused') counts.refused += 1;
      if (outcome !== 'Issued') return;
      if (kind === 'Renewal') renewed(name, now);
      else first(name, now);
    },
    waiting(count) {
      mostWaiting = Math.max(mostWaiting, count);
    },
    report({ busiest, violations }, end) {
      let ended = 0;
      for (let name = 0; name < names; name += 1) if (hasEnded(name, end)) ended += 1;
      return Object.freeze({
        names,
        ...counts,
        expired: counts.expired + ended,
        leastLeft,
        firstWaits: firstWaits.toSorted((a, b) => a - b),
        mostWaiting,
        busiest,
        violations,
      });
    },
  };
}
