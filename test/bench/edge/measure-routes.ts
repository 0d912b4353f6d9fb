import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../dev/platform/progress.ts';
import type { Part, RestartablePart } from '../../../dev/platform/process.ts';
import type { Edge, StartedEdge } from '../../../dev/platform/services.ts';
import type { Ask, IsRight, Served } from './asking.ts';
import { answersWith, askUnder, isGone, untilAllAnswered, untilAnswered } from './asking.ts';
import type { Backends } from './backends.ts';
import { playBackends } from './backends.ts';
import { authorityOf, certificatesOf, hostnameOf } from './edge-certificates.ts';
import type { IssueCertificate } from './edge-certificates.ts';
import type { EdgeCluster } from './edge-cluster.ts';
import type { EdgeHostname } from './edge-objects.ts';
import { backendName } from './edge-objects.ts';
import type { EdgeRoutes } from './edge-routes.ts';
import { edgeRoutes } from './edge-routes.ts';
import { createBackend, createNamespace, createNamespaces, createSecret, inLanes, wantedBy } from './fill-cluster.ts';
import type { Row, Tell } from './part-watch.ts';
import { idleRows, memoryRows, spread, watchParts } from './part-watch.ts';
import { visit, visitedText } from './visitors.ts';

const namespace = 'tried';
const otherBackend = 'other';
/** An edge puts changes together that come at the same time; each of ours is to come alone. */
const betweenChangesMs = 200;
const beforeRestartMs = 2_000;
const idleForMs = 10_000;

interface Routes {
  readonly cluster: EdgeCluster;
  readonly edge: Edge;
  /** folder of the authority of its certificates */
  readonly authority: string;
  readonly hostnames: number;
  /** how often each kind of change is made */
  readonly tries: number;
  /** how long all hostnames together may take until they are served */
  readonly withinMs: number;
  readonly tell: Tell;
  /** keeps milliseconds of each try, by what was tried */
  readonly keep: (what: string, times: readonly number[]) => void;
  readonly progress: Progress;
}

