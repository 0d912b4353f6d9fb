import { networkOf } from '../../rules/ip-range.ts';

/**
 * Limits the requests for tokens of the whole process, so that thousands of domains that lead to a victim's address do not
 * make us flood it, and no account uses up what the others need.
 */
export interface TokenLimits {
  /** Takes a place for one request; returns what gives it back, or null when there is none now. */
  take(request: { readonly address: string; readonly payer: string }): (() => void) | null;
}

/** Requests a second, as many at once after a pause as `burst`; and requests in flight. */
interface Share {
  readonly perSecond: number;
  readonly burst: number;
  readonly inFlight: number;
}

export const tokenShares = Object.freeze({
  /** to one address, or one /64 of IPv6, whoever pays */
  address: { perSecond: 5, burst: 10, inFlight: 10 },
  /** to an address of a known CDN, where thousands of domains share few addresses */
  cdnAddress: { perSecond: 50, burst: 100, inFlight: 64 },
  account: { perSecond: 5, burst: 30, inFlight: 32 },
  inFlight: 256,
  /** addresses and accounts that are remembered */
  remembered: 10_000,
} satisfies Record<string, Share | number>);

interface Bucket {
  level: number;
  at: number;
  inFlight: number;
}

/** `elapsed`: monotonic milliseconds. */
export function createTokenLimits(isCdn: (address: string) => boolean, elapsed: () => number): TokenLimits {
  const addresses = new Map<string, Bucket>();
  const accounts = new Map<string, Bucket>();
  let inFlight = 0;
  return {
    take({ address, payer }) {
      const now = elapsed();
      const [place, share] = isCdn(address)
        ? [address, tokenShares.cdnAddress]
        : [networkOf(address), tokenShares.address];
      const shares = [
        { bucket: bucketOf(accounts, payer, now), share: tokenShares.account },
        { bucket: bucketOf(addresses, place, now), share },
      ];
      for (const { bucket, share } of shares) drain(bucket, share, now);
      const isFree = shares.every(
        ({ bucket, share }) => bucket.level + 1 <= share.burst && bucket.inFlight < share.inFlight,
      );
      if (!isFree || inFlight >= tokenShares.inFlight) return null;
      inFlight += 1;
      for (const { bucket } of shares) {
        bucket.level += 1;
        bucket.inFlight += 1;
      }
      return () => {
        inFlight -= 1;
        for (const { bucket } of shares) bucket.inFlight -= 1;
      };
    },
  };
}

function drain(bucket: Bucket, { perSecond }: Share, now: number): void {
  bucket.level = Math.max(0, bucket.level - ((now - bucket.at) * perSecond) / 1_000);
  bucket.at = now;
}

/** The one used longest ago is forgotten, unless requests are in flight. */
function bucketOf(buckets: Map<string, Bucket>, key: string, now: number): Bucket {
  const bucket = buckets.get(key) ?? { level: 0, at: now, inFlight: 0 };
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > tokenShares.remembered) {
    const oldest = buckets.entries().find(([, { inFlight }]) => inFlight === 0);
    if (oldest && oldest[0] !== key) buckets.delete(oldest[0]);
  }
  return bucket;
}
