import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { importDomains, prepareImport } from './import-domains.ts';
import { startInPod } from './in-pod.ts';
import { kubeRequests, requestsBetween, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { recordWrites } from './recorded-writes.ts';
import { replayWrites } from './replay.ts';
import { untilNothingIsWritten } from './quiet.ts';
import { scaleSettings } from './seed-cluster.ts';
import type { Stage } from './stages.ts';
import { checksOf, untilAllVisited } from './steady.ts';

/** The operator's writes and the player's a second, beside those of a client that does nothing else. */
const rateAtLeast = 0.8;

/** Domains that are added at once, from Add to Live: how fast, with how many writes, and beside a plain client. */
export const importStage: Stage = async ({ cluster, size, bounds, imported: count, tell }) => {
  const { around, controlPlane } = cluster;
  const token = await adminToken(around.kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  tell('the writes of one domain are recorded on a small cluster');
  const recorded = await recordWrites(() => undefined);
  const player = await startCertificatePlayer(around.kubeconfig, cluster.edge);
  cluster.onStop(() => player.stop());
  const operator = await startInPod('operator', cluster, {
    settings: scaleSettings,
    limitBytes: bounds.limitBytes.operator,
  });
  cluster.onStop(() => operator.part.stop());
  await untilAllVisited(operator);
  const made = madeTargets(await cluster.records(), size);
  const additions = { cluster, api, size, made, first: size.domains, count };
  const replayed = { ...additions, first: size.domains + count };
  tell(`${2 * count} projects are made, half of them for the plain client`);
  await prepareImport(operator, additions);
  await prepareImport(operator, replayed);
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
  const played = player.writes() - playedBefore;
  await operator.part.stop();
  await player.stop();
  const numbers = Array.from({ length: count }, (_, at) => replayed.first + at);
  const plainSeconds = await replayWrites({ cluster, recorded, size, made, numbers, token });
  const events = (requests.get('create events') ?? 0) + (requests.get('patch events') ?? 0);
  const written = sumOf(writesIn(requests)) + events + played + count;
  const [rate, plainRate] = [written / seconds, (recorded.writes.length * count) / plainSeconds];
  tell(`writes a second: ${rate.toFixed(0)}, of the plain client ${plainRate.toFixed(0)}`);
  const each = (amount: number) => Number((amount / count).toFixed(2));
  return [
    { what: 'imported to Live, domains a second', found: Number((count / seconds).toFixed(1)) },
    { what: 'the same by a plain client, domains a second', found: Number((count / plainSeconds).toFixed(1)) },
    {
      what: 'writes a second, as a share of those of the plain client',
      found: Number((rate / plainRate).toFixed(2)),
      atLeast: rateAtLeast,
    },
    { what: 'the writes of one domain that the plain client replays', found: recorded.writes.length },
    { what: "the operator's writes for each", found: each(sumOf(writesIn(requests))) },
    { what: "the player's writes for each", found: each(played) },
    { what: 'looks for each', found: each(after.checks - looks.checks) },
    { what: 'packets for each', found: each(after.packets - looks.packets) },
  ];
};
