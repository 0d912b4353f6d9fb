import type { Log } from '../lib/log.ts';
import { collectionPath } from './object-keys.ts';
import type { Kind, KubernetesObject } from './kubernetes-port.ts';
import type { Transport } from './transport.ts';

export interface EventRecord {
  readonly about: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

const eventKind: Kind = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true };
const repeatAfterMs = 10 * 60_000;
const remembered = 10_000;
const inFlightAtMost = 50;

/** Records Kubernetes Events. Never throws; drops repetitions within ten minutes, and events beyond 50 in flight. */
export function createEventRecorder(
  transport: Transport,
  log: Log,
  now: () => number,
): (eventRecord: EventRecord) => void {
  const recordedAt = new Map<string, number>();
  let inFlight = 0;
  return (eventRecord) => {
    const { about, reason, message } = eventRecord;
    const identity = [about.metadata.uid, reason, message].join('\0');
    if (now() - (recordedAt.get(identity) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs || inFlight >= inFlightAtMost)
      return;
    if (recordedAt.size >= remembered) recordedAt.clear();
    recordedAt.set(identity, now());
    inFlight += 1;
    const event = eventOf(eventRecord, now());
    const path = collectionPath(eventKind, event.metadata.namespace);
    transport
      .call({ method: 'POST', path, body: event })
      .catch((error: unknown) => log.warn({ err: error, reason }, 'an event could not be written'))
      .finally(() => {
        inFlight -= 1;
      });
  };
}

/** A valid generateName: cut to length, and without a dot before the final hyphen. */
const prefixOf = (name: string): string => `${name.slice(0, 200).replace(/[^a-z0-9]+$/, '')}-`;

/** Events about cluster-scoped objects live in `default`, as Kubernetes' own do. */
function eventOf({ about, type, reason, message }: EventRecord, now: number) {
  const { name, namespace = 'default', uid } = about.metadata;
  return {
    apiVersion: eventKind.apiVersion,
    kind: eventKind.kind,
    metadata: { generateName: prefixOf(name), namespace },
    eventTime: new Date(now).toISOString().replace('Z', '000Z'),
    reportingController: 'projectdomain.io/operator',
    reportingInstance: `operator-${process.pid}`,
    action: 'Reconcile',
    type,
    reason,
    note: message.slice(0, 1024),
    regarding: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      uid,
      ...(about.metadata.namespace ? { namespace } : {}),
    },
  };
}
