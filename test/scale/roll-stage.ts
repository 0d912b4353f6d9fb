import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { leastValues, renderChart, systemNamespace } from '../../dev/platform/chart.ts';
import { issuerName } from '../../dev/platform/services.ts';
import type { EndpointSlice } from '../../src/resources/kubernetes-types.ts';
import { redirectBackend, redirectorRecordName } from '../../src/routing/redirect-service.ts';
import { timeClicks } from './clicks.ts';
import { prepareImport } from './import-domains.ts';
import { madeTargets } from './made-objects.ts';
import { startOperator, stopwatch } from './scale-operator.ts';
import type { Stage } from './stages.ts';
import { untilFewWait, untilReady } from './steady.ts';

/** Pods before the roll, and those that take their place, one after the other. */
const before = ['192.0.2.21', '192.0.2.22', '192.0.2.23'];
const after = ['192.0.2.31', '192.0.2.32', '192.0.2.33'];
/** From a new Pod being ready until the Deployment ends an old one. */
const endsAfterMs = 500;
/** From then until the next new Pod is ready: its image is there, and it fills its caches. */
const readyAfterMs = 3_000;
const clicks = 100;
const clickSecondsAtMost = 2;
const withinMs = 600_000;

const slices = '/apis/discovery.k8s.io/v1';
const record = `/api/v1/namespaces/${systemNamespace}/configmaps/${redirectorRecordName}`;

/**
 * Every account has the redirector's slice, as where the operator orders itself; the redirector's three Pods are replaced as a Deployment
 * does, beside a Plan that is changed every five seconds and customers who add domains. How long each Pod that ends is still led to.
 */
export const rollStage: Stage = async ({ cluster, size, bounds, tell }) => {
  const { around, controlPlane } = cluster;
  const token = await adminToken(around.kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  await around.kubectl.apply(acmeIssuer);
  await showPods(api, before);
  const untilFirst = stopwatch();
  const operator = await startOperator(cluster, bounds, { issuer: { kind: 'AcmeIssuer', name: issuerName } });
  await untilReady(operator);
  await untilRecorded(api, 'the three Pods alone', (named) => named.join() === before.join());
  tell(`every account has its slice ${untilFirst()} s after the operator's start`);
  await untilFewWait(operator);
  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, first: size.domains, count: clicks };
  await prepareImport(operator, additions);

  const clicking = timeClicks(additions);
  const lingers = await roll(api);
  tell(`from its end to the last slice without it, s: ${lingers.join(', ')}`);
  const times = await clicking;
  const leading = await accountSlices(api);
  return [
    {
      what: "accounts with the redirector's slice that lead to its three new Pods",
      found: leading.filter((addresses) => addresses.join() === after.join()).length,
      atLeast: size.accounts,
    },
    {
      what: 'a redirector that ends, until no account leads to it, the longest of three, s',
      found: Math.max(...lingers),
      atMost: await lingerSeconds(around.tools.helm),
    },
    {
      what: 'Add beside that and beside sweeps to its first verdict, 99 of 100, s',
      found: Number(times[Math.ceil(times.length * 0.99) - 1]?.toFixed(2)),
      atMost: clickSecondsAtMost,
    },
  ];
};

/** Nobody orders here: it is what makes every account lead to the redirector. */
const acmeIssuer = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'AcmeIssuer',
  metadata: { name: issuerName },
  spec: { accounts: [{ name: 'none', server: 'https://acme.invalid/dir', keySecret: 'projectdomain-acme-account' }] },
};

/** Seconds from the end of each old Pod until no slice has its address. */
async function roll(api: BulkApi): Promise<readonly number[]> {
  const lingers: Promise<number>[] = [];
  for (const [at, ending] of before.entries()) {
    const ready = [...before.slice(at), ...after.slice(0, at + 1)];
    await showPods(api, ready);
    await sleep(endsAfterMs);
    await showPods(api, ready, ending);
    lingers.push(untilLeft(api, ending));
    await sleep(readyAfterMs);
  }
  return Promise.all(lingers);
}

/** As the Pod waits that ends: for the operator's record. What the record says is compared with the slices. */
async function untilLeft(api: BulkApi, address: string): Promise<number> {
  const seconds = stopwatch();
  await untilRecorded(api, `nothing of ${address}`, (named) => !named.includes(address));
  const taken = seconds();
  const leading = (await accountSlices(api)).filter((addresses) => addresses.includes(address));
  if (leading.length > 0) throw new Error(`the record left out ${address}, and ${leading.length} slices have it`);
  return taken;
}

/** What Kubernetes shows of the redirector's own Pods: one that ends is not ready. */
async function showPods(api: BulkApi, addresses: readonly string[], ending?: string): Promise<void> {
  const endpoints = addresses.map((address) => ({ addresses: [address], conditions: { ready: address !== ending } }));
  await api.send('PATCH', `${slices}/namespaces/${systemNamespace}/endpointslices/projectdomain-redirector`, {
    endpoints,
  });
}

const untilRecorded = (api: BulkApi, what: string, matches: (addresses: readonly string[]) => boolean): Promise<void> =>
  eventually(`the record names ${what}`, withinMs, async () => {
    const { data } = (await api.send('GET', record)) as { readonly data: { readonly addresses: string } };
    expectThat(matches(data.addresses.split(' ')), `it names ${data.addresses}`);
  });

/** The addresses in each account's slice. */
async function accountSlices(api: BulkApi): Promise<readonly (readonly string[])[]> {
  const ofAccounts = `labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${redirectBackend.name}`)}`;
  const { items } = (await api.send('GET', `${slices}/endpointslices?${ofAccounts}`)) as {
    readonly items: readonly EndpointSlice[];
  };
  return items.map(({ endpoints = [] }) => endpoints.flatMap(({ addresses }) => addresses));
}

/** How long a redirector goes on after the signal to stop, as the chart installs it. */
async function lingerSeconds(helm: string): Promise<number> {
  const rendered = await renderChart(helm, leastValues, ['redirector.yaml']);
  const configs = parseAllDocuments(rendered)
    .map((document) => document.toJS() as { readonly data?: Readonly<Record<string, string>> } | null)
    .flatMap((one) => one?.data?.['config.json'] ?? []);
  const { lingerMs, lingerAtMostMs } = JSON.parse(configs[0] ?? '{}') as {
    readonly lingerMs: number;
    readonly lingerAtMostMs: number;
  };
  return (lingerMs + lingerAtMostMs) / 1_000;
}
