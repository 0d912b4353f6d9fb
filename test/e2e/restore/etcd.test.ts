import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import type { ControlPlane } from '../../../dev/platform/control-plane.ts';
import { startControlPlane } from '../../../dev/platform/control-plane.ts';
import type { Kubectl } from '../../../dev/platform/kubectl.ts';
import { createClusterClient } from '../../../dev/platform/cluster-client.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Reflector } from '../../../src/kubernetes/reflector.ts';
import { defaultTimes, startReflector } from '../../../src/kubernetes/reflector.ts';
import type { Store } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';

/**
 * A real etcd gets back the data of an earlier time while our caches watch: what they know then lies in a future that never
 * was. They must hold what the API server holds, and hear what is written afterwards. Were a restore not noticed, a cache
 * would go on with the lost history, and writes below the lost versions would not be heard.
 */

const configMaps: Kind<Held> = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const namespace = 'restored';
const deadlineMs = 240_000;
const healsWithinMs = 60_000;

let corner: Corner;
let dir: string;
let controlPlane: ControlPlane;
let kubectl: Kubectl;
let transport: Transport;
let store: Store<Held>;
let reflector: Reflector;
const stop = new AbortController();

const configMap = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { value },
});
const many = (count: number, value: string) =>
  Array.from({ length: count }, (_, index) => configMap(`filler-${index}`, value));

beforeAll(async () => {
  const tools = await findTools((line) => process.stderr.write(`${line}\n`));
  dir = temporaryFolder('etcd');
  corner = await takeCorner();
  controlPlane = await startControlPlane({ dir, tools, corner, node: false });
  kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  transport = createTransport(await connect(controlPlane.kubeconfig));
  store = createStore({}, () => undefined);
  /** Slow to come back, so that the restored API server may write a history of its own first. */
  const times = { ...defaultTimes, backoffMinMs: 3_000 };
  const select = { namespace };
  const options = {
    transport,
    kind: configMaps,
    store,
    log: silentLog,
    clock: systemClock,
    slices: createTimeSlices(systemClock.elapsed),
    select,
    times,
  };
  reflector = startReflector(options, stop.signal);
  await reflector.synced;
}, deadlineMs);

afterAll(async () => {
  stop.abort();
  await reflector.stopped;
  await transport.close();
  await controlPlane.stop();
  corner.release();
  rmSync(dir, { recursive: true, force: true });
}, deadlineMs);

interface Held extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const pictureOf = (items: readonly Held[]): readonly string[] =>
  items.map(({ metadata, data }) => `${metadata.name}@${metadata.resourceVersion} ${data?.value}`).toSorted();

/** Content and versions are compared: of two histories the same version may stand for different things. */
const agrees = () =>
  eventually('the cache holds what the API server holds', healsWithinMs, async () => {
    const seen = JSON.parse(await kubectl.run(['get', 'configmaps', '-n', namespace, '-o', 'json'])) as {
      readonly items: readonly Held[];
    };
    const [wanted, held] = [pictureOf(seen.items), pictureOf(store.list())];
    expectThat(held.join() === wanted.join(), `${held.length} held of ${wanted.length}`);
  });

/** Etcd as it is now, taken while nothing is written. */
async function takeSnapshot(): Promise<string> {
  const snapshot = mkdtempSync(join(tmpdir(), 'projectdomain-snapshot-'));
  await controlPlane.restoreEtcd((etcdDir) => cpSync(etcdDir, snapshot, { recursive: true }));
  return snapshot;
}

async function goBackTo(snapshot: string): Promise<void> {
  await controlPlane.restoreEtcd((etcdDir) => {
    rmSync(etcdDir, { recursive: true });
    cpSync(snapshot, etcdDir, { recursive: true });
  });
}

describe('an etcd that was restored while we watch', () => {
  it.each<[string, number]>([
    ['and is behind all that we know', 0],
    ['and has written past all that we know before we are back', 120],
  ])(
    '%s: the cache holds what is there, and hears what is written then',
    async (_, writtenAfterwards) => {
      await kubectl.apply(configMap('kept', 'before'), configMap('deleted-later', 'before'));
      const snapshot = await takeSnapshot();
      await kubectl.apply(...many(60, 'lost'), configMap('kept', 'lost'), configMap('lost', 'lost'));
      await kubectl.run(['delete', 'configmap', 'deleted-later', '-n', namespace]);
      await agrees();
      expect(store.get({ namespace, name: 'kept' })).toMatchObject({ data: { value: 'lost' } });

      await goBackTo(snapshot);
      rmSync(snapshot, { recursive: true });
      if (writtenAfterwards > 0) await kubectl.apply(...many(writtenAfterwards, 'anew'));
      await agrees();
      expect(store.get({ namespace, name: 'kept' })).toMatchObject({ data: { value: 'before' } });
      expect(store.get({ namespace, name: 'lost' })).toBeUndefined();
      expect(store.get({ namespace, name: 'deleted-later' })).toBeDefined();

      await kubectl.apply(configMap('kept', 'after'));
      await agrees();
      expect(store.get({ namespace, name: 'kept' })).toMatchObject({ data: { value: 'after' } });
    },
    deadlineMs,
  );
});
