import { randomBytes } from 'node:crypto';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { visible } from '../lib/printable.ts';
import type { EventObject } from './event-series.ts';
import { createEventSeries, finishMs, microTime } from './event-series.ts';
import { isNotFound } from './kubernetes-errors.ts';
import type { EventRecord, Kind } from './kubernetes-port.ts';
import { collectionPath, objectPath } from './object-keys.ts';
import type { Transport } from './transport.ts';

export interface EventRecorderDependencies {
  readonly transport: Transport;
  readonly log: Log;
  readonly clock: Clock;
}

const eventKind: Kind = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true };
const inFlightAtMost = 50;
/** client-go, tools/events: refreshTime, half an hour */
const refreshEveryRounds = 5;

/**
 * Records Kubernetes Events by client-go's rules of series and of spam, until the signal aborts. Never throws; drops
 * events beyond 50 in flight, of which a later occurrence is written instead.
 */
export function createEventRecorder(
  { transport, log, clock }: EventRecorderDependencies,
  signal: AbortSignal,
): (eventRecord: EventRecord) => void {
  const series = createEventSeries(clock.now);
  const isAllowed = createEventSpamFilter(clock.elapsed);
  let inFlight = 0;
  const send = (event: EventObject): Promise<void> =>
    write(transport, event).catch((error: unknown) =>
      log.warn({ err: error, reason: event.reason }, 'an event could not be written'),
    );
  /** Writes the counts of series, one after the other. */
  const writeCounts = async () => {
    for (let round = 1; !signal.aborted; round += 1) {
      await clock.sleep(finishMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const refreshed = round % refreshEveryRounds === 0 ? series.refresh() : [];
      for (const event of [...series.finish(), ...refreshed]) await send(event);
    }
  };
  void writeCounts();
  return (eventRecord) => {
    const event = eventOf(eventRecord, clock.now());
    if (!isAllowed(JSON.stringify(event.regarding))) return;
    const due = series.occurred(event);
    if (!due || inFlight >= inFlightAtMost) return;
    inFlight += 1;
    void send(due).finally(() => {
      inFlight -= 1;
    });
  };
}

/** Creates the Event; one with a series exists, so its series is changed, and created where it does not exist after all. */
async function write(transport: Transport, event: EventObject): Promise<void> {
  const { series, metadata } = event;
  const create = () =>
    transport.call({ method: 'POST', path: collectionPath(eventKind, metadata.namespace), body: event });
  if (!series) return void (await create());
  try {
    const contentType = 'application/strategic-merge-patch+json';
    await transport.call({ method: 'PATCH', path: objectPath(eventKind, metadata), body: { series }, contentType });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await create();
  }
}

const noteBytes = 1_024;

/** On one line, and as long as the kube-apiserver permits, which counts bytes (k8s.io/kubernetes, validation of events: NoteLengthLimit). */
function noteOf(message: string): string {
  const note = visible(message);
  if (Buffer.byteLength(note) <= noteBytes) return note;
  const room = new Uint8Array(noteBytes - Buffer.byteLength('…'));
  return `${note.slice(0, new TextEncoder().encodeInto(note, room).read)}…`;
}

/** A name that no other event has: the object's, cut to length, and something random. */
const nameOf = (name: string): string =>
  `${name.slice(0, 200).replace(/[^a-z0-9]+$/, '')}.${randomBytes(8).toString('hex')}`;

/** Events about cluster-scoped objects live in `default`, as Kubernetes' own do. */
function eventOf({ about, type, reason, message }: EventRecord, now: number): EventObject {
  const { name, namespace = 'default', uid } = about.metadata;
  return {
    apiVersion: eventKind.apiVersion,
    kind: eventKind.kind,
    metadata: { name: nameOf(name), namespace },
    eventTime: microTime(now),
    reportingController: 'projectdomain.io/operator',
    reportingInstance: `operator-${process.pid}`,
    action: 'Reconcile',
    type,
    reason,
    note: noteOf(message),
    regarding: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      uid,
      ...(about.metadata.namespace ? { namespace } : {}),
    },
  };
}

/** The figures of client-go's EventSourceObjectSpamFilter (tools/record, events_cache.go). */
const burst = 25;
const refillMs = 300_000;
const remembered = 4_096;

/**
 * Limits the events about one object, whatever they say: 25 at once, then one every five minutes. The function tells
 * whether one more may be recorded, which then counts. `elapsed`: monotonic milliseconds.
 */
function createEventSpamFilter(elapsed: () => number): (object: string) => boolean {
  const buckets = createBoundedMap<{ readonly tokens: number; readonly at: number }>(remembered);
  return (object) => {
    const at = elapsed();
    const before = buckets.get(object) ?? { tokens: burst, at };
    const tokens = Math.min(burst, before.tokens + (at - before.at) / refillMs);
    const isAllowed = tokens >= 1;
    buckets.set(object, { tokens: isAllowed ? tokens - 1 : tokens, at });
    return isAllowed;
  };
}
