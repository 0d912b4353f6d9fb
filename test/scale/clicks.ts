import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/kubernetes/connection.ts';
import { watch } from '../../src/kubernetes/kubernetes-port.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import { createStores, startReflectors } from '../../src/kubernetes/watch-stores.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createTimeSlices } from '../../src/lib/time-slices.ts';
import { ProjectDomainKind } from '../../src/resources/kinds.ts';
import type { Import } from './import-domains.ts';
import { additionOf } from './import-domains.ts';
import { hostnameOf } from './made-names.ts';

const label = 'scale-click';
const planPath = '/apis/projectdomain.io/v1alpha1/plans/scale';
const everyMs = 500;
/** A changed plan is swept through all of its accounts' domains; changed again before that ends, so that a sweep always runs. */
const clicksPerSweep = 10;
const withinMs = 60_000;

/** Adds one prepared domain after the other while a sweep runs; seconds from each to its first verdict, the shortest first. */
export async function timeClicks({ cluster, api, size, first, count }: Import): Promise<readonly number[]> {
  const ending = new AbortController();
  const transport = createTransport(await connect(cluster.around.kubeconfig));
  const watched = { domains: watch(ProjectDomainKind, { labelSelector: label }) };
  const waiting = new Map<string, () => void>();
  const stores = createStores(watched, () => undefined);
  stores.domains.subscribe(({ object }) => {
    if (object.status?.check?.checkedAt !== undefined) waiting.get(object.spec.hostname)?.();
  });
  const slices = createTimeSlices(systemClock.elapsed);
  const options = { transport, log: silentLog, clock: systemClock, slices };
  const reflectors = startReflectors(watched, stores, { options, signal: ending.signal });
  const click = async (at: number): Promise<number> => {
    const number = first + at;
    const hostname = hostnameOf(number);
    const [method, url, object] = additionOf(number, size);
    const seen = new Promise<void>((done, fail) => {
      waiting.set(hostname, done);
      setTimeout(() => fail(new Error(`${hostname} has no verdict after a minute`)), withinMs).unref();
    });
    const begunAt = performance.now();
    const metadata = { ...object.metadata, labels: { [label]: 'yes' } };
    await api.send(method, url, { ...object, metadata });
    await seen;
    return (performance.now() - begunAt) / 1_000;
  };
  try {
    await Promise.all([...reflectors.values()].map(({ synced }) => synced));
    const times: Promise<number>[] = [];
    for (let at = 0; at < count; at += 1) {
      if (at % clicksPerSweep === 0)
        await api.send('PATCH', planPath, { spec: { customDomains: { maxPerProject: 1_001 + at } } });
      times.push(click(at));
      await sleep(everyMs);
    }
    return (await Promise.all(times)).toSorted((a, b) => a - b);
  } finally {
    ending.abort();
    await Promise.all([...reflectors.values()].map(({ stopped }) => stopped));
    await transport.close();
  }
}
