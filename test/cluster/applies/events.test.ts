import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import type { EventRecord } from '../../../src/kubernetes/kubernetes-port.ts';
import { createEventRecorder } from '../../../src/kubernetes/event-recorder.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';

/** A real kube-apiserver takes Events and their series as they are sent. */

let controlPlane: SharedControlPlane;
let transport: Transport;
let recordEvent: (eventRecord: EventRecord) => void;
const ending = new AbortController();
const namespace = 'default';

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  transport = createTransport(await connect(controlPlane.kubeconfig));
}, controlPlaneDeadlineMs);

beforeEach(() => {
  recordEvent = createEventRecorder({ transport, log: silentLog, clock: systemClock }, ending.signal);
});

afterAll(async () => {
  ending.abort();
  await transport.close();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

const liveOf = (name: string): EventRecord => ({
  about: {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name, namespace, uid: `u-${name}` },
  },
  type: 'Normal',
  reason: 'Live',
  message: 'the domain is served',
});

interface Seen {
  readonly metadata: { readonly name: string };
  readonly note: string;
  readonly series?: { readonly count: number };
}

/** Resolves to the Events about an object once they look like this. */
const untilEventsOf = (name: string, look: (events: readonly Seen[]) => boolean): Promise<readonly Seen[]> =>
  eventually(`the events about ${name}`, 20_000, async () => {
    const args = ['get', 'events.events.k8s.io', '-n', namespace, '-o', 'json'];
    const { items } = JSON.parse(await controlPlane.kubectl.run(args)) as { readonly items: readonly Seen[] };
    const events = items.filter(({ metadata }) => metadata.name.startsWith(`${name}.`));
    expectThat(look(events), JSON.stringify(events));
    return events;
  });

it('an event that occurs twice is one Event with a series', async () => {
  recordEvent(liveOf('twice'));
  await untilEventsOf('twice', (events) => events.length === 1 && events[0]?.series === undefined);
  recordEvent(liveOf('twice'));
  const [event] = await untilEventsOf('twice', (events) => events[0]?.series?.count === 2);
  expect(event?.note).toBe('the domain is served');
});

it('an event whose Event has expired is created again with its series', async () => {
  recordEvent(liveOf('expired'));
  const [event] = await untilEventsOf('expired', (events) => events.length === 1);
  await controlPlane.kubectl.run(['delete', 'events.events.k8s.io', event?.metadata.name ?? '', '-n', namespace]);
  recordEvent(liveOf('expired'));
  await untilEventsOf('expired', (events) => events.length === 1 && events[0]?.series?.count === 2);
});
