import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { LeaseRecord, LeaseStore } from '../kubernetes/kubernetes-port.ts';

export interface LeaderOptions {
  readonly identity: string;
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly log: Log;
}

const leaseMs = 15_000;
const renewDeadlineMs = 10_000;
const retryMs = 2_000;
const jitter = 0.2;

export interface Leadership {
  /** Resolves when the lease could not be renewed in time or somebody else holds it. The process must then exit. */
  readonly lost: Promise<void>;
  /** Stops renewing and releases the lease, so that the next leader need not wait for it to expire. */
  release(): Promise<void>;
}

/**
 * Acquires the lease and keeps renewing it, by client-go's rules: a lease held by another counts as expired once *this*
 * process has observed no change of it for the lease's duration, so clocks need not agree. Rejects only when the signal
 * aborts while waiting; once leading, only release() gives the lease up, as work that is shutting down still needs it.
 */
export async function becomeLeader(options: LeaderOptions, signal: AbortSignal): Promise<Leadership> {
  const observed: Observation = { record: null, at: 0 };
  let since = await tryHold(options, observed);
  while (since === null) {
    await options.clock.sleep(retryMs * (1 + jitter * Math.random()), signal);
    since = await tryHold(options, observed);
  }
  options.log.info({ identity: options.identity }, 'leading');
  const stop = new AbortController();
  const lost = keepRenewing(options, { observed, since }, stop.signal);
  return {
    lost,
    async release() {
      stop.abort();
      await lost;
      await releaseLease(options, observed);
    },
  };
}

async function releaseLease({ identity, store, log }: LeaderOptions, { record }: Observation): Promise<void> {
  if (record?.holderIdentity !== identity) return;
  try {
    await store.write({ ...record, holderIdentity: '', leaseDurationSeconds: 1 });
  } catch (error) {
    log.warn({ err: error }, 'the leader lease could not be released and will expire');
  }
}

/** The record as last read, and when it was first observed in this version. */
interface Observation {
  record: LeaseRecord | null;
  at: number;
}

/**
 * Acquires or renews the lease. Resolves to the time from which its duration counts, or null on failure. The duration
 * counts from the start of the attempt: others may have observed the write long before its response arrived here.
 */
async function tryHold(options: LeaderOptions, observed: Observation): Promise<number | null> {
  const { identity, store, clock, log } = options;
  const startedAt = clock.elapsed();
  try {
    const current = await store.read();
    if (observed.record === null || current?.version !== observed.record.version) {
      Object.assign(observed, { record: current, at: clock.elapsed() });
    }
    if (
      current &&
      isHeldByAnother(current, identity) &&
      clock.elapsed() < observed.at + current.leaseDurationSeconds * 1_000
    ) {
      return null;
    }
    const record = nextRecord(options, current);
    if (!(await store.write(record))) return null;
    Object.assign(observed, { record: await store.read(), at: clock.elapsed() });
    const inTime = clock.elapsed() - startedAt < renewDeadlineMs;
    return inTime && observed.record?.holderIdentity === identity ? startedAt : null;
  } catch (error) {
    log.warn({ err: error }, 'the leader lease could not be read or written');
    return null;
  }
}

const isHeldByAnother = ({ holderIdentity: holder }: LeaseRecord, identity: string): boolean =>
  holder !== '' && holder !== identity;

function nextRecord({ identity, clock }: LeaderOptions, current: LeaseRecord | null): LeaseRecord {
  const time = new Date(clock.now()).toISOString().replace('Z', '000Z');
  const mine = current?.holderIdentity === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: leaseMs / 1_000,
    acquireTime: mine ? current.acquireTime : time,
    renewTime: time,
    leaseTransitions: (current?.leaseTransitions ?? 0) + (mine ? 0 : 1),
    version: current?.version ?? null,
  };
}

/**
 * Renews every two seconds. Resolves after ten seconds without success, which is before the lease itself expires, or
 * when another process holds it. An attempt in flight is awaited, so that it cannot re-acquire a lease just released.
 */
async function keepRenewing(
  options: LeaderOptions,
  { observed, since }: { readonly observed: Observation; readonly since: number },
  signal: AbortSignal,
): Promise<void> {
  const { clock, identity } = options;
  let renewedAt = since;
  for (;;) {
    await clock.sleep(retryMs, signal).catch(() => undefined);
    const left = renewedAt + renewDeadlineMs - clock.elapsed();
    if (signal.aborted || left <= 0) return;
    renewedAt = (await within(clock, left, tryHold(options, observed))) ?? renewedAt;
    if (observed.record && isHeldByAnother(observed.record, identity)) return;
  }
}

/** The result of `attempt`, or null when it takes longer than `ms`. */
async function within<T>(clock: Clock, ms: number, attempt: Promise<T>): Promise<T | null> {
  const timer = new AbortController();
  const tooLate = clock.sleep(ms, timer.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([attempt, tooLate]);
  } finally {
    timer.abort();
  }
}
