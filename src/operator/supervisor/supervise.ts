import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** A child process. */
export interface Child {
  /** Resolves to its exit status when it has exited; null when a signal killed it. */
  readonly ended: Promise<number | null>;
  readonly signal: (name: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2') => void;
}

export interface SuperviseOptions {
  readonly start: () => Child;
  /** resolves to whether the child's event loop runs; never rejects */
  readonly isAlive: () => Promise<boolean>;
  /** whether the API server in the same Pod has its credentials; from then on this process outlives the operator */
  readonly hasHandedOver: () => boolean;
  /** whether the operator is to log at another level than it was started with; SIGUSR2 makes it switch */
  readonly isLevelSwitched: () => boolean;
  /** pause before each liveness check, in milliseconds */
  readonly checkEveryMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The child is killed after this many failed liveness checks in a row. */
const failedChecksAtMost = 4;
/** One that has not answered yet still starts, for which a slow node needs its time: it is not killed before this. */
const startMs = 120_000;
const pauseMinMs = 1_000;
const pauseMaxMs = 60_000;
/** After a run of more than this, the next pause is the shortest again. */
const ranWellMs = 300_000;

/**
 * Keeps the operator running. The operator shares its Pod with the API server, and a Pod with a crash-looping container
 * drops out of its Services; so the operator is restarted inside its container (docs/adr/0031). Until it has handed the
 * API server its credentials, the container exits with it instead, so that the failure is visible. Resolves to the exit
 * status, in that case or once the signal has ended the operator.
 */
export async function supervise(options: SuperviseOptions, signal: AbortSignal): Promise<number> {
  const { start, hasHandedOver, clock, log } = options;
  let pauseMs = pauseMinMs;
  for (;;) {
    const startedAt = clock.elapsed();
    const status = await untilExited(options, start(), signal);
    if (signal.aborted || !hasHandedOver()) return status ?? 1;
    pauseMs = clock.elapsed() - startedAt > ranWellMs ? pauseMinMs : Math.min(pauseMs * 2, pauseMaxMs);
    log.error({ status, pauseMs }, 'the operator exited and will be restarted');
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return 0;
  }
}

/**
 * Waits until the child has exited: on its own, by the signal, or because it did not answer. Resolves to its status.
 */
async function untilExited(options: SuperviseOptions, child: Child, signal: AbortSignal): Promise<number | null> {
  const stop = () => child.signal('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const exited = new AbortController();
  const watching = checkUntilExited(options, child, exited.signal);
  const status = await child.ended;
  exited.abort();
  signal.removeEventListener('abort', stop);
  await watching;
  return status;
}

/**
 * Checks the child until it has exited, and kills it when it does not answer. SIGUSR2 is sent only to a child that
 * answers: one that does not handle the signal yet would be killed by it.
 */
async function checkUntilExited(options: SuperviseOptions, child: Child, exited: AbortSignal): Promise<void> {
  const { isAlive, isLevelSwitched, checkEveryMs, clock, log } = options;
  const startsUntil = clock.elapsed() + startMs;
  let switched = false;
  let hasAnswered = false;
  const isStarting = () => !hasAnswered && clock.elapsed() < startsUntil;
  for (let failedChecks = 0; failedChecks < failedChecksAtMost || isStarting();) {
    await clock.sleep(checkEveryMs, exited).catch(() => undefined);
    if (exited.aborted) return;
    const alive = await isAlive();
    hasAnswered ||= alive;
    failedChecks = alive ? 0 : failedChecks + 1;
    if (alive && switched !== isLevelSwitched()) {
      child.signal('SIGUSR2');
      switched = !switched;
    }
  }
  log.error({}, 'the operator does not answer and is killed');
  child.signal('SIGKILL');
}
