import type { DnsFindings, DnsLookup, DnsLookupRequest } from './dns-lookup-port.ts';
import type { QueueBounds, Refusals } from './fair-queue.ts';
import { createFairQueue } from './fair-queue.ts';
import { Problem, tryLater } from './problem.ts';
import { createSharedWork } from './writes/shared-work.ts';

/** What came of a lookup, for metrics: the verdict on routing (on CAA without a project), or why there was none. */
export type LookupResult = 'yes' | 'no' | 'unknown' | 'refused' | 'abandoned' | 'failed';

/** Lookups in DNS on behalf of requests, bounded in number and shared fairly over accounts. */
export interface Lookups {
  /**
   * Looks a hostname up when the account's turn comes; the same lookup that is asked for at the same time is made once.
   * Rejects with too-many-lookups or overloaded; leaves the queue, or ends the check, once nobody waits for it.
   */
  look(account: string, request: DnsLookupRequest, signal: AbortSignal): Promise<DnsFindings>;
  /** current numbers, by `running` and `waiting` */
  counts(): ReadonlyMap<string, number>;
}

/** A check takes nine seconds at most (docs/concepts/dns-rules.md), so an answer takes eleven. */
const usual: QueueBounds = Object.freeze({
  atATime: 16,
  atATimePerAccount: 2,
  waiting: 64,
  waitingPerAccount: 4,
  waitMs: 2_000,
});

const refusals: Refusals = {
  tooMany: () =>
    tryLater('too-many-lookups', 'the account has other lookups under way; try again when they have finished'),
  overloaded: () => tryLater('overloaded', 'too many lookups are under way right now; try again in a few seconds'),
  gone: () => new Problem('starting', 'the request ended before its lookup began'),
};

export interface LookupOptions {
  readonly dns: DnsLookup;
  readonly observe?: (result: LookupResult) => void;
  readonly bounds?: QueueBounds;
}

export function createLookups({ dns, observe = () => undefined, bounds = usual }: LookupOptions): Lookups {
  const queue = createFairQueue(bounds, refusals);
  const shared = createSharedWork();
  const lookInTurn = async (account: string, request: DnsLookupRequest, signal: AbortSignal) => {
    try {
      const findings = await queue.run({ account, object: null, signal }, () => dns.look(request, signal));
      observe(signal.aborted ? 'abandoned' : (findings.routing ?? findings.caa).verdict);
      return findings;
    } catch (error) {
      observe(signal.aborted ? 'abandoned' : error instanceof Problem ? 'refused' : 'failed');
      throw error;
    }
  };
  return {
    counts: () => queue.counts(),
    look(account, request, signal) {
      const { hostname, target, ownership, relation, routedBy, delegation } = request;
      const same = JSON.stringify([account, hostname, target, ownership, relation, routedBy, delegation?.value]);
      return shared.join(same, signal, (waits) => lookInTurn(account, request, waits)).result;
    },
  };
}
