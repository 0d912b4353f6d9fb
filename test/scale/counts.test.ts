import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import { watchedKinds } from '../../src/controllers/watched-kinds.ts';
import { collectionPath } from '../../src/kubernetes/object-keys.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { freshFor } from '../../src/controllers/project-domain/steps/order-permission.ts';
import { IngressKind, ProjectDomainKind } from '../../src/resources/kinds.ts';
import type { CertificatePlayer } from './certificate-player.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { importDomains, prepareImport } from './import-domains.ts';
import { startOutsidePod } from './outside-pod.ts';
import { kubeRequests, requestsBetween, shown, writesIn } from './kube-requests.ts';
import type { ClusterSize } from './made-names.ts';
import { hostnameOf } from './made-names.ts';
import type { MadeObjects } from './made-objects.ts';
import { untilNothingIsWritten } from './quiet.ts';
import type { RequestBounds } from './request-bounds.ts';
import { beyond } from './request-bounds.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { publishRecords, scaleSettings, seedCluster } from './seed-cluster.ts';
import { checksOf, untilAllVisited, visitsOf } from './steady.ts';
import { changeRoutes, leaderTime } from './while-away.ts';

/** What 2,000 domains cost the kube-apiserver and DNS, counted and never timed: one more request for each shows at once. */

const size: ClusterSize = { domains: 2_000, accounts: 500 };
const imported = 200;
const routesChanged = 40;
/** The least of some windows: in the others are full checks of what was imported. One more packet for each check shows in all of them. */
const windows = 5;
const checksCounted = 40;
/** The tests' DNS lets a delegation be remembered for a minute, so each check asks for it again: 3.5 were counted, and one more would show. */
const packetsPerCheck = 4.3;
const deadlineMs = 600_000;
const tell = (line: string) => void process.stderr.write(`${line}\n`);

let cluster: ScaleCluster;
let made: MadeObjects;
let operator: OurPart;
let player: CertificatePlayer;
let api: BulkApi;

beforeAll(async () => {
  cluster = await startScaleCluster({ tell });
  made = await seedCluster(cluster, size, tell);
  publishRecords(cluster, size, made);
  const { around, controlPlane } = cluster;
  // The rights of the copied accounts are known to whoever starts now.
  await controlPlane.restartApiServer();
  player = await startCertificatePlayer(around.kubeconfig, cluster.edge);
  cluster.onStop(() => player.stop());
  api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token: await adminToken(around.kubectl) });
  cluster.onStop(() => api.close());
  for (const { kind } of Object.values(watchedKinds)) await untilServed(collectionPath(kind));
  await startOperator();
}, deadlineMs);

async function startOperator(): Promise<void> {
  operator = await startOutsidePod('operator', cluster, scaleSettings);
  const { part } = operator;
  cluster.onStop(() => part.stop());
}

/** A kube-apiserver that is ready may serve the kinds of CustomResourceDefinitions some seconds later. */
const untilServed = (path: string) =>
  eventually(`${path} is served`, deadlineMs, () => api.send('GET', `${path}?limit=1`));

afterAll(() => cluster.stop(), deadlineMs);

/** The account that the others are copies of, its two projects and three domains; and our own namespace. */
const own = 4;
/** So many accounts are read anew within the minutes that this takes, each once an hour. */
const hourly = size.accounts / 10;
const watches = Object.fromEntries(
  Object.values({ ...watchedKinds, ingresses: { kind: IngressKind } }).map(
    ({ kind }) => [`watch ${kind.plural}`, [1, 'one for each kind, which begins with all of its objects']] as const,
  ),
);

/** Asked again each second and more, as a kube-apiserver that has just begun fills its own caches first. */
const whileItBegins = Object.fromEntries(
  Object.keys(watches).map((name) => [`refused-${name}`, [60, 'refused with 429 for a minute at most']] as const),
);

const startBounds: RequestBounds = {
  ...watches,
  ...whileItBegins,
  'create selfsubjectaccessreviews': [2 * (own + hourly), 'two for each account whose moment of the hour comes'],
  'get resourcequotas': [own + hourly, 'one for each of the same accounts'],
  'get services': [own + hourly, 'one for each account with redirects whose moment of the hour comes'],
  'get secrets': [1, 'the installation key'],
  'get configmaps': [2, "the redirector's addresses"],
};

/**
 * What time alone asks for: a watch ends after some minutes and begins anew, and each account is read anew once an hour. Their moments of the hour are drawn, so
 * that chance has more of them in one minute than in another: within four standard deviations of a Poisson distribution.
 */
const inMinutes = (minutes: number): RequestBounds => {
  const expected = (size.accounts / 60) * minutes;
  const read = Math.ceil(expected + 4 * Math.sqrt(expected)) + own;
  return {
    ...Object.fromEntries(Object.keys(watches).map((name) => [name, [own + minutes / 5, 'a watch that begins anew']])),
    'create selfsubjectaccessreviews': [2 * read, 'accounts whose moment of the hour comes'],
    'get resourcequotas': [read, 'the same accounts'],
    'get services': [read, 'those of them with redirects'],
  };
};

/** A route that was removed costs its domain and its project their state for a moment, and both are told. */
const restartBounds: RequestBounds = {
  'patch ingresses': [routesChanged, 'each changed route'],
  'patch projectdomains/status': [2 * routesChanged, 'not routed, and routed again'],
  'patch projects/status': [2 * routesChanged, "the same in its domain's project"],
  'create events': [2 * routesChanged, 'and told'],
  'patch events': [2 * routesChanged, 'told again'],
  'update orderledgers': [1, 'brought up to date at each start'],
};

