import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { adminToken, createBulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import { watchedKinds } from '../../src/controllers/watched-kinds.ts';
import { IngressKind } from '../../src/resources/kinds.ts';
import type { CertificatePlayer } from './certificate-player.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { importDomains, prepareImport } from './import-domains.ts';
import { startOutsidePod } from './outside-pod.ts';
import { kubeRequests, requestsBetween, shown, writesIn } from './kube-requests.ts';
import type { ClusterSize } from './made-names.ts';
import { accountOf, kindOf } from './made-names.ts';
import type { MadeObjects } from './made-objects.ts';
import { untilNothingIsWritten } from './quiet.ts';
import type { RequestBounds } from './request-bounds.ts';
import { beyond } from './request-bounds.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { publishRecords, scaleSettings, seedCluster } from './seed-cluster.ts';
import { checksOf, untilAllVisited } from './steady.ts';

/** What 2,000 domains cost the kube-apiserver and DNS, counted and never timed: one more request for each shows at once. */

const size: ClusterSize = { domains: 2_000, accounts: 500 };
const imported = 200;
const checksCounted = 40;
/** The tests' DNS lets a delegation be remembered for a minute, so each check asks for it again: 3.5 were counted. */
const packetsPerCheck = 4;
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
  // The rights of the copied accounts are known to whoever starts now.
  await cluster.controlPlane.restartApiServer();
  const { around, controlPlane } = cluster;
  player = await startCertificatePlayer(around.kubeconfig, cluster.edge);
  cluster.onStop(() => player.stop());
  api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token: await adminToken(around.kubectl) });
  cluster.onStop(() => api.close());
  operator = await startOutsidePod('operator', cluster, scaleSettings);
  cluster.onStop(() => operator.part.stop());
}, deadlineMs);

afterAll(() => cluster.stop(), deadlineMs);

const numbers = Array.from({ length: size.domains }, (_, domain) => domain);
const kinds = Object.groupBy(numbers, (domain) => kindOf(domain, size));
const redirecting = new Set((kinds.redirect ?? []).map((domain) => accountOf(domain, size))).size;
const projects = size.domains - (kinds.redirect ?? []).length;
/** The account that the others are copies of, its two projects and three domains; and our own namespace. */
const own = 4;
/** So many accounts are read anew within the minutes that this takes, each once an hour. */
const hourly = size.accounts / 10;
const perPage = 100;
const pages = (objects: number): number => Math.ceil((objects + own) / perPage);

const list = (objects: number) => [pages(objects), `the first list, ${perPage} objects at a time`] as const;
const small = list(0);
const watches = Object.fromEntries(
  Object.values({ ...watchedKinds, ingresses: { kind: IngressKind } }).map(
    ({ kind }) => [`watch ${kind.plural}`, [1, 'one for each kind']] as const,
  ),
);

const startBounds: RequestBounds = {
  ...watches,
  'list plans': small,
  'list orderledgers': small,
  'list clusterissuers': small,
  'list apikeys': small,
  'list accounts': list(size.accounts),
  'list namespaces': list(size.accounts),
  'list projects': list(projects),
  'list projectdomains': list(size.domains),
  'list hostnameclaims': list(size.domains + projects),
  'list certificates': list(size.domains),
  'list certificaterequests': list(size.domains),
  'list ingresses': list(size.domains + projects),
  'list endpointslices': list(size.accounts + redirecting),
  'create selfsubjectaccessreviews': [2 * (own + hourly), 'two for each account whose moment of the hour comes'],
  'get resourcequotas': [own + hourly, 'one for each of the same accounts'],
  'get services': [redirecting + own, 'one for each account with redirects'],
  'get secrets': [1, 'the installation key'],
  'get configmaps': [2, "the redirector's addresses"],
};

const quiet = ['plans', 'apikeys', 'clusterissuers', 'orderledgers', 'accounts', 'namespaces', 'endpointslices'];
const listedAgain = quiet.map((plural): readonly [string, RequestBounds[string]] => {
  const name = `list ${plural}`;
  return [name, [startBounds[name]?.[0] ?? 1, 'once more, should a bookmark of a quiet kind be ten seconds late']];
});

/** What time alone asks for: a watch ends after some minutes and begins anew, and each account is read anew once an hour. */
const inMinutes = (minutes: number): RequestBounds => {
  const read = Math.ceil((size.accounts / 60) * minutes) + own;
  return {
    ...Object.fromEntries(listedAgain),
    ...Object.fromEntries(Object.keys(watches).map((name) => [name, [own + minutes / 5, 'a watch that begins anew']])),
    'create selfsubjectaccessreviews': [2 * read, 'accounts whose moment of the hour comes'],
    'get resourcequotas': [read, 'the same accounts'],
  };
};

/** So many for each imported domain; less than half of one more is by chance, one more for each is not. */
const each = (count: number, why: string) => [Math.ceil((count + 0.4) * imported), why] as const;

/** What was counted, to the request; what depends on how many are written together, or on who was first, with a little more. */
const importBounds: RequestBounds = {
  'patch projectdomains': each(1, 'the project becomes its owner'),
  'create hostnameclaims': each(1, 'the claim'),
  'update hostnameclaims': each(2, 'the order before it is placed, and what came of it'),
  'patch certificates': each(1, 'the certificate'),
  'patch certificaterequests/status': each(2, 'why it waits, and its approval'),
  'patch ingresses': each(1, 'the route'),
  'patch projectdomains/status': each(6, 'a state or a condition changed'),
  'patch projects/status': each(3, "the domain's state in its project: 2.6 were counted"),
  'create events': each(2, 'verified, and live'),
  'patch events': each(0.2, 'events that come again: 0.12 were counted'),
  'update orderledgers': each(0.2, 'grants, many at a time: 0.2 were counted'),
  'create orderledgers': [own, 'the first grants'],
  'get services': [own, 'the redirector of an account is looked at again'],
};
/**
 * Domains are looked at every five seconds until they are Live, so the time that this takes is in it: 7.6 and 88 were counted,
 * and a machine may take twice as long.
 */
const looksForEach = { checks: 20, packets: 240 };

describe('an operator that starts', () => {
  it(
    'visits everything, writes nothing, and asks for little',
    async () => {
      await untilAllVisited(operator, size);
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
      const additions = { cluster, made, api, size, count: imported };
      await prepareImport(operator, additions);
      const begunAt = performance.now();
      const before = await kubeRequests(operator.metricsUrl);
      const looks = await checksOf(operator);
      await importDomains(operator, additions);
      await untilNothingIsWritten(operator);
      const requests = requestsBetween(before, await kubeRequests(operator.metricsUrl));
      const after = await checksOf(operator);
      tell(`an import of ${imported}: ${shown(requests)}`);
      tell(`${after.checks - looks.checks} checks, ${after.packets - looks.packets} packets`);
      expect(player.faults).toEqual([]);
      const minutes = (performance.now() - begunAt) / 60_000;
      expect(beyond(requests, { ...inMinutes(minutes), ...importBounds })).toEqual([]);
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
      const before = await checksOf(operator);
      const checked = async () => {
        const after = await checksOf(operator);
        expectThat(after.checks - before.checks >= checksCounted, `${after.checks - before.checks} checks`);
        return after;
      };
      const after = await eventually(`${checksCounted} more checks`, deadlineMs, checked);
      const [checks, packets] = [after.checks - before.checks, after.packets - before.packets];
      tell(`${checks} checks, ${packets} packets`);
      expect(packets / checks).toBeLessThanOrEqual(packetsPerCheck);
    },
    deadlineMs,
  );
});
