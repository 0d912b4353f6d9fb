import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** A process that was started. */
export interface Child {
  /** Resolves to its exit status when it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly signal: (name: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2') => void;
}

export interface SuperviseOptions {
  readonly start: () => Child;
  /** resolves to whether its event loop turns; never rejects */
  readonly isAlive: () => Promise<boolean>;
  /** whether the API server beside it has all that it needs; from then on this process stays */
  readonly hasHandedOver: () => boolean;
  /** whether the operator is to log at another level than the one it was started with; SIGUSR2 tells it to switch */
  readonly isLevelSwitched: () => boolean;
  /** how long is waited before each look whether it is alive, in milliseconds */
  readonly lookEveryMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A process that was silent in so many looks in a row is killed. */
const silencesAtMost = 4;
const pauseMinMs = 1_000;
const pauseMaxMs = 60_000;
/** What ran for so long had begun well: the next pause is the shortest again. */
const ranWellMs = 300_000;

/**
 * Keeps the operator running and stays itself. The operator shares its Pod with the API server, and a Pod in which one
 * container ends again and again leaves its Services; so the operator is started again inside of its container
 * (docs/adr/0031). Before it has handed over what the API server needs, its end is the container's end, for everybody to
 * see. Resolves to the exit status once the signal has ended the operator.
 */
export async function supervise(options: SuperviseOptions, signal: AbortSignal): Promise<number> {
  const { start, hasHandedOver, clock, log } = options;
  let pauseMs = pauseMinMs;
  for (;;) {
    const startedAt = clock.elapsed();
    const status = await attend(options, start(), signal);
    if (signal.aborted || !hasHandedOver()) return status ?? 1;
    pauseMs = clock.elapsed() - startedAt > ranWellMs ? pauseMinMs : Math.min(pauseMs * 2, pauseMaxMs);
    log.error({ status, pauseMs }, 'the operator ended and is started again');
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    if (signal.aborted) return 0;
  }
}

/** Until the child has ended, on its own, by the signal, or because it was silent for too long. */
async function attend(options: SuperviseOptions, child: Child, signal: AbortSignal): Promise<number | null> {
  const stop = () => child.signal('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const over = new AbortController();
  const watching = watchOver(options, child, over.signal);
  const status = await child.ended;
  over.abort();
  signal.removeEventListener('abort', stop);
  await watching;
  return status;
}

/**
 * Looks at the child until it is over, and kills it when it was silent for too long. The log level is switched only in one
 * that answers: a signal that it does not listen to yet would end it.
 */
async function watchOver(options: SuperviseOptions, child: Child, over: AbortSignal): Promise<void> {
  const { isAlive, isLevelSwitched, lookEveryMs, clock, log } = options;
  let switched = false;
  for (let silences = 0; silences < silencesAtMost;) {
    await clock.sleep(lookEveryMs, over).catch(() => undefined);
    if (over.aborted) return;
    const alive = await isAlive();
    silences = alive ? 0 : silences + 1;
    if (alive && switched !== isLevelSwitched()) {
      child.signal('SIGUSR2');
      switched = !switched;
    }
  }
  log.error({}, 'the operator has been silent and is ended');
  child.signal('SIGKILL');
}
