import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import type { Import } from './import-domains.ts';
import { importDomains, prepareImport } from './import-domains.ts';
import { kubeRequests, requestsBetween, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { memoryOf } from './memory-stage.ts';
import { moveThisProcessToOurs } from './processors.ts';
import { untilNothingIsWritten } from './quiet.ts';
import { recordWrites } from './recorded-writes.ts';
import { replayWrites } from './replay.ts';
import { startOperator } from './scale-operator.ts';
import type { Bounds, Stage } from './stages.ts';
import { checksOf, untilFewWait, untilReady } from './steady.ts';

/** The operator's writes and the player's a second, beside those of a client that does nothing else. */
const rateAtLeast = 0.8;
/** A kube-apiserver is not equally fast for minutes: ours is compared with what the plain client did right before and after it. */
const turns = 3;
const replayedAtMost = 100;

/** Domains that are added at once, from Add to Live: how fast, with how many writes, and beside a plain client. */
export const importStage: Stage = async ({ cluster, size, bounds, imported, tell }) => {
  const { around, controlPlane } = cluster;
  const token = await adminToken(around.kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  tell('the writes of one domain are recorded on a small cluster');
  const recorded = await recordWrites(() => undefined);
  moveThisProcessToOurs();
  const made = madeTargets(await cluster.records(), size);
  const of = (first: number, count: number): Import => ({ cluster, api, size, made, first, count });
  const replayed = Math.min(replayedAtMost, Math.ceil(imported / turns));
  const firstReplayed = size.domains + imported;
  const preparing = await startOperator(cluster, bounds);
  await untilReady(preparing);
  await prepareImport(preparing, of(size.domains, imported + (turns + 1) * replayed));
  await preparing.part.stop();

  /** Writes a second of the plain client. */
  const replay = async (turn: number): Promise<number> => {
    const numbers = Array.from({ length: replayed }, (_, at) => firstReplayed + turn * replayed + at);
    const seconds = await replayWrites({ cluster, recorded, size, made, numbers, token });
    const rate = (recorded.writes.length * replayed) / seconds;
    tell(`plain client: ${replayed} domains in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} writes a second`);
    return rate;
  };
  const found: Turn[] = [];
  let rateBefore = await replay(0);
  for (let turn = 0; turn < turns; turn += 1) {
    const [from, to] = [turn, turn + 1].map((at) => Math.round((imported * at) / turns)) as [number, number];
    const ours = await importAsOperator(of(size.domains + from, to - from), bounds);
    const rate = ours.written / ours.seconds;
    tell(
      `${to - from} domains Live after ${ours.seconds.toFixed(1)} s, ${rate.toFixed(0)} writes a second: ${ours.shown}`,
    );
    const rateAfter = await replay(turn + 1);
    const plainRate = (rateBefore + rateAfter) / 2;
    found.push({ ...ours, plainRate, share: rate / plainRate });
    rateBefore = rateAfter;
  }
  const total = (field: 'seconds' | 'operatorWrites' | 'played' | 'checks' | 'packets') =>
    found.reduce((sum, one) => sum + one[field], 0);
  const each = (amount: number) => Number((amount / imported).toFixed(2));
  const medianOf = (field: 'plainRate' | 'share') =>
    found.map((one) => one[field]).toSorted((a, b) => a - b)[turns >> 1] ?? 0;
  return [
    { what: 'imported to Live, domains a second', found: Number((imported / total('seconds')).toFixed(1)) },
    {
      what: `the same by a plain client, domains a second, median of ${turns} turns`,
      found: Number((medianOf('plainRate') / recorded.writes.length).toFixed(1)),
    },
    {
      what: `writes a second, as a share of those of the plain client, median of ${turns} turns`,
      found: Number(medianOf('share').toFixed(2)),
      atLeast: rateAtLeast,
    },
    { what: 'the writes of one domain that the plain client replays', found: recorded.writes.length },
    { what: "the operator's writes for each", found: each(total('operatorWrites')) },
    { what: "the player's writes for each", found: each(total('played')) },
    { what: 'looks for each', found: each(total('checks')) },
    { what: 'packets for each', found: each(total('packets')) },
    { what: 'operator: peak resident memory of an import, MiB', found: Math.max(...found.map(({ peak }) => peak)) },
  ];
};

interface Imported {
  readonly seconds: number;
  /** by whoever added the domains, the operator and the player */
  readonly written: number;
  readonly operatorWrites: number;
  readonly played: number;
  readonly checks: number;
  readonly packets: number;
  /** resident memory of the operator, MiB */
  readonly peak: number;
  /** for people */
  readonly shown: string;
}

interface Turn extends Imported {
  readonly plainRate: number;
  readonly share: number;
}

/** Adds domains where an operator leads that has nothing else to do, which is gone afterwards. */
async function importAsOperator(additions: Import, bounds: Bounds): Promise<Imported> {
  const { cluster, count } = additions;
  const player = await startCertificatePlayer(cluster.around.kubeconfig, cluster.edge);
  cluster.onStop(() => player.stop());
  const operator = await startOperator(cluster, bounds);
  await untilReady(operator);
  await untilFewWait(operator);
  const [before, looks] = [await kubeRequests(operator.metricsUrl), await checksOf(operator)];
  const { apiServer } = cluster.controlPlane.parts;
  const used = watchProcessor({ operator: operator.part.pid, apiServer: apiServer.pid, player: process.pid });
  const begunAt = performance.now();
  await importDomains(operator, additions);
  const seconds = (performance.now() - begunAt) / 1_000;
  const cores = Object.entries(used().byPart).map(([part, share]) => `${part} ${share.toFixed(2)} cores`);
  await untilNothingIsWritten(operator);
  if (player.faults.length > 0) throw player.faults[0];
  const requests = requestsBetween(before, await kubeRequests(operator.metricsUrl));
  const after = await checksOf(operator);
  const { peak } = memoryOf(operator.part.pid);
  const played = player.writes();
  await operator.part.stop();
  await player.stop();
  const events = (requests.get('create events') ?? 0) + (requests.get('patch events') ?? 0);
  const operatorWrites = sumOf(writesIn(requests));
  return {
    seconds,
    written: operatorWrites + events + played + count,
    operatorWrites,
    played,
    checks: after.checks - looks.checks,
    packets: after.packets - looks.packets,
    peak,
    shown: [...cores, shown(requests)].join(', '),
  };
}
