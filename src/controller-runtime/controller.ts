import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { withinDeadline } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import type { ReconcileResult } from './actions.ts';
import type { ReconcileWrites, WriteCounts } from './reconcile-writes.ts';
import type { WorkQueue } from './work-queue.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { Tracer } from '../lib/tracer.ts';

export interface ControllerOptions {
  readonly name: string;
  readonly queue: WorkQueue;
  readonly workers: number;
  /** `isScheduled`: nothing happened to the key since its last reconcile, only its time came */
  readonly reconcile: (key: string, signal: AbortSignal, isScheduled: boolean) => Promise<ReconcileResult>;
  readonly log: Log;
  readonly clock: Clock;
  /** shared by all controllers of a process, so that many reconciles that await no I/O do not block the event loop */
  readonly slices: TimeSlices;
  /** counts what each reconcile writes, for its log line */
  readonly writes: ReconcileWrites;
  readonly tracer: Tracer;
  /** true where keys are names of customers' keys, which traces do not name */
  readonly hasSecretKeys?: boolean;
  /** called after each reconcile; `ms` is its duration */
  readonly observe: (reconcile: { readonly name: string; readonly failed: boolean; readonly ms: number }) => void;
  /** true for an error that only means the object changed meanwhile: reconciled again soon, without a log line */
  readonly isStale: (error: unknown) => boolean;
}

const reconcileDeadlineMs = 60_000;
/** A version conflict disappears as soon as the cache has caught up. */
const staleRequeueMs = 200;
/** After this many conflicts in a row, a conflict is handled as a fault and backs off. */
const staleInARowAtMost = 10;

/** Processes the queue until the signal aborts; resolves when the last reconcile has ended. */
export async function runController(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const run = { ...options, staleInARow: new Map<string, number>() };
  await Promise.all(Array.from({ length: options.workers }, () => work(run, signal)));
}

interface Run extends ControllerOptions {
  readonly staleInARow: Map<string, number>;
}

async function work(run: Run, signal: AbortSignal): Promise<void> {
  const { name, queue, log, clock, slices, writes, tracer } = run;
  for (let key = await queue.take(signal); key !== null; key = await queue.take(signal)) {
    const taken = key;
    await slices.next();
    const startedAt = clock.elapsed();
    const reconcileId = randomUUID();
    const trace = tracer.start(`reconcile ${name}`, {
      'projectdomain.controller': name,
      'projectdomain.reconcile_id': reconcileId,
      ...(run.hasSecretKeys ? {} : { 'projectdomain.key': taken }),
    });
    const failed = await trace.within(() =>
      log.within({ controller: name, key: taken, reconcileId }, () =>
        writes.during((counts) => reconcileKey(run, { key: taken, counts }, signal)),
      ),
    );
    trace.end({ attributes: {}, failed });
    queue.done(key, clock.elapsed() - startedAt);
  }
}

interface Taken {
  readonly key: string;
  /** what this reconcile has written */
  readonly counts: () => WriteCounts;
}

/** Resolves to whether it failed. */
async function reconcileKey(run: Run, { key, counts }: Taken, signal: AbortSignal): Promise<boolean> {
  const { name, queue, reconcile, log, clock, observe, staleInARow } = run;
  const startedAt = clock.elapsed();
  let failed: boolean;
  try {
    const result = await withinDeadline({ ms: reconcileDeadlineMs, signal }, (ends) =>
      reconcile(key, ends, queue.isScheduled(key)),
    );
    staleInARow.delete(key);
    // What the cluster refused is no error here, and has failed all the same.
    failed = result.refused !== undefined;
    if (failed) retry(run, key, result.refused);
    else queue.forget(key);
    requeue(queue, key, { ...result, tookMs: clock.elapsed() - startedAt });
  } catch (error) {
    failed = !isToleratedConflict(run, key, error);
    if (failed) retry(run, key, error);
    else queue.add(key, { isAhead: true, delayMs: staleRequeueMs });
  }
  const ms = clock.elapsed() - startedAt;
  log.debug({ ms, failed, writes: counts() }, 'reconciled');
  observe({ name, failed, ms });
  return failed;
}

function retry({ log, queue }: Run, key: string, error: unknown): void {
  log.warn({ err: error }, 'reconcile failed and will be tried again');
  queue.retry(key);
}

function requeue(
  queue: WorkQueue,
  key: string,
  { requeueAfterMs, isAwaited, tookMs }: ReconcileResult & { readonly tookMs: number },
): void {
  if (requeueAfterMs === undefined) return;
  if (isAwaited) queue.recheckAhead(key, requeueAfterMs, tookMs);
  else queue.recheck(key, requeueAfterMs);
}

function isToleratedConflict({ isStale, staleInARow }: Run, key: string, error: unknown): boolean {
  if (!isStale(error)) return false;
  const count = (staleInARow.get(key) ?? 0) + 1;
  staleInARow.set(key, count);
  return count <= staleInARowAtMost;
}
