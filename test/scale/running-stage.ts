import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import { timeClicks } from './clicks.ts';
import { prepareImport } from './import-domains.ts';
import { startInPod } from './in-pod.ts';
import { kubeRequests, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { processors } from './processors.ts';
import { scaleSettings } from './seed-cluster.ts';
import type { Stage } from './stages.ts';
import { untilAllVisited, untilReady } from './steady.ts';

const idleForMs = 120_000;
const clicks = 100;
const clickSecondsAtMost = 2;

/** One operator from its start on: until everything is visited, then two minutes without a change, then clicks beside a sweep. */
export const runningStage: Stage = async ({ cluster, size, bounds, tell }) => {
  const { around, controlPlane } = cluster;
  const token = await adminToken(around.kubectl);
  const begunAt = performance.now();
  const seconds = () => Number(((performance.now() - begunAt) / 1_000).toFixed(1));
  const operator = await startInPod('operator', cluster, {
    settings: scaleSettings,
    limitBytes: bounds.limitBytes.operator,
    ...(processors.ours === undefined ? {} : { processor: processors.ours }),
  });
  cluster.onStop(() => operator.part.stop());
  await untilReady(operator);
  tell(`caches full after ${seconds()} s`);
  await untilAllVisited(operator, size);
  const restart = seconds();
  const requests = await kubeRequests(operator.metricsUrl);
  const writes = writesIn(requests);
  tell(`everything visited after ${restart} s: ${shown(requests)}`);
  const used = watchProcessor({ operator: operator.part.pid, apiServer: controlPlane.parts.apiServer.pid });
  await sleep(idleForMs);
  const { byPart } = used();
  tell(`idle: kube-apiserver ${byPart.apiServer?.toFixed(3)} cores`);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, first: size.domains, count: clicks };
  await prepareImport(operator, additions);
  const times = await timeClicks(additions);
  tell(`a click: median ${times[times.length >> 1]?.toFixed(2)} s, longest ${times.at(-1)?.toFixed(2)} s`);
  return [
    { what: 'start to everything visited, s', found: restart, atMost: bounds.restartSeconds },
    { what: 'writes until then, without the lease', found: sumOf(writes), atMost: 0 },
    { what: 'operator idle, cores', found: Number(byPart.operator?.toFixed(3)), atMost: bounds.idleCores },
    {
      what: 'Add beside a sweep to its first verdict, 99 of 100, s',
      found: Number(times[Math.ceil(times.length * 0.99) - 1]?.toFixed(2)),
      atMost: clickSecondsAtMost,
    },
  ];
};
