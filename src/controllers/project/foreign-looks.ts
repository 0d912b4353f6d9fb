import { createBoundedMap } from '../../lib/bounded-map.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import { showsOwn } from '../../routing/https-probe.ts';

/** Since when looks at platform hostnames have shown a certificate that is not their own. */
export interface ForeignLooks {
  /** milliseconds since the Unix epoch; null while the last certificate that was seen was the hostname's */
  since(uid: string): number | null;
  /** To be called with each look; returns what `since` says from then on. A look that showed no certificate changes nothing. */
  looked(uid: string, probe: ProbeResult, now: number): number | null;
}

/** More than an edge ever shows wrongly at once; one that is forgotten is noticed ten seconds later. */
const remembered = 10_000;

/** Remembers looks in memory: a new leader looks anew. */
export function createForeignLooks(): ForeignLooks {
  const began = createBoundedMap<number>(remembered);
  const since = (uid: string): number | null => began.get(uid) ?? null;
  return {
    since,
    looked(uid, probe, now) {
      if (showsOwn(probe)) began.delete(uid);
      else if (!probe.ok && probe.isForeign === true && since(uid) === null) began.set(uid, now);
      return since(uid);
    },
  };
}
