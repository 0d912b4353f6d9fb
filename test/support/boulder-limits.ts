import { AcmeProblem } from '../../src/acme/acme-errors.ts';
import type { OrderLimits, WindowLimit } from '../../src/rules/order-ledger/order-limits.ts';

/**
 * The limits of Let's Encrypt, kept by times of their own: whoever is beyond one is refused in Boulder's words (ratelimits/limiter.go). Each
 * counts what came within its window, which is stricter than Boulder's buckets that refill all the while.
 */
export interface BoulderLimits {
  /**
   * Counts a new order; returns what gives that back, for one that came to nothing. Throws AcmeProblem for one beyond a limit. `now` in
   * milliseconds since the Unix epoch, as below.
   */
  order(order: LimitedOrder, now: number): () => void;
  issued(order: LimitedOrder, now: number): void;
  failed(hostname: string, now: number): void;
  /** orders that were refused, by limit */
  readonly refusals: ReadonlyMap<LimitName, number>;
  /** most orders within one window of the account */
  readonly busiest: number;
}

export interface LimitedOrder {
  readonly hostname: string;
  readonly registeredDomain: string;
  /** says which certificate it replaces: no limit but that of failures counts it */
  readonly isRenewal: boolean;
}

export type LimitName = 'orders' | 'registeredDomain' | 'exactSet' | 'failures';
type Limits = Pick<OrderLimits, LimitName>;

export function createBoulderLimits(limits: Limits): BoulderLimits {
  const times = new Map<string, number[]>();
  const refusals = new Map<LimitName, number>();
  let busiest = 0;
  const within = (limit: LimitName, bucket: string, now: number): number[] => {
    const known = times.get(`${limit} ${bucket}`) ?? [];
    const since = now - limits[limit].seconds * 1_000;
    const first = known.findIndex((at) => at > since);
    known.splice(0, first < 0 ? known.length : first);
    return known;
  };
  const note = (limit: LimitName, bucket: string, now: number) => {
    const known = within(limit, bucket, now);
    known.push(now);
    times.set(`${limit} ${bucket}`, known);
    return known.length;
  };
  const check = (limit: LimitName, bucket: string, now: number) => {
    const known = within(limit, bucket, now);
    const { count, seconds } = limits[limit];
    if (known.length < count) return;
    refusals.set(limit, (refusals.get(limit) ?? 0) + 1);
    const until = (known[known.length - count] ?? now) + seconds * 1_000;
    throw rateLimited(limit, { bucket, limit: limits[limit], until });
  };
  return {
    order({ hostname, registeredDomain, isRenewal }, now) {
      check('failures', hostname, now);
      if (!isRenewal) {
        check('orders', '', now);
        check('registeredDomain', registeredDomain, now);
        check('exactSet', hostname, now);
      }
      busiest = Math.max(busiest, note('orders', '', now));
      return () => {
        const known = within('orders', '', now);
        const index = known.indexOf(now);
        if (index >= 0) known.splice(index, 1);
      };
    },
    issued({ hostname, registeredDomain, isRenewal }, now) {
      if (isRenewal) return;
      note('registeredDomain', registeredDomain, now);
      note('exactSet', hostname, now);
    },
    failed: (hostname, now) => void note('failures', hostname, now),
    refusals,
    get busiest() {
      return busiest;
    },
  };
}

interface Overstepped {
  readonly bucket: string;
  readonly limit: WindowLimit;
  readonly until: number;
}

const sentences: Readonly<Record<LimitName, (overstepped: Overstepped) => string>> = {
  orders: ({ limit }) => `too many new orders (${limit.count}) from this account in the last ${limit.seconds}s`,
  registeredDomain: ({ limit, bucket }) =>
    `too many certificates (${limit.count}) already issued for "${bucket}" in the last ${limit.seconds}s`,
  exactSet: ({ limit, bucket }) =>
    `too many certificates (${limit.count}) already issued for this exact set of identifiers in the last ${limit.seconds}s: ${bucket}`,
  failures: ({ limit, bucket }) =>
    `too many failed authorizations (${limit.count}) for "${bucket}" in the last ${limit.seconds}s`,
};

function rateLimited(name: LimitName, overstepped: Overstepped): AcmeProblem {
  const until = new Date(overstepped.until + 999).toISOString().slice(0, 19).replace('T', ' ');
  const detail = `${sentences[name](overstepped)}, retry after ${until} UTC: see https://letsencrypt.org/docs/rate-limits/`;
  return new AcmeProblem({ type: 'rateLimited', detail, status: 429, retryAfterMs: null, subproblems: [] });
}
