import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

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
  /** Gives the lease back, so that the next leader need not wait for it to expire. */
  release(): Promise<void>;
}

/**
 * Waits for the lease and holds it, by client-go's rules: another's lease counts as expired once *this* process has
 * seen no change of it for its duration, so clocks need not agree. Rejects only when the signal aborts.
 */
export async function becomeLeader(options: LeaderOptions, signal: AbortSignal): Promise<Leadership> {
  const seen = new Observation();
  while (!(await tryHold(options, seen))) await options.clock.sleep(retryMs * (1 + jitter * Math.random()), signal);
  const { identity, log } = options;
  log.info({ identity }, 'leading');
  const stop = new AbortController();
  const lost = keep(options, seen, AbortSignal.any([signal, stop.signal]));
  return {
    lost,
    async release() {
      stop.abort();
      await lost.catch(() => undefined);
      const { record } = seen;
      if (record?.holder === identity) await options.store.write({ ...record, holder: '', leaseDurationSeconds: 1 });
    },
  };
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

async function tryHold({ identity, store, clock, log }: LeaderOptions, seen: Observation): Promise<boolean> {
  try {
    const current = await store.read();
    if (seen.record === null || current?.version !== seen.record.version) seen.look(current, clock.now());
    if (current && isHeldByAnother(current, identity) && clock.now() < seen.at + current.leaseDurationSeconds * 1_000) {
      return false;
    }
    const record = nextRecord(identity, current, clock.now());
    if (!(await store.write(record))) return false;
    Object.assign(seen, { record: await store.read(), at: clock.now() });
    return seen.record?.holder === identity;
  } catch (error) {
    log.warn({ error: String(error) }, 'the leader lease could not be read or written');
    return false;
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

/** Renews every two seconds; ends when ten seconds went by without success, before the lease itself runs out. */
async function keep(options: LeaderOptions, seen: Observation, signal: AbortSignal): Promise<void> {
  const { clock } = options;
  let renewedAt = clock.now();
  while (!signal.aborted && clock.now() - renewedAt < renewDeadlineMs) {
    await clock.sleep(retryMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const held = await Promise.race([
      tryHold(options, seen),
      clock.sleep(Math.max(0, renewedAt + renewDeadlineMs - clock.now()), signal).then(
        () => false,
        () => false,
      ),
    ]);
    if (held) renewedAt = clock.now();
  }
}
