import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import { kubeRequests, shown, sumOf, writesIn } from './kube-requests.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { startOperator, stopwatch } from './scale-operator.ts';
import type { Stage } from './stages.ts';
import { untilAllVisited, untilReady, visitsOf } from './steady.ts';

const idleForMs = 120_000;

/** An operator that visits everything, as each does that begins to lead, and then two minutes without a change. */
export const startStage: Stage = async ({ cluster, bounds, tell }) => {
  const seconds = stopwatch();
  const operator = await startOperator(cluster, bounds);
  await untilReady(operator);
  tell(`caches full after ${seconds()} s`);
  await untilAllVisited(operator);
  const requests = await kubeRequests(operator.metricsUrl);
  tell(`everything visited after ${seconds()} s: ${shown(requests)}`);
  const idleCores = await coresOf(operator, tell, cluster);
  await operator.part.stop();
  return [
    {
      what: 'writes of a start that visits everything, without the lease',
      found: sumOf(writesIn(requests)),
      atMost: 0,
    },
    { what: 'operator idle, cores', found: idleCores, atMost: bounds.idleCores },
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
