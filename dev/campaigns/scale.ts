import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeCorner } from '../platform/address.ts';
import { renderClusterParts, systemNamespace } from '../platform/chart.ts';
import { startControlPlane } from '../platform/control-plane.ts';
import { accountObjects } from '../platform/demo-account.ts';
import { createClusterClient } from '../platform/cluster-client.ts';
import type { OurPart } from '../platform/ours.ts';
import { announceRedirector, startOurs } from '../platform/ours.ts';
import { installCertManagerKinds } from '../platform/services.ts';
import { findTools } from '../platform/tools.ts';
import { eventually, expectThat } from '../lib/eventually.ts';
import type { BulkApi } from './bulk.ts';
import { adminToken, createBulkApi } from './bulk.ts';
import { scrape } from './scrape.ts';

/**
 * An operator as it is shipped against a real API server with very many accounts: an edited Plan, a roll of the
 * redirector, a new leader, scrapes. True when no lease was lost and the event loop was never held for longer than
 * 200 ms. `SCALE_ACCOUNTS` (5,000) says how many accounts there are; each has a project and two domains.
 */
export async function scale(tell: (line: string) => void): Promise<boolean> {
  const accounts = Number(process.env.SCALE_ACCOUNTS ?? 5_000);
  const tools = await findTools(tell);
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-scale-'));
  const corner = await takeCorner();
  const undo: (() => Promise<void> | void)[] = [
    () => corner.release(),
    () => rmSync(dir, { recursive: true, force: true }),
  ];
  try {
    const controlPlane = await startControlPlane({ dir, tools, corner, node: false });
    undo.push(() => controlPlane.stop());
    const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
    await installCertManagerKinds(kubectl);
    await kubectl.run(['apply', '--server-side', '-f', '-'], await renderClusterParts(tools.helm));
    const around = { dir, tools, corner, kubeconfig: controlPlane.kubeconfig, kubectl };
    await announceRedirector(around);
    const token = await adminToken(kubectl);
    const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
    undo.push(() => api.close());
    await fill(api, accounts, tell);
    const platformContext = { around, controlPlane, acmeRoot: controlPlane.caFile, redisUrl: '' };
    const operator = await startOurs('operator', platformContext);
    undo.push(() => operator.part.stop());
    const watch = watchOperator(operator);
    undo.push(() => watch.stop());
    await runSteps({ api, operator, watch, accounts, tell });
    const lost = readFileSync(join(dir, 'logs/operator.log'), 'utf8').includes('lease is lost');
    tell(`lease lost: ${lost ? 'yes' : 'no'}; event loop held for ${watch.longestEverMs()} ms at most`);
    return !lost && watch.longestEverMs() <= 200;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

const own = { apiVersion: 'projectdomain.io/v1alpha1' } as const;
const path = '/apis/projectdomain.io/v1alpha1';
const nameOf = (index: number): string => `scale-${index}`;
const limits = (maxPerProject: number) => ({
  rateLimit: { requestsPerMinute: 60, requestsPerDay: 1_000 },
  customDomains: { enabled: true, maxPerProject },
});

async function fill(api: BulkApi, accounts: number, tell: (line: string) => void): Promise<void> {
  const plan = { ...own, kind: 'Plan', metadata: { name: 'scale' }, spec: limits(10) };
  await api.send('POST', `${path}/plans`, plan);
  const made = (index: number) => accountObjects(nameOf(index), 'scale');
  const each = (part: number, pathOf: (name: string) => string) =>
    api.each(accounts, (index) => ['POST', pathOf(nameOf(index)), made(index)[part] ?? {}]);
  const rates = [
    await each(1, () => '/api/v1/namespaces'),
    await each(2, (name) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`),
    await each(0, () => `${path}/accounts`),
    await api.each(accounts, (index) => [
      'POST',
      `${path}/namespaces/${nameOf(index)}/projects`,
      {
        ...own,
        kind: 'Project',
        metadata: { name: 'shop', namespace: nameOf(index) },
        spec: { service: { name: 'web', port: 80 }, subdomain: nameOf(index) },
      },
    ]),
    await api.each(accounts * 2, (index) => domainCall(Math.floor(index / 2), index % 2 === 0)),
  ];
  tell(`${accounts} accounts, ${accounts * 2} domains are made; calls a second by kind: ${rates.join(', ')}`);
}

function domainCall(account: number, isPrimary: boolean): readonly [string, string, object] {
  const namespace = nameOf(account);
  const primary = `www.${namespace}.example`;
  const spec = isPrimary
    ? { project: 'shop', hostname: primary, role: 'Primary' }
    : { project: 'shop', hostname: `old.${namespace}.example`, role: 'Redirect', redirect: { to: primary } };
  const metadata = { name: isPrimary ? 'www' : 'old', namespace };
  return ['POST', `${path}/namespaces/${namespace}/projectdomains`, { ...own, kind: 'ProjectDomain', metadata, spec }];
}

/** Scrapes every two seconds, as no Prometheus would; keeps the longest hold and scrape of a step, and the longest hold ever. */
function watchOperator({ metricsUrl }: OurPart) {
  let [longest, longestScrape, longestEver] = [0, 0, 0];
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const begunAt = performance.now();
      const metrics = await scrape(metricsUrl).catch(() => null);
      if (metrics) {
        longestScrape = Math.max(longestScrape, performance.now() - begunAt);
        longest = Math.max(longest, metrics('projectdomain_event_loop_delay_seconds', 'statistic="max"') * 1_000);
        longestEver = Math.max(longestEver, longest);
      }
      await sleep(2_000);
    }
  })();
  return {
    longestMs: () => Math.round(longest),
    longestEverMs: () => Math.round(longestEver),
    longestScrapeMs: () => Math.round(longestScrape),
    forget() {
      [longest, longestScrape] = [0, 0];
    },
    async stop() {
      stopped = true;
      await watching;
    },
  };
}

interface Steps {
  readonly api: BulkApi;
  readonly operator: OurPart;
  readonly watch: ReturnType<typeof watchOperator>;
  readonly accounts: number;
  readonly tell: (line: string) => void;
}

const settledWithinMs = 30 * 60_000;

async function runSteps({ api, operator, watch, accounts, tell }: Steps): Promise<void> {
  const visits = async (controller: string) =>
    (await scrape(operator.metricsUrl))('projectdomain_reconcile_total', `controller="${controller}"`);
  const drained = async (least: number) => {
    await eventually('all domains are visited and the queues are empty', settledWithinMs, async () => {
      const metrics = await scrape(operator.metricsUrl);
      const seen = metrics('projectdomain_reconcile_total', 'controller="projectDomain"');
      expectThat(seen >= least, `${seen} visits of domains of ${least}`);
      expectThat(metrics('projectdomain_queue_depth{') < 10, `${metrics('projectdomain_queue_depth{')} keys wait`);
    });
  };
  const step = async (name: string, act: () => Promise<void>) => {
    watch.forget();
    const begunAt = performance.now();
    await act();
    const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1);
    await sleep(3_000);
    tell(`${name}: ${seconds} s; held for ${watch.longestMs()} ms at most; scrape ${watch.longestScrapeMs()} ms`);
  };
  await step('first leader, everything new', () => drained(accounts * 2));
  await step('a Plan edited', async () => {
    const before = await visits('projectDomain');
    await api.send('PATCH', `${path}/plans/scale`, { spec: limits(11) });
    await drained(before + accounts * 2);
  });
  await step('redirector rolled, until no namespace leads to the old Pod', () => roll(api));
  await step('leader restarted', async () => {
    operator.part.signal('SIGTERM');
    await sleep(2_000);
    await drained(accounts * 2);
  });
  await step('ten scrapes', async () => {
    for (let count = 0; count < 10; count += 1) await scrape(operator.metricsUrl);
  });
}

const newAddress = '192.0.2.21';

async function roll(api: BulkApi): Promise<void> {
  const base = `/apis/discovery.k8s.io/v1/namespaces/${systemNamespace}/endpointslices/projectdomain-redirector`;
  await api.send('PATCH', base, { endpoints: [{ addresses: [newAddress], conditions: { ready: true } }] });
  const record = `/api/v1/namespaces/${systemNamespace}/configmaps/projectdomain-redirector-endpoints`;
  await eventually('the record names the new address alone', settledWithinMs, async () => {
    const seen = (await api.send('GET', record)) as { readonly data: { readonly addresses: string } };
    expectThat(seen.data.addresses === newAddress, `it names ${seen.data.addresses}`);
  });
}
