import type { BoundedMap } from '../../lib/bounded-map.ts';
import { createBoundedMap } from '../../lib/bounded-map.ts';
import type { ZoneCut } from './zone-cut.ts';

/** The zone that a registry delegated when a customer's domain was last walked to. */
export interface KnownDelegation {
  readonly cut: ZoneCut;
  /** the servers that the registry named, sorted */
  readonly names: readonly string[];
  /** when the registry's own time to live has passed, milliseconds of one monotonic clock */
  readonly until: number;
}

/**
 * Delegations of customers' domains by apex, kept only for checks that confirm what a full check has found. Bounded by
 * TTL, by twelve hours and by number.
 */
export type DelegationMemory = BoundedMap<KnownDelegation>;

export const delegationMemoryLimits = Object.freeze({ entries: 200_000, longestMs: 43_200_000 });

export const createDelegationMemory = (): DelegationMemory => createBoundedMap(delegationMemoryLimits.entries);

/** What is remembered of a delegation; its time to live in seconds, `now` in milliseconds. */
export const knownDelegation = (
  cut: ZoneCut,
  { names, ttl }: { readonly names: readonly string[]; readonly ttl: number },
  now: number,
): KnownDelegation => ({
  cut,
  names: names.toSorted(),
  until: now + Math.min(ttl * 1_000, delegationMemoryLimits.longestMs),
});

export const isFresh = ({ until }: KnownDelegation, now: number): boolean => until > now;
