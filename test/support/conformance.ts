import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { askHttps } from '../../dev/lib/https.ts';
import type { Answer, Ask } from '../../dev/lib/https.ts';
import { createClusterClient } from '../../dev/platform/cluster-client.ts';
import { hasListenersOnGateway } from '../../dev/platform/controllers.ts';
import { createKubectl } from '../../dev/platform/kubectl.ts';
import type { Tenant, TenantService } from '../../dev/platform/tenant.ts';
import { playTenantAt, serveAsTenant, serveTenantAt } from '../../dev/platform/tenant.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { createStage, inState } from '../../dev/story/stage.ts';
import { hostnameAnnotation } from '../../src/resources/object-metadata.ts';
import type { ConformanceFacts } from './conformance-facts.ts';
import { conformanceZone, readConformanceFacts } from './conformance-facts.ts';
import { updateRecords } from './dns-update.ts';
import type { Exchange, Exchanged } from './exchange.ts';
import { exchange } from './exchange.ts';
import { directTargets } from './redirect-urls.ts';
import { recordOf } from './published-domain.ts';
import type { HttpAnswer } from './visitor.ts';
import { askHttp, locations, serialNumber } from './visitor.ts';
import type { Visits } from './visits.ts';
import { visitInTurn } from './visits.ts';

/** How long each thing may take to show. */
const patienceMs = 60_000;
export const conformanceDeadlineMs = 180_000;

/** A name in the zone of behaviours' hostnames. */
export const inZone = (name: string): string => `${name}.${conformanceZone()}`;

interface ManifestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly hostname?: string;
    readonly domains?: { readonly primary: string; readonly redirects: readonly { readonly from: string }[] };
  };
}

/** A ProjectDomain of the manifest, or one that a Project of it declares. */
interface NamedHostname {
  readonly name: string;
  readonly hostname: string;
}

const hostnamesOf = ({ metadata, spec: { hostname, domains } }: ManifestObject): readonly NamedHostname[] => {
  if (hostname !== undefined) return [{ name: metadata.name, hostname }];
  const declared = domains ? [domains.primary, ...domains.redirects.map(({ from }) => from)] : [];
  return declared.map((one) => ({ name: one, hostname: one }));
};

/** In what an edge differs from the others, as docs/edges.md has it. */
interface Exceptions {
  /** what it answers on a connection to another hostname, where that is neither 404 nor 421 */
  readonly misdirected?: readonly number[];
  /** what it answers to a Host that ends in a dot, where that is not what it answers without */
  readonly trailingDot?: readonly number[];
  /** request targets that it changes, or answers without asking the project */
  readonly changedTargets?: readonly string[];
  /** fields that it passes on with what a visitor claims in them */
  readonly keptForwarded?: readonly string[];
  /** of all certificates it shows one that has the hostname among its names, whatever it was given for */
  readonly certificatesByName?: boolean;
  /** it leads challenges from http to https, too, as an Ingress has one answer for all of its paths */
  readonly leadsChallengesToHttps?: boolean;
  /** a hostname below a wildcard, and the wildcard, are served over HTTP/1.1 alone */
  readonly noHttp2WithWildcard?: boolean;
  /** it answers 503 for a moment when a project moves to another Service: Envoy may get the route before the cluster, as each has a stream of its own */
  readonly gapAtServiceChange?: boolean;
  /** it ends an answer that is not complete after 15 seconds */
  readonly endsLongAnswers?: boolean;
}

/** Of test/support/redirect-urls.ts: those that Go's own parser of URLs changes or refuses, and those with dot segments or doubled slashes. */
const changedByTraefik = directTargets.filter((target) => !['/a%00b', '/[a]'].includes(target));

