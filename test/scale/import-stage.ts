import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { importDomains, prepareImport } from './import-domains.ts';
import { startInPod } from './in-pod.ts';
import { kubeRequests, requestsBetween, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { processors } from './processors.ts';
import { untilNothingIsWritten } from './quiet.ts';
import { scaleSettings } from './seed-cluster.ts';
import type { Stage } from './stages.ts';
import { checksOf, untilAllVisited } from './steady.ts';

const importedAtMost = 10_000;

/** As many domains again, 10,000 at most, from Add to Live: how fast, and with how many writes of the operator. */
export const importStage: Stage = async ({ cluster, size, bounds, tell }) => {
  const { around, controlPlane } = cluster;
  const token = await adminToken(around.kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  const player = await startCertificatePlayer(around.kubeconfig, cluster.edge);
  cluster.onStop(() => player.stop());
  const operator = await startInPod('operator', cluster, {
    settings: scaleSettings,
    limitBytes: bounds.limitBytes.operator,
    ...(processors.ours === undefined ? {} : { processor: processors.ours }),
  });
  cluster.onStop(() => operator.part.stop());
  await untilAllVisited(operator, size);
  const count = Math.min(size.domains, importedAtMost);
  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, count };
  tell(`${count} projects are made`);
  await prepareImport(operator, additions);
  const [before, looks, playedBefore] = [
    await kubeRequests(operator.metricsUrl),
    await checksOf(operator),
    player.writes(),
  ];
  const begunAt = performance.now();
  await importDomains(operator, additions);
  const seconds = (performance.now() - begunAt) / 1_000;
  await untilNothingIsWritten(operator);
  if (player.faults.length > 0) throw player.faults[0];
  const requests = requestsBetween(before, await kubeRequests(operator.metricsUrl));
  const after = await checksOf(operator);
  tell(`${count} domains Live after ${seconds.toFixed(1)} s: ${shown(requests)}`);
  const each = (amount: number) => Number((amount / count).toFixed(2));
  return [
    { what: 'imported to Live, domains a second', found: Number((count / seconds).toFixed(1)) },
    { what: "the operator's writes for each", found: each(sumOf(writesIn(requests))) },
    { what: "the player's writes for each", found: each(player.writes() - playedBefore) },
    { what: 'looks for each', found: each(after.checks - looks.checks) },
    { what: 'packets for each', found: each(after.packets - looks.packets) },
  ];
};
