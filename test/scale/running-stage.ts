import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import { timeClicks } from './clicks.ts';
import { prepareImport } from './import-domains.ts';
import { startInPod } from './in-pod.ts';
import { kubeRequests, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { scaleSettings } from './seed-cluster.ts';
import type { Bounds, Stage } from './stages.ts';
import { untilAllVisited, untilFewWait, untilReady, visitsOf } from './steady.ts';
import { changeRoutes, untilCheckpoint } from './while-away.ts';

const idleForMs = 120_000;
const clicks = 100;
const clickSecondsAtMost = 2;
const routesChanged = 200;
/** The route; and of one that was removed the states of its domain and its project, twice, and two events. */
const writesForChangedRoute = 4;

/**
 * One operator that finds a cluster without a checkpoint and visits everything, and then two minutes without a change; another one that
 * follows it, after somebody changed routes while nobody led, and clicks beside its sweep.
 */
export const runningStage: Stage = async ({ cluster, size, bounds, tell }) => {
  const { around, controlPlane } = cluster;
  const api = createBulkApi(controlPlane.server, {
    caFile: controlPlane.caFile,
    token: await adminToken(around.kubectl),
  });
  cluster.onStop(() => api.close());

  const sinceFirst = stopwatch();
  const first = await startOperator(cluster, bounds);
  await untilReady(first);
  tell(`first start: caches full after ${sinceFirst()} s`);
  await untilAllVisited(first);
  const visitsAll = await kubeRequests(first.metricsUrl);
  tell(`first start: everything visited after ${sinceFirst()} s: ${shown(visitsAll)}`);
  const idleCores = await coresOf(first, tell, cluster);
  await untilCheckpoint(api);
  await first.part.stop();
  const untilMended = await changeRoutes(api, size, routesChanged);

  const sinceRestart = stopwatch();
  const operator = await startOperator(cluster, bounds);
  await untilReady(operator);
  tell(`restart: caches full after ${sinceRestart()} s`);
  await untilMended();
  await untilFewWait(operator);
  const restart = sinceRestart();
  const restartRequests = await kubeRequests(operator.metricsUrl);
  tell(`restart: steady after ${restart} s: ${JSON.stringify(await visitsOf(operator))}; ${shown(restartRequests)}`);

  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, first: size.domains, count: clicks };
  await prepareImport(operator, additions);
  const times = await timeClicks(additions);
  tell(`a click: median ${times[times.length >> 1]?.toFixed(2)} s, longest ${times.at(-1)?.toFixed(2)} s`);
  return [
    {
      what: 'writes of a start that visits everything, without the lease',
      found: sumOf(writesIn(visitsAll)),
      atMost: 0,
    },
    { what: 'restart to steady, s', found: restart, atMost: bounds.restartSeconds },
    {
      what: `writes of a restart, without the lease, for each of ${routesChanged} routes that were changed`,
      found: sumOf(writesIn(restartRequests)) / routesChanged,
      atMost: writesForChangedRoute,
    },
    { what: 'operator idle, cores', found: idleCores, atMost: bounds.idleCores },
    {
      what: 'Add beside a sweep to its first verdict, 99 of 100, s',
      found: Number(times[Math.ceil(times.length * 0.99) - 1]?.toFixed(2)),
      atMost: clickSecondsAtMost,
    },
  ];
};

/** What an operator uses that has visited everything: of what there is it only checks DNS, each domain at its own time. */
async function coresOf(
  operator: OurPart,
  tell: (line: string) => void,
  { controlPlane }: ScaleCluster,
): Promise<number> {
  const before = await visitsOf(operator);
  const used = watchProcessor({ operator: operator.part.pid, apiServer: controlPlane.parts.apiServer.pid });
  await sleep(idleForMs);
  const { byPart } = used();
  const after = await visitsOf(operator);
  const visits = Object.entries(after).map(
    ([kind, count]) => `${count - before[kind as keyof typeof before]} of ${kind}`,
  );
  tell(`idle: kube-apiserver ${byPart.apiServer?.toFixed(3)} cores; visits: ${visits.join(', ')}`);
  return Number(byPart.operator?.toFixed(3));
}

async function startOperator(cluster: ScaleCluster, { limitBytes }: Bounds): Promise<OurPart> {
  const operator = await startInPod('operator', cluster, {
    settings: scaleSettings,
    limitBytes: limitBytes.operator,
  });
  cluster.onStop(() => operator.part.stop());
  return operator;
}

/** Seconds since it was called, with one decimal. */
function stopwatch(): () => number {
  const begunAt = performance.now();
  return () => Number(((performance.now() - begunAt) / 1_000).toFixed(1));
}