/** So many for each imported domain; less than half of one more is by chance, one more for each is not. */
const each = (count: number, why: string) => [Math.ceil((count + 0.4) * imported), why] as const;

/** What was counted, to the request; what depends on how many are written together, or on who was first, with a little more. */
const importBounds = (again: number): RequestBounds => ({
  'patch projectdomains': each(1, 'the project becomes its owner'),
  'create hostnameclaims': each(1, 'the claim'),
  'update hostnameclaims': each(2, 'the order before it is placed, and what came of it'),
  'patch certificates': each(1, 'the certificate'),
  'patch certificaterequests/status': each(2, 'why it waits, and its approval'),
  'patch ingresses': each(1, 'the route'),
  'patch projectdomains/status': each(6 + again / imported, 'a state or a condition changed'),
  'patch projects/status': each(3, "the domain's state in its project: 2.6 were counted"),
  'create events': each(2, 'verified, and live'),
  'patch events': each(0.2, 'events that come again: 0.12 were counted'),
  'update orderledgers': each(0.2, 'grants, many at a time: 0.2 were counted'),
  'create orderledgers': [own, 'the first grants'],
});
/** Each of these has one more write: its order came more than a minute after its first check, so DNS was checked again, and that is told. */
async function checkedTwice(api: BulkApi, imported: ReadonlySet<string>): Promise<number> {
  const { items } = (await api.send('GET', collectionPath(ProjectDomainKind))) as { items: readonly ProjectDomain[] };
  return items.filter(({ spec, status }) => {
    const { startedAt, checkedAt } = status?.check ?? {};
    const apartMs = Date.parse(checkedAt ?? '') - Date.parse(startedAt ?? '');
    return imported.has(spec.hostname) && apartMs >= freshFor;
  }).length;
}

/**
 * One at first, and one before the order where that is over a minute ago, beside those of the domains that are Live: 1.5 and 16 were
 * counted, 7.6 and 88 while domains were looked at every five seconds until they were Live.
 */
const looksForEach = { checks: 4, packets: 50 };

describe('an operator that starts', () => {
  it(
    'visits everything, writes nothing, and asks for little',
    async () => {
      await untilAllVisited(operator);
      const requests = await kubeRequests(operator.metricsUrl);
      tell(`a start: ${shown(requests)}`);
      expect(writesIn(requests)).toEqual(new Map());
      expect(beyond(requests, startBounds)).toEqual([]);
    },
    deadlineMs,
  );
});

describe('an import', () => {
  it(
    'is Live',
    async () => {
      const additions = { cluster, made, api, size, first: size.domains, count: imported };
      await prepareImport(operator, additions);
      const begunAt = await leaderTime(api);
      const before = await kubeRequests(operator.metricsUrl);
      const looks = await checksOf(operator);
      await importDomains(operator, additions);
      await untilNothingIsWritten(operator);
      const requests = requestsBetween(before, await kubeRequests(operator.metricsUrl));
      const after = await checksOf(operator);
      tell(`an import of ${imported}: ${shown(requests)}`);
      tell(`${after.checks - looks.checks} checks, ${after.packets - looks.packets} packets`);
      expect(player.faults).toEqual([]);
      const minutes = ((await leaderTime(api)) - begunAt) / 60_000;
      const hostnames = new Set(Array.from({ length: imported }, (_, at) => hostnameOf(size.domains + at)));
      const bounds = importBounds(await checkedTwice(api, hostnames));
      expect(beyond(requests, { ...inMinutes(minutes), ...bounds })).toEqual([]);
      expect((after.checks - looks.checks) / imported).toBeLessThanOrEqual(looksForEach.checks);
      expect((after.packets - looks.packets) / imported).toBeLessThanOrEqual(looksForEach.packets);
    },
    deadlineMs,
  );
});

describe('a check of a Live domain', () => {
  it(
    'takes few packets',
    async () => {
      const each: number[] = [];
      while (each.length < windows) each.push(await packetsOfNextChecks());
      tell(`packets of a check: ${each.map((packets) => packets.toFixed(1)).join(', ')}`);
      expect(Math.min(...each)).toBeLessThanOrEqual(packetsPerCheck);
    },
    deadlineMs,
  );
});

describe('an operator that follows another', () => {
  it(
    'mends what was changed while nobody led, and writes nothing else',
    async () => {
      await operator.part.stop();
      const untilMended = await changeRoutes(api, size, routesChanged);
      await startOperator();
      await untilMended();
      await untilAllVisited(operator);
      const visits = await visitsOf(operator);
      const requests = await kubeRequests(operator.metricsUrl);
      tell(`a restart: ${JSON.stringify(visits)}; ${shown(requests)}`);
      expect(beyond(requests, { ...startBounds, ...restartBounds })).toEqual([]);
    },
    deadlineMs,
  );
});

async function packetsOfNextChecks(): Promise<number> {
  const before = await checksOf(operator);
  const after = await eventually(`${checksCounted} more checks`, deadlineMs, async () => {
    const seen = await checksOf(operator);
    expectThat(seen.checks - before.checks >= checksCounted, `${seen.checks - before.checks} checks`);
    return seen;
  });
  return (after.packets - before.packets) / (after.checks - before.checks);
}
