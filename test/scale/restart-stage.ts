import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { timeClicks } from './clicks.ts';
import { prepareImport } from './import-domains.ts';
import { kubeRequests, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { startOperator, stopwatch } from './scale-operator.ts';
import type { Stage } from './stages.ts';
import { untilAllVisited, untilReady, visitsOf } from './steady.ts';
import { changeRoutes } from './while-away.ts';

const clicks = 100;
const clickSecondsAtMost = 2;
const routesChanged = 200;
/** The route; and of one that was removed the states of its domain and its project, twice, and two events. */
const writesForChangedRoute = 4;

/**
 * An operator that follows another one, after somebody changed routes while nobody led, and clicks beside its sweep. The kube-apiserver
 * has served one before, as any has that did not begin just now.
 */
export const restartStage: Stage = async ({ cluster, size, bounds, tell }) => {
  const { around, controlPlane } = cluster;
  const api = createBulkApi(controlPlane.server, {
    caFile: controlPlane.caFile,
    token: await adminToken(around.kubectl),
  });
  cluster.onStop(() => api.close());
  const former = await startOperator(cluster, bounds);
  await untilAllVisited(former);
  await former.part.stop();
  tell('a former operator has led and stopped');
  const untilMended = await changeRoutes(api, size, routesChanged);

  const seconds = stopwatch();
  const operator = await startOperator(cluster, bounds);
  await untilReady(operator);
  tell(`caches full after ${seconds()} s`);
  await untilMended();
  await untilAllVisited(operator);
  const restart = seconds();
  const requests = await kubeRequests(operator.metricsUrl);
  tell(`steady after ${restart} s: ${JSON.stringify(await visitsOf(operator))}; ${shown(requests)}`);

  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, first: size.domains, count: clicks };
  await prepareImport(operator, additions);
  const times = await timeClicks(additions);
  tell(
    `clicks: ${times
      .slice(-8)
      .map((one) => one.toFixed(2))
      .join(' ')}`,
  );
  tell(`a click: median ${times[times.length >> 1]?.toFixed(2)} s, longest ${times.at(-1)?.toFixed(2)} s`);
  return [
    { what: 'restart to steady, s', found: restart, atMost: bounds.restartSeconds },
    {
      what: `writes of a restart, without the lease, for each of ${routesChanged} routes that were changed`,
      found: sumOf(writesIn(requests)) / routesChanged,
      atMost: writesForChangedRoute,
    },
    {
      what: 'Add beside a sweep to its first verdict, 99 of 100, s',
      found: Number(times[Math.ceil(times.length * 0.99) - 1]?.toFixed(2)),
      atMost: clickSecondsAtMost,
    },
  ];
};
