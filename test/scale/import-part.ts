import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import type { Import } from './import-domains.ts';
import { importDomains, prepareImport, publishImported } from './import-domains.ts';
import type { ImportedPart } from './imported-parts.ts';
import { kubeRequests, requestsBetween, shown, sumOf, writesIn } from './kube-requests.ts';
import { madeTargets } from './made-objects.ts';
import { memoryOf } from './memory-stage.ts';
import { moveThisProcessToOurs } from './processors.ts';
import { untilNothingIsWritten } from './quiet.ts';
import { recordWrites } from './recorded-writes.ts';
import { replayWrites } from './replay.ts';
import { startOperator } from './scale-operator.ts';
import type { Bounds, StageOptions } from './stages.ts';
import { checksOf, untilFewWait, untilReady } from './steady.ts';

/**
 * Ours is compared with what the plain client did right before and after it, as a machine is not equally fast for minutes, and for
 * longer than from one garbage collection of the kube-apiserver to the next.
 */
const replayedAtMost = 300;

/** Which domains a part adds, and the first number of those that no part adds. */
interface PartOfImport {
  readonly first: number;
  readonly count: number;
  readonly free: number;
}

/** Domains that are added at once, from Add to Live: how fast, with how many writes, and beside a plain client. */
export async function importPart(
  { cluster, size, bounds, tell }: StageOptions,
  { first, count, free }: PartOfImport,
): Promise<ImportedPart> {
  const { around, controlPlane } = cluster;
  const { apiServer, etcd } = controlPlane.parts;
  const token = await adminToken(around.kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  cluster.onStop(() => api.close());
  tell('the writes of one domain are recorded on a small cluster');
  const recorded = await recordWrites(() => undefined);
  moveThisProcessToOurs();
  const made = madeTargets(await cluster.records(), size);
  const of = (from: number, many: number): Import => ({ cluster, api, size, made, first: from, count: many });
  publishImported(of(size.domains, first - size.domains));
  const replayed = Math.min(replayedAtMost, count);
  const preparing = await startOperator(cluster, bounds);
  await untilReady(preparing);
  await prepareImport(preparing, of(first, count));
  await prepareImport(preparing, of(free, replayed));
  await preparing.part.stop();

  /** Writes a second of the plain client, which removes what it made: it can make the same again. */
  const replay = async (): Promise<number> => {
    const numbers = Array.from({ length: replayed }, (_, at) => free + at);
    const used = watchProcessor({ apiServer: apiServer.pid, etcd: etcd.pid });
    const seconds = await replayWrites({ cluster, recorded, size, made, numbers, token });
    const rate = (recorded.writes.length * replayed) / seconds;
    tell(
      `plain client: ${replayed} domains in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} writes a second: ${coresOf(used())}`,
    );
    return rate;
  };
  const rateBefore = await replay();
  const ours = await importAsOperator(of(first, count), bounds);
  const rate = (ours.written / ours.seconds).toFixed(0);
  tell(`${count} domains Live after ${ours.seconds.toFixed(1)} s, ${rate} writes a second: ${ours.shown}`);
  const rateAfter = await replay();
  const { shown: _, ...figures } = ours;
  return { ...figures, count, replayedWrites: recorded.writes.length, plainRate: (rateBefore + rateAfter) / 2 };
}

/** What one operator did. */
interface Imported extends Omit<ImportedPart, 'count' | 'replayedWrites' | 'plainRate'> {
  /** for people */
  readonly shown: string;
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
  const { apiServer, etcd } = cluster.controlPlane.parts;
  const parts = { operator: operator.part.pid, apiServer: apiServer.pid, etcd: etcd.pid, player: process.pid };
  const used = watchProcessor(parts);
  const begunAt = performance.now();
  await importDomains(operator, additions);
  const seconds = (performance.now() - begunAt) / 1_000;
  const cores = coresOf(used());
  const requests = requestsBetween(before, await kubeRequests(operator.metricsUrl));
  const played = player.writes();
  const after = await checksOf(operator);
  const { peak } = memoryOf(operator.part.pid);
  await untilNothingIsWritten(operator);
  if (player.faults.length > 0) throw player.faults[0];
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
    shown: `${cores}, ${shown(requests)}`,
  };
}

const coresOf = ({ byPart }: { readonly byPart: Readonly<Record<string, number>> }): string =>
  Object.entries(byPart)
    .map(([part, share]) => `${part} ${share.toFixed(2)} cores`)
    .join(', ');
