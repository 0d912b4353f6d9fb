import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { adminToken } from '../../../dev/campaigns/bulk.ts';
import { scrape } from '../../../dev/campaigns/scrape.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { chartValues } from '../../../dev/platform/chart.ts';
import { createAcmeIssuer, startTraefik, traefikEdge } from '../../../dev/platform/services.ts';
import { platformDomain } from '../../../dev/platform/ours.ts';
import { watchedKinds } from '../../../src/controllers/watched-kinds.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { createStores, startReflectors } from '../../../src/kubernetes/watch-stores.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { importFaults, importLines } from '../../simulate/acme/import-lines.ts';
import { createImportTally } from '../../simulate/acme/import-tally.ts';
import { startLimitsProxy } from '../../support/limits-proxy.ts';
import { testPlatform, testStage } from '../../support/platform.ts';
import { crowdOf } from '../live/crowd-of-projects.ts';
import { addAll, importedNames, namesOfProject, zonesOf } from './imported-domains.ts';
import type { WalledResolver } from './walled-resolver.ts';
import { nowhere, startWalledResolver } from './walled-resolver.ts';

/**
 * `npm run campaign:import -- --names 10000`: an import with a fifth of its names broken, on a whole platform with an AcmeIssuer, at Pebble
 * behind a proxy that counts by Let's Encrypt's rules. Its windows are shorter than those, so that it ends within hours; the ledger is told the
 * same. Fails where the proxy had to refuse an order, a name that is right is not Live, one does not say what it waits for, or a reconcile failed.
 */
const { values } = parseArgs({
  options: {
    names: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '2500' },
    minutes: { type: 'string', default: '120' },
  },
});
const [count, orders, minutes] = [values.names, values.orders, values.minutes].map(Number) as [number, number, number];
const inRange = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
if (!inRange(count, 10, 10_000) || !inRange(orders, 10, 3_000) || !inRange(minutes, 1, 600)) {
  process.stderr.write(
    '--names is a whole number from 10 to 10000, --orders how many are allowed in five minutes, --minutes how long it may take\n',
  );
  process.exit(3);
}

const limits = {
  ...chartValues().issuer.limits,
  orders: { count: orders, seconds: 300 },
  registeredDomain: { count: 50, seconds: 900 },
};
/** With its default of two seconds, Traefik takes most of a processor at 10,000 Ingresses, and all is on two here. */
const routesFollowWithin = '15s';
/** What the operator said of reconciles that failed, the first few. */
const faultsLogged = (logFile: string): readonly string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('reconcile failed'))
    .slice(0, 10);
const dir = temporaryFolder('import');
mkdirSync(dir, { recursive: true });
const undo: (() => Promise<void> | void)[] = [() => rmSync(dir, { recursive: true, force: true })];
try {
  let resolver: WalledResolver | undefined;
  const platform = await testPlatform(true, {
    issuer: 'AcmeIssuer',
    platformTls: 'Default',
    orderLimits: limits,
    edge: { start: (around) => startTraefik(around, [], routesFollowWithin), routing: traefikEdge.routing },
    challengeZone: async (place) => (resolver = await startWalledResolver(place)),
  });
  undo.push(() => platform.stop());
  const { facts, kubectl, controlPlane, acme, dns } = platform;
  const address = facts.ingressAddress;
  resolver?.view.putZone(platformDomain, `* A ${address}\n*.cname A ${address}\n@ A ${address}`);
  const stage = testStage(platform, 600_000);
  undo.push(() => stage.close());
  const { directory, caFile } = acme;
  const proxy = await startLimitsProxy({ dir, address, port: 14_001, directory, caFile, limits });
  undo.push(() => proxy.stop());
  await createAcmeIssuer(kubectl, proxy);
  const kubeApi = { ...controlPlane, token: await adminToken(kubectl) };
  const names = importedNames(await crowdOf(stage, kubeApi, Math.ceil(count / namesOfProject))).slice(0, count);
  const elsewhere = nowhere(address);
  for (const [apex, text] of zonesOf(names, { elsewhere, walled: null })) dns.putZone(apex, text);
  for (const [apex, text] of zonesOf(names, { elsewhere, walled: elsewhere })) resolver?.view.putZone(apex, text);
  process.stderr.write(`${names.length} names are in DNS\n`);

  const broken: Error[] = [];
  const followed = { domains: watchedKinds.domains, claims: watchedKinds.claims };
  const stores = createStores(followed, (error) => void broken.push(new Error('a listener failed', { cause: error })));
  const tally = createImportTally(stores);
  const following = new AbortController();
  const transport = createTransport(await connect(facts.kubeconfig));
  const reading = { transport, log: silentLog, clock: systemClock, slices: createTimeSlices(systemClock.elapsed) };
  const reflectors = startReflectors(followed, stores, { options: reading, signal: following.signal });
  undo.push(async () => {
    following.abort();
    await Promise.all([...reflectors.values()].map(({ stopped }) => stopped));
    await transport.close();
  });

  const begunAt = performance.now();
  const right = new Set(names.flatMap(({ hostname, fate }) => (fate === 'right' ? [hostname] : [])));
  const live = () =>
    [...stores.domains.values()].filter(({ spec, status }) => right.has(spec.hostname) && status?.state === 'Live');
  const minutesPassed = () => ((performance.now() - begunAt) / 60_000).toFixed(1);
  const adding = addAll(names).then(
    () => void process.stderr.write(`all are added after ${minutesPassed()} min\n`),
    (error: unknown) => void broken.push(new Error('not all could be added', { cause: error })),
  );
  let done = 0;
  while (done < right.size && performance.now() - begunAt < minutes * 60_000) {
    await sleep(30_000);
    if (broken[0]) throw broken[0];
    done = live().length;
    process.stderr.write(`${done} of ${right.size} are Live, ${proxy.failed.size} orders failed\n`);
  }
  await adding;
  if (broken[0]) throw broken[0];
  const operator = await scrape((facts.metricsUrls.operator ?? '').replace(/\/metrics$/, ''));
  const fates = new Map(names.map(({ hostname, fate }) => [hostname, fate]));
  const report = tally.report({
    orders: proxy.orders,
    busiest: proxy.busiest(),
    refusals: proxy.refusals(),
    reconciles: operator('projectdomain_reconcile_total'),
    faults: operator('projectdomain_reconcile_total', 'result="error"'),
    hostnames: names.map(({ hostname }) => hostname),
    fateOf: (hostname) => fates.get(hostname) ?? 'right',
  });
  process.stdout.write(`${importLines(report, `${orders} in 5 min`).join('\n')}\n`);
  process.stderr.write(`after ${minutesPassed()} min, ${report.reconciles} reconciles, ${report.faults} failed\n`);
  const faults = importFaults(report);
  for (const fault of [...faults, ...faultsLogged(join(dirname(facts.kubeconfig), 'logs/operator.log'))])
    process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  for (const step of undo.reverse()) await step();
}
