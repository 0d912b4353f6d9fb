import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { startOperatorWatches } from '../../../src/operator/operator-watches.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { routes } from '../../support/snapshot.ts';

/** The operator's one watch of Ingresses, of a real kube-apiserver: others are found by their hostnames while they are there, and never among ours. */

const hostname = 'www.other-ingresses.test';
const namespace = 'other-ingresses';
const seenWithinMs = 60_000;
let controlPlane: SharedControlPlane;
let transport: Transport;
const ending = new AbortController();

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  transport = createTransport(await connect(controlPlane.kubeconfig));
}, controlPlaneDeadlineMs);

afterAll(async () => {
  ending.abort();
  await transport.close();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

const ingress = (name: string, path = '/') => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, namespace } },
  spec: {
    ingressClassName: 'traefik',
    rules: [
      {
        host: hostname,
        http: { paths: [{ path, pathType: 'Prefix', backend: { service: { name: 'old', port: { number: 80 } } } }] },
      },
    ],
  },
});

it(
  'tells them apart, those that were there first and those that come and go',
  async () => {
    const { kubectl } = controlPlane;
    await kubectl.run(['create', 'namespace', namespace]);
    for (const name of ['first', childName(hostname)]) await kubectl.apply(ingress(name));
    await kubectl.apply(ingress('solver', '/.well-known/acme-challenge/token'));
    const stores = createOperatorStores(routes, (error) => {
      throw error;
    });
    const slices = createTimeSlices(systemClock.elapsed);
    const options = { transport, log: silentLog, clock: systemClock, slices };
    startOperatorWatches({ routes, stores }, options, ending.signal);
    const seen = () => ({
      ours: [...stores.routes.keysIn('ingresses')].flatMap((key) => (key.namespace === namespace ? [key.name] : [])),
      others: stores.otherIngresses.byIndex('host', hostname).map(({ metadata }) => metadata.name),
    });
    const become = (others: readonly string[]) =>
      eventually(`others are ${others.join(' and ')}`, seenWithinMs, () => {
        const [now, wanted] = [seen(), { ours: [childName(hostname)], others }].map((one) => JSON.stringify(one));
        expectThat(now === wanted, `they are ${now}`);
        return Promise.resolve();
      });
    await become(['first']);
    await kubectl.apply(ingress('second'));
    await become(['first', 'second']);
    await kubectl.run(['delete', 'ingress', 'first', '-n', namespace]);
    await become(['second']);
    expect(seen().others).toEqual(['second']);
  },
  4 * seenWithinMs,
);
