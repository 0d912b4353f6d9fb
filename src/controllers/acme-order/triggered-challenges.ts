import { createBoundedMap } from '../../lib/bounded-map.ts';

/** By hostname, the URLs of challenges that this process told its authority of. */
export interface TriggeredChallenges {
  of(hostname: string): Set<string>;
  /** To be called once the order has ended. */
  forget(hostname: string): void;
}

/** Whoever is forgotten here is triggered once more, which an authority bears. */
const hostnamesAtMost = 10_000;

export function createTriggeredChallenges(): TriggeredChallenges {
  const known = createBoundedMap<Set<string>>(hostnamesAtMost);
  return {
    of(hostname) {
      const before = known.get(hostname);
      if (before) return before;
      const challenges = new Set<string>();
      known.set(hostname, challenges);
      return challenges;
    },
    forget: (hostname) => known.delete(hostname),
  };
}
