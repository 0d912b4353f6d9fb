import { createBoundedMap } from '../../lib/bounded-map.ts';
import type { ZoneCut } from './zone-cut.ts';

/** The zone that a registry delegated when a customer's domain was last walked to. */
export interface KnownDelegation {
  readonly cut: ZoneCut;
  /** the servers that the registry named, sorted */
  readonly names: readonly string[];
  /** the registry's own time to live has not passed */
  readonly isFresh: boolean;
}

/**
 * Delegations of customers' domains, kept only for checks that confirm what a full check has found. Bounded by TTL, by
 * twelve hours and by number. Times are milliseconds of one monotonic clock.
 */
export interface DelegationMemory {
  recall(apex: string, now: number): KnownDelegation | undefined;
  keep(
    cut: ZoneCut,
    delegation: { readonly names: readonly string[]; readonly ttlSeconds: number; readonly now: number },
  ): void;
}

export const delegationMemoryLimits = Object.freeze({ entries: 200_000, longestMs: 43_200_000 });

interface Kept {
  readonly cut: ZoneCut;
  readonly names: readonly string[];
  readonly until: number;
}

export function createDelegationMemory(): DelegationMemory {
  const kept = createBoundedMap<Kept>(delegationMemoryLimits.entries);
  return {
    recall(apex, now) {
      const known = kept.get(apex);
      return known && { cut: known.cut, names: known.names, isFresh: known.until > now };
    },
    keep(cut, { names, ttlSeconds, now }) {
      kept.set(cut.apex, {
        cut,
        names: names.toSorted(),
        until: now + Math.min(ttlSeconds * 1_000, delegationMemoryLimits.longestMs),
      });
    },
  };
}
