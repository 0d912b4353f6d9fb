import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The part of coordination.k8s.io/v1 Lease that an election needs. */
export interface LeaseRecord {
  readonly holder: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339 with microseconds */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
  /** opaque; a write with an outdated one is refused */
  readonly version: string | null;
}

/** Reading and writing the one lease. `write` resolves to false when somebody else wrote first. */
export interface LeaseStore {
  read(): Promise<LeaseRecord | null>;
  write(record: LeaseRecord): Promise<boolean>;
}

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
  /** Resolves when the lease could not be renewed in time, or somebody else has it. The process must end. */
  readonly lost: Promise<void>;
  /** Renewing goes on until now. Gives the lease back, so that the next leader need not wait for it to expire. */
  release(): Promise<void>;
}

/**
 * Waits for the lease and holds it, by client-go's rules: another's lease counts as expired once *this* process has
 * seen no change of it for its duration, so clocks need not agree. Rejects only when the signal aborts
 * while it waits; once it leads, only release() ends that, as work that winds down still needs the lease.
 */
export async function becomeLeader(options: LeaderOptions, signal: AbortSignal): Promise<Leadership> {
  const seen = new Observation();
  let since = await tryHold(options, seen);
  while (since === null) {
    await options.clock.sleep(retryMs * (1 + jitter * Math.random()), signal);
    since = await tryHold(options, seen);
  }
  options.log.info({ identity: options.identity }, 'leading');
  const stop = new AbortController();
  const lost = keep(options, { seen, since }, stop.signal);
  return {
    lost,
    async release() {
      stop.abort();
      await lost;
      await giveBack(options, seen);
    },
  };
}

async function giveBack({ identity, store, log }: LeaderOptions, { record }: Observation): Promise<void> {
  if (record?.holder !== identity) return;
  try {
    await store.write({ ...record, holder: '', leaseDurationSeconds: 1 });
  } catch (error) {
    log.warn({ err: error }, 'the leader lease could not be given back and will expire');
  }
}

/** The record as last read, and since when it has looked like this. */
class Observation {
  record: LeaseRecord | null = null;
  at = 0;

  look(record: LeaseRecord | null, now: number): void {
    this.record = record;
    this.at = now;
  }
}

/**
 * Takes or renews the lease. Resolves to the time from which it counts, or null. It counts from the beginning of the
 * attempt: others may have seen the write long before its answer came back here.
 */
async function tryHold({ identity, store, clock, log }: LeaderOptions, seen: Observation): Promise<number | null> {
  const startedAt = clock.elapsed();
  try {
    const current = await store.read();
    if (seen.record === null || current?.version !== seen.record.version) seen.look(current, clock.elapsed());
    if (
      current &&
      isHeldByAnother(current, identity) &&
      clock.elapsed() < seen.at + current.leaseDurationSeconds * 1_000
    ) {
      return null;
    }
    const record = nextRecord(identity, current, clock.now());
    if (!(await store.write(record))) return null;
    seen.look(await store.read(), clock.elapsed());
    const inTime = clock.elapsed() - startedAt < renewDeadlineMs;
    return inTime && seen.record?.holder === identity ? startedAt : null;
  } catch (error) {
    log.warn({ err: error }, 'the leader lease could not be read or written');
    return null;
  }
}

const isHeldByAnother = ({ holder }: LeaseRecord, identity: string): boolean => holder !== '' && holder !== identity;

function nextRecord(identity: string, current: LeaseRecord | null, now: number): LeaseRecord {
  const time = new Date(now).toISOString().replace('Z', '000Z');
  const mine = current?.holder === identity;
  return {
    holder: identity,
    leaseDurationSeconds: leaseMs / 1_000,
    acquireTime: mine ? current.acquireTime : time,
    renewTime: time,
    transitions: (current?.transitions ?? 0) + (mine ? 0 : 1),
    version: current?.version ?? null,
  };
}

/**
 * Renews every two seconds; ends when ten seconds went by without success, before the lease itself runs out, or when
 * another holds it. An attempt under way is waited for, so that it cannot take back a lease that is then released.
 */
async function keep(
  options: LeaderOptions,
  { seen, since }: { readonly seen: Observation; readonly since: number },
  signal: AbortSignal,
): Promise<void> {
  const { clock, identity } = options;
  let renewedAt = since;
  for (;;) {
    await clock.sleep(retryMs, signal).catch(() => undefined);
    const left = renewedAt + renewDeadlineMs - clock.elapsed();
    if (signal.aborted || left <= 0) return;
    renewedAt = (await within(clock, left, tryHold(options, seen))) ?? renewedAt;
    if (seen.record && isHeldByAnother(seen.record, identity)) return;
  }
}

/** What `attempt` resolves to, or null when it takes longer than `ms`. */
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