/** Dot segments and what is no character of a path (RFC 3986). */
const changedByEnvoy = directTargets.filter(
  (target) => /\/\.|%2e|%00|[\\[{|^`"<]/.test(target) && target !== '//example.org/%2f..',
);

/** Envoy adds the address that it saw to those that a visitor claims. */
const keptByEnvoy = ['x-forwarded-for', 'x-forwarded-host'];

const exceptionsOf: Readonly<Record<string, Exceptions>> = {
  // It chooses routes by Host alone.
  traefik: { misdirected: [200], certificatesByName: true, changedTargets: changedByTraefik },
  'traefik-gateway': { misdirected: [200], certificatesByName: true, changedTargets: changedByTraefik },
  'contour-gateway': {
    gapAtServiceChange: true,
    trailingDot: [421],
    keptForwarded: keptByEnvoy,
    changedTargets: changedByEnvoy,
  },
  contour: {
    gapAtServiceChange: true,
    leadsChallengesToHttps: true,
    endsLongAnswers: true,
    trailingDot: [421],
    keptForwarded: keptByEnvoy,
    changedTargets: changedByEnvoy,
  },
  'envoy-gateway': {
    noHttp2WithWildcard: true,
    trailingDot: [404],
    keptForwarded: keptByEnvoy,
    changedTargets: changedByEnvoy,
  },
};

function routeKindsOf(routing: ConformanceFacts['routing']): readonly string[] {
  if (routing.kind !== 'Gateway') return ['ingress'];
  return [hasListenersOnGateway(routing) ? 'referencegrant' : 'listenerset', 'httproute'];
}

/** One of the objects that a hostname's route consists of. */
interface RouteObject {
  readonly name: string;
  readonly uid: string;
  /** JSON */
  readonly text: string;
}

interface ListedObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly annotations?: Record<string, string> };
}

/** What a behaviour is shown on: the objects of its manifest in an account of its own, on a platform with the edge that the run is about. */
export interface Conformance {
  readonly stage: Stage<ConformanceFacts>;
  /** the account, and the namespace of the manifest's objects */
  readonly account: string;
  /** of the manifest's ProjectDomains, in its order */
  readonly hostnames: readonly string[];
  readonly ca: Buffer;
  /** Creates every record that is asked for, and waits until all hostnames are Live. */
  goLive(): Promise<void>;
  /** Creates the records that one hostname is asked for: a CNAME, and at an apex an address and a TXT record. */
  createRecord(hostname: string): Promise<void>;
  /** Has these records for a hostname of the account's zone, as master-file lines without an owner, in place of all that it had. */
  setRecords(hostname: string, lines: readonly string[]): Promise<void>;
  /** Resolves once the domain with this hostname is Live. */
  isLive(hostname: string): Promise<void>;
  /** Creates a Service that this server answers for. */
  serve(service: Omit<TenantService, 'namespace'>): Promise<Tenant>;
  /** Merges changes into an object of the account's namespace. */
  patch(kind: string, name: string, changes: object): Promise<void>;
  /** Deletes an object of the account's namespace. */
  remove(kind: string, name: string): Promise<void>;
  exchange(hostname: string, asked?: Partial<Exchange>): Promise<Exchanged>;
  /** Resolves once the hostname answers with this status over HTTPS. */
  answers(hostname: string, status: number): Promise<void>;
  /** Resolves once the hostname is answered neither by a project nor by a redirect. */
  isGone(hostname: string): Promise<void>;
  ask(hostname: string, path?: string, other?: Pick<Ask, 'host'>): Promise<Answer>;
  askHttp(hostname: string, path?: string): Promise<HttpAnswer>;
  /** Asks each hostname again and again, fifty times a second, all over connections of their own. */
  visit(hostnames: readonly string[], isRight: (answer: Answer, hostname: string) => boolean): Visits;
  /** The Location of each request target, byte for byte, asked one after the other on one connection. */
  locations(hostname: string, targets: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Of the certificate that visitors get. */
  serialNumber(hostname: string): Promise<string>;
  readonly exceptions: Exceptions;
  /** of the objects that a route consists of on this edge */
  readonly routeKinds: readonly string[];
  routeObjects(kind: string, hostname: string): Promise<readonly RouteObject[]>;
  /** Resolves once the complaint function finds nothing to complain about. */
  routeObjectsWhere(
    kind: string,
    hostname: string,
    complain: (objects: readonly RouteObject[]) => string | null,
  ): Promise<void>;
  /** Takes the manifest's objects away again. */
  close(): Promise<void>;
}

/**
 * `file` is the test's own; its manifest is beside it. Needs the facts of a platform, which `npm run conformance` writes.
 */
async function openConformance(file: string): Promise<Conformance> {
  const facts = readConformanceFacts();
  const { elsewhere } = facts;
  const stage = createStage({
    facts,
    // What this platform did not write may be any kubeconfig that kubectl takes.
    kubectl: (elsewhere ? createKubectl : createClusterClient)(facts.kubectl, facts.kubeconfig),
    patienceMs,
    ...(elsewhere ? { play: playTenantAt(elsewhere.serversAddress) } : {}),
  });
  const manifest = file.replace(/\.test\.ts$/, '.yaml');
  const text = readFileSync(manifest, 'utf8').replaceAll(/\.example\b/g, inZone(''));
  const objects = parseAllDocuments(text).map((one) => one.toJS() as ManifestObject);
  const account = basename(manifest, '.yaml');
  const domains = objects.flatMap(hostnamesOf);
  await stage.account(account, 'business');
  const tenant = await stage.tenant(account, 'shop-web');
  await tenant.becomeReady();
  await stage.kubectl.run(['apply', '-f', '-'], text);
  const zone = inZone(account);
  const setRecords = elsewhere
    ? updateRecords(elsewhere.updates, conformanceZone())
    : recordsOfZone(zone, (all) => stage.putZone(zone, all));
  const nameOf = (hostname: string) => domains.find((one) => one.hostname === hostname)?.name ?? hostname;
  const createRecord = async (hostname: string) => {
    const isApex = hostname === zone && !elsewhere;
    const seen = await stage.domainWhere(account, nameOf(hostname), 'shows its record', (one) =>
      recordOf(one, isApex ? 'TXT' : 'CNAME') ? null : 'no record',
    );
    if (!isApex) return setRecords(hostname, [`CNAME ${recordOf(seen, 'CNAME')?.value}.`]);
    const txt = recordOf(seen, 'TXT');
    await setRecords(hostname, [`A ${facts.ingressAddress}`]);
    await setRecords(txt?.fqdn ?? '', [`TXT "${txt?.value}"`]);
  };
  const isLive: Conformance['isLive'] = async (hostname) =>
    void (await stage.domainWhere(account, nameOf(hostname), 'is Live', inState('Live')));
  const servers: Tenant[] = [];
  const begun: Visits[] = [];
  const ca = readFileSync(facts.acmeRoot);
  const ask: Conformance['ask'] = (hostname, path = '/', { host = hostname } = {}) =>
    askHttps({ address: facts.ingressAddress, ca, hostname, path, host });
  const routeObjects: Conformance['routeObjects'] = async (kind, hostname) => {
    const { items } = JSON.parse(await stage.kubectl.run(['get', kind, '-n', account, '-o', 'json'])) as {
      readonly items: readonly ListedObject[];
    };
    const ofHostname = items.filter(({ metadata }) => metadata.annotations?.[hostnameAnnotation] === hostname);
    return ofHostname.map((one) => ({ ...one.metadata, text: JSON.stringify(one) }));
  };
  return {
    stage,
    account,
    ca,
    routeKinds: routeKindsOf(facts.routing),
    routeObjects,
    routeObjectsWhere: (kind, hostname, complain) =>
      eventually(`the route of ${hostname} is right`, patienceMs, async () => {
        const complaint = complain(await routeObjects(kind, hostname));
        expectThat(complaint === null, complaint ?? '');
      }),
    hostnames: domains.map(({ hostname }) => hostname),
    exceptions: exceptionsOf[process.env.PROJECTDOMAIN_EDGE ?? ''] ?? {},
    createRecord,
    setRecords,
    isLive,
    async goLive() {
      for (const { hostname } of domains) await createRecord(hostname);
      for (const { hostname } of domains) await isLive(hostname);
    },
    async serve(service) {
      const ofAccount = { ...service, namespace: account };
      const served = elsewhere
        ? await serveTenantAt(elsewhere.serversAddress, stage.kubectl, ofAccount)
        : await serveAsTenant(stage.kubectl, ofAccount);
      servers.push(served);
      await served.becomeReady();
      return served;
    },
    async patch(kind, name, changes) {
      const patch = JSON.stringify(changes);
      await stage.kubectl.run(['patch', kind, name, '-n', account, '--type=merge', '-p', patch]);
    },
    async remove(kind, name) {
      await stage.kubectl.run(['delete', kind, name, '-n', account]);
    },
    exchange: (hostname, asked = {}) => exchange({ address: facts.ingressAddress, ca, hostname, ...asked }),
    answers: (hostname, status) =>
      eventually(`${hostname} answers ${status}`, patienceMs, async () => {
        const answer = await ask(hostname);
        expectThat(answer.status === status, `status ${answer.status}`);
      }),
    isGone: (hostname) =>
      eventually(`nothing is served under ${hostname}`, patienceMs, async () => {
        const answer = await ask(hostname).catch(() => null);
        expectThat(answer === null || answer.status === 404, `status ${answer?.status}`);
      }),
    ask,
    askHttp: (hostname, path = '/') => askHttp({ address: facts.ingressAddress, hostname, path }),
    visit(hostnames, isRight) {
      const visits = visit(hostnames, { ask, isRight });
      begun.push(visits);
      return visits;
    },
    locations: (hostname, targets) => locations({ address: facts.ingressAddress, ca, hostname }, targets),
    serialNumber: (hostname) => serialNumber({ address: facts.ingressAddress, ca, hostname }),
    async close() {
      // Those of a test that failed before it ended them.
      await Promise.all(begun.map((visits) => visits.end()));
      await stage.kubectl.run(['delete', '-f', '-', '--ignore-not-found', '--timeout=300s'], text);
      await Promise.all(servers.map((server) => server.stop()));
      await stage.close();
    },
  };
}

/** Records of a zone that is put as a whole at each change, as master-file text. */
function recordsOfZone(zone: string, put: (text: string) => Promise<void>): Conformance['setRecords'] {
  const records = new Map<string, readonly string[]>();
  return async (hostname, lines) => {
    records.set(hostname === zone ? '@' : hostname.slice(0, -zone.length - 1), lines);
    await put([...records].flatMap(([owner, ofOwner]) => ofOwner.map((line) => `${owner} ${line}`)).join('\n'));
  };
}

interface FixtureOptions {
  readonly isLive?: boolean;
  /** servers for Services that the manifest's Projects name beside `shop-web` */
  readonly services?: readonly Omit<TenantService, 'namespace'>[];
}

/**
 * Opens the fixture of a test file, with all of its hostnames Live unless `isLive` is false, and closes it in the end. To be called once in a
 * file; gives what its tests get the fixture from.
 */
export function useConformance(file: string, { isLive = true, services = [] }: FixtureOptions = {}): () => Conformance {
  let opened: Conformance | null = null;
  beforeAll(async () => {
    opened = await openConformance(file);
    for (const service of services) await opened.serve(service);
    if (isLive) await opened.goLive();
  }, conformanceDeadlineMs);
  afterAll(async () => opened?.close(), conformanceDeadlineMs);
  return () => {
    if (opened === null) throw new Error('there is no fixture before the first test');
    return opened;
  };
}

interface Visiting extends Pick<Conformance, 'ask'> {
  readonly isRight: (answer: Answer, hostname: string) => boolean;
}

const visit = (hostnames: readonly string[], { ask, isRight }: Visiting): Visits =>
  visitInTurn(hostnames, async (hostname) => {
    const complaint = await ask(hostname).then(
      (answer) => (isRight(answer, hostname) ? null : `status ${answer.status}`),
      String,
    );
    return complaint === null ? null : `${hostname}: ${complaint}`;
  });