/** What is measured on: an edge that runs, and what it is asked for. */
interface Ground extends Routes {
  readonly running: StartedEdge;
  readonly routes: EdgeRoutes;
  readonly backends: Backends;
  readonly issue: IssueCertificate;
  readonly ask: Ask;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/**
 * What an edge needs for so many hostnames, how long one more takes beside them to be served, changed and gone, and what visitors see
 * meanwhile and while each process of the edge is restarted. A time counts from the last answer of the kube-apiserver to the first right
 * answer over a new TLS connection under the hostname; the TLS Secrets are there before.
 */
export async function measureRoutes(options: Routes): Promise<void> {
  const { cluster, edge, authority } = options;
  const { around, api } = cluster;
  const backends = playBackends();
  const running = await edge.start(around, { isAlone: true });
  try {
    const ask = askUnder({ address: around.corner.address, ca: authorityOf(authority) });
    const routes = edgeRoutes(api, edge.routing);
    const ground = { ...options, running, routes, backends, ask, issue: certificatesOf(authority) };
    const served = await serveAll(ground);
    const parts = partsOf(ground);
    options.tell(...memoryRows(parts, 'with all of them'), ...(await idleRows(parts, idleForMs)));
    const wanted = await createTried(ground);
    await measureChanges(ground, served, wanted.slice(running.processes.length));
    for (const [index, part] of running.processes.entries())
      await measureRestart(ground, served, { part, wanted: wanted[index] as EdgeHostname });
  } finally {
    await running.stop();
    backends.stop();
  }
}

const partsOf = ({ running, cluster: { controlPlane } }: Ground): readonly Part[] => [
  ...running.processes,
  controlPlane.parts.apiServer,
  controlPlane.parts.etcd,
];

const bodyOf = (name: string, service = backendName): string => `${name}/${service}`;

/** Applies the routes of all hostnames, several at a time, and waits until each is served. */
async function serveAll(ground: Ground): Promise<readonly Served[]> {
  const { cluster, hostnames, routes, issue, tell, progress } = ground;
  const { api } = cluster;
  const all = { from: 0, to: hostnames };
  progress(`making the Services and Secrets of ${hostnames} hostnames`);
  await createNamespaces(api, all, async (name) =>
    ground.backends.listen(await createBackend(api, name), bodyOf(name)),
  );
  const wantedAt = wantedBy(api);
  await inLanes(all, async (index) => createSecret(api, await wantedAt(index), issue));
  progress('applying their routes');
  const used = watchParts(partsOf(ground));
  const begunAt = performance.now();
  const served: Served[] = [];
  await inLanes(all, async (index) => {
    const wanted = await wantedAt(index);
    await routes.apply(wanted);
    served.push({ hostname: wanted.hostname, body: bodyOf(wanted.namespace) });
  });
  const appliedAt = performance.now();
  progress(`applied after ${seconds(appliedAt - begunAt)}`);
  const { lastAt } = await untilAllServed(ground, served);
  tell(['all applied, several at a time', seconds(appliedAt - begunAt)]);
  tell(['from the last apply until all are served', seconds(lastAt - appliedAt)]);
  tell(...used('processor time meanwhile'));
  const askedAt = performance.now();
  await untilAllServed(ground, served);
  tell(['to ask each once, eight at a time, part of each time for all', seconds(performance.now() - askedAt)]);
  return served;
}

/** Rejects where some are not served in time, and says how many are. */
async function untilAllServed({ ask, withinMs, progress, tell }: Ground, served: readonly Served[]) {
  const seen = await untilAllAnswered(served, {
    ask,
    withinMs,
    progress: (count) => progress(`${count} of ${served.length} are served`),
  });
  if (seen.count === served.length) return seen;
  const figure = `${seen.count}; of the others ${JSON.stringify(seen.refused)}`;
  tell([`served after ${seconds(withinMs)}`, figure]);
  throw new Error(`not all are served: ${figure}`);
}

/** Hostnames that are tried, with everything but a route: one for each restart, and then one for each change. */
async function createTried({ cluster: { api }, backends, issue, tries, running }: Ground) {
  const owner = await createNamespace(api, namespace);
  for (const service of [backendName, otherBackend])
    await backends.listen(await createBackend(api, namespace, service), bodyOf(namespace, service));
  const wanted = Array.from({ length: running.processes.length + tries }, (_, index): EdgeHostname => {
    return { hostname: hostnameOf('tried', index), namespace, owner };
  });
  for (const one of wanted) await createSecret(api, one, issue);
  return wanted;
}

async function measureChanges(ground: Ground, served: readonly Served[], wanted: readonly EdgeHostname[]) {
  const { tell, keep } = ground;
  const parts = partsOf(ground);
  const used = watchParts(parts);
  const visits = visit(served, ground.ask);
  const times = await changeAll(ground, wanted);
  const visited = await visits.end();
  for (const [what, each] of Object.entries(times)) {
    tell([what, spread(each)]);
    keep(what, each);
  }
  tell(['requests that failed meanwhile, fifty a second', visitedText(visited)]);
  tell(...used('processor time for each of these changes, with the requests meanwhile', 3 * wanted.length));
  tell(...memoryRows(parts, `after ${3 * wanted.length} changes`));
}

async function changeAll({ routes, ask, progress }: Ground, hostnames: readonly EdgeHostname[]) {
  const [applied, changed, removed]: [number[], number[], number[]] = [[], [], []];
  const timed = async (times: number[], act: () => Promise<void>, seen: () => Promise<number>) => {
    await sleep(betweenChangesMs);
    await act();
    const begunAt = performance.now();
    times.push((await seen()) - begunAt);
  };
  for (const [index, wanted] of hostnames.entries()) {
    const sees = (isRight: IsRight) => () => untilAnswered(ask, wanted.hostname, isRight);
    const leadsTo = (service: string) => sees(answersWith(bodyOf(namespace, service)));
    await timed(applied, () => routes.apply(wanted), leadsTo(backendName));
    await timed(changed, () => routes.apply(wanted, otherBackend), leadsTo(otherBackend));
    await timed(removed, () => routes.remove(wanted), sees(isGone));
    const last = [applied, changed, removed].map((times) => seconds(times.at(-1) ?? NaN));
    progress(`${index + 1} of ${hostnames.length}: served, changed and gone after ${last.join(', ')}`);
  }
  return {
    'one more applied, until served over HTTPS': applied,
    'its Service changed, until the other answers': changed,
    'it deleted, until served no more': removed,
  };
}

interface Restarted {
  readonly part: RestartablePart;
  /** a hostname that is applied while the process is down */
  readonly wanted: EdgeHostname;
}

/** Ends one process of the edge and starts it again at once. */
async function measureRestart(ground: Ground, served: readonly Served[], { part, wanted }: Restarted): Promise<void> {
  const { routes, ask, tell, progress } = ground;
  progress(`restarting ${part.name}`);
  const visits = visit(served, ask);
  await sleep(beforeRestartMs);
  const begunAt = performance.now();
  await part.stop();
  await routes.apply(wanted);
  const [, { firstAt, lastAt }, newAt] = await Promise.all([
    part.startAgain(),
    untilAllServed(ground, served),
    untilAnswered(ask, wanted.hostname, answersWith(bodyOf(namespace))),
  ]);
  await sleep(beforeRestartMs);
  const visited = await visits.end();
  const since = (at: number) => seconds(at - begunAt);
  const rows: readonly Row[] = [
    [
      `${part.name} restarted, from SIGTERM until one answers, all do, and one that is new`,
      [firstAt, lastAt, newAt].map(since).join(', '),
    ],
    [`${part.name} restarted, requests that failed, fifty a second`, visitedText(visited)],
  ];
  tell(...rows, ...memoryRows([part], 'after its restart'));
}
