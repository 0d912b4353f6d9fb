import type { ProjectDomain } from '../generated/project-domain.ts';
import { KubernetesError } from '../kubernetes/kubernetes-errors.ts';
import { defaultTimes, startReflector } from '../kubernetes/reflector.ts';
import { createStore } from '../kubernetes/store.ts';
import type { Transport } from '../kubernetes/transport.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import type { ClusterSession } from './with-cluster.ts';

/** How a wait ended, with the last version of the domain that was seen. */
export interface WaitResult {
  readonly end: 'reached' | 'late' | 'removed';
  readonly domain: ProjectDomain;
}

export interface Wanted {
  readonly ms: number;
  /** Called with each version of the domain that is seen; true ends the wait. */
  isReached(domain: ProjectDomain): boolean;
}

/** Someone is waiting at the terminal, so an unreachable cluster is retried after a few seconds. */
const times = { ...defaultTimes, backoffMaxMs: 5_000 };

/**
 * Watches a domain until it is as wanted, is gone, or the time is up. A cluster that does not answer is retried until
 * then; rejects at once with errors that retrying cannot fix.
 */
export async function awaitDomain(session: ClusterSession, start: ProjectDomain, wanted: Wanted): Promise<WaitResult> {
  const { namespace = '', name, uid } = start.metadata;
  const ended = Promise.withResolvers<WaitResult>();
  const store = createStore<ProjectDomain>({}, ended.reject);
  let last = start;
  const check = (seen: ProjectDomain | undefined) => {
    if (!seen || seen.metadata.uid !== uid) return ended.resolve({ end: 'removed', domain: last });
    last = seen;
    if (wanted.isReached(seen)) ended.resolve({ end: 'reached', domain: seen });
  };
  store.subscribe(({ object }) => {
    if (object.metadata.name === name) check(store.get({ namespace, name }));
  });
  const stop = new AbortController();
  const late = setTimeout(() => ended.resolve({ end: 'late', domain: last }), wanted.ms);
  const reflector = startReflector(
    {
      transport: reportingPermanentErrors(session.transport, ended.reject),
      kind: ProjectDomainKind,
      store,
      log: silentLog,
      clock: systemClock,
      slices: createTimeSlices(systemClock.elapsed),
      select: { namespace },
      times,
    },
    stop.signal,
  );
  void reflector.synced.then(() => check(store.get({ namespace, name })));
  try {
    return await ended.promise;
  } finally {
    clearTimeout(late);
    // Not awaited: a list that hangs ends when the session closes.
    stop.abort();
  }
}

/** The reflector retries every error forever; missing permissions and missing kinds are reported instead. */
function reportingPermanentErrors(transport: Transport, report: (error: KubernetesError) => void): Transport {
  const rethrow = (error: unknown): never => {
    if (error instanceof KubernetesError && [401, 403, 404].includes(error.status)) report(error);
    throw error;
  };
  return {
    ...transport,
    call: (call) => transport.call<never>(call).catch(rethrow),
    stream: (path, signal) => transport.stream(path, signal).catch(rethrow),
  };
}
