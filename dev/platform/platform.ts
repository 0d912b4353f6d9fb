import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAuthority } from '../dns/authority.ts';
import type { Authority } from '../dns/authority.ts';
import type { Corner } from './address.ts';
import { secondEdgeAddress, takeCorner } from './address.ts';
import { clean } from './clean.ts';
import { installClusterParts } from './cluster-parts.ts';
import type { ControlPlane } from './control-plane.ts';
import { startControlPlane } from './control-plane.ts';
import type { ClusterClient } from './cluster-client.ts';
import { createClusterClient } from './cluster-client.ts';
import { createDemoAccount } from './demo-account.ts';
import type { ChallengeZoneSettings, OrderLimits, OurName, OurPart, PlatformContext, Serving } from './ours.ts';
import {
  announceRedirector,
  apiUrls,
  cnameDomain,
  platformDomain,
  podAddresses,
  startMoreRedirectors,
  startOurs,
} from './ours.ts';
import { preflight } from './preflight.ts';
import type { Part } from './process.ts';
import { startPart } from './process.ts';
import type { AcmeAuthority, Around, ClassRouting, Edge, IssuerKind } from './services.ts';
import { createAcmeIssuer, createIssuer, startCertManager, startPebble, startRedis, traefikEdge } from './services.ts';
import type { Progress } from './progress.ts';
import { findTools } from './tools.ts';
import { temporaryFolder } from '../lib/temporary.ts';

/** What other programs need to drive a platform: the content of platform.json. */
export interface PlatformFacts {
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly dnsServer: string;
  readonly dnsControl: string;
  readonly ingressAddress: string;
  /** of the second edge; null where there is none */
  readonly secondAddress: string | null;
  readonly acmeRoot: string;
  readonly cnameDomain: string;
  readonly platformDomain: string;
  readonly redisUrl: string;
  readonly apiUrl: string | null;
  /** where proxies of the platform's other API ask whether a request may pass */
  readonly authorizeUrl: string | null;
  /** of account `demo` on plan pro, with every scope */
  readonly apiKey: string | null;
  readonly metricsUrls: Readonly<Record<'operator' | 'apiServer' | 'redirector', string | null>>;
}

export interface Platform {
  readonly facts: PlatformFacts;
  readonly kubectl: ClusterClient;
  readonly dns: Authority;
  readonly controlPlane: ControlPlane;
  readonly acme: AcmeAuthority;
  readonly parts: Readonly<Record<'pebble' | 'certManager' | 'ingressController' | 'redis' | 'solver', Part>>;
  /** one of our processes; null when none was started */
  ours(name: OurName): Part | null;
  /** all that were started */
  readonly redirectors: readonly Part[];
  /** starts one of our processes that was stopped, with these settings in place of its own */
  restart(name: OurName, settings?: object): Promise<Part>;
  /** stops what serves hostnames, and starts it again with what the cluster says */
  restartEdge(): Promise<void>;
  /** tells the operator which of two edges serve hostnames, and starts it anew */
  serveBy(edges: Serving): Promise<void>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  /** null for a temporary folder that goes with the platform */
  readonly dir: string | null;
  readonly progress: Progress;
  /** our own processes too: operator, API server, redirector */
  readonly ours: boolean;
  /** what the operator may order; much, unless a test is about little */
  readonly orderLimits?: OrderLimits;
  readonly issuer?: IssuerKind;
  /** a certificate for each platform hostname, unless it is said that the ingress has one for all */
  readonly platformTls?: 'PerHost' | 'Default';
  /** path of a module that our processes load before their own; none when absent */
  readonly preload?: string;
  /** Traefik as most people run it when absent */
  readonly edge?: Edge;
  /** another edge beside it, at another address; hostnames are served there once `serveBy` says so */
  readonly second?: Edge;
  /** one when absent, three at most */
  readonly redirectors?: number;
  /** starts the servers of a zone in which hostnames are prepared before they are switched; they cannot be when absent */
  readonly challengeZone?: (place: ChallengeZonePlace) => Promise<ServedChallengeZone>;
}

export interface ChallengeZonePlace {
  readonly dir: string;
  readonly corner: Corner;
  readonly dns: Authority;
}

/** A zone that is served, and how our processes and the authority find it. */
export interface ServedChallengeZone {
  /** null where there is none, and it is the authority's resolver alone that differs */
  readonly settings: ChallengeZoneSettings | null;
  /** ADDR:PORT of the resolver that the authority asks: it finds the zone, and all of our DNS */
  readonly resolver: string;
  stop(): Promise<void>;
}

const withoutZone = { settings: null, resolver: undefined, stop: () => Promise.resolve() } as const;

/** Starts the real platform of Level 1. What already runs is stopped again when a part fails. */
export async function startPlatform({
  dir: given,
  progress,
  ours,
  issuer = 'AcmeIssuer',
  edge = traefikEdge,
  second,
  redirectors: redirectorCount = 1,
  challengeZone: serveChallengeZone,
  ...told
}: PlatformOptions): Promise<Platform> {
  await preflight(progress);
  const tools = await findTools(progress);
  const existed = given !== null && existsSync(given);
  const dir = given ?? temporaryFolder('platform');
  mkdirSync(dir, { recursive: true });
  const before = new Set(readdirSync(dir));
  const corner = await takeCorner();
  const undo: (() => Promise<void> | void)[] = [() => corner.release(), () => clean(dir, existed ? before : null)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    progress('starting DNS, etcd and the API server');
    const dns = await startAuthority({ ...corner, port: 53 });
    undo.push(() => dns.stop());
    dns.putZone(platformDomain, `* A ${corner.address}\n*.cname A ${corner.address}\n@ A ${corner.address}`);
    const challengeZone = (await serveChallengeZone?.({ dir, corner, dns })) ?? withoutZone;
    undo.push(() => challengeZone.stop());
    const controlPlane = await startControlPlane({ dir, tools, corner, node: false });
    undo.push(() => controlPlane.stop());
    const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
    const around: Around = { dir, tools, corner, kubeconfig: controlPlane.kubeconfig, kubectl };
    progress('starting Pebble, cert-manager, the ingress controller and Redis');
    const starting = [
      startPebble(around, { resolver: challengeZone.resolver }),
      edge.start(around),
      startRedis(around),
      startCertManager(around),
      startSolver(around),
    ] as const;
    undo.push(() => stopStarted(starting));
    let serving: Serving = 'first';
    const beside = startSecond(second, around, () => serving);
    undo.push(() => stopStarted(beside.starting));
    const [acme, ingressController, redis, certManager, solver] = await Promise.all([
      ...starting,
      installClusterParts(kubectl, tools, {
        kind: issuer,
        routings: [edge.routing, ...beside.routings],
      }),
      ...beside.starting,
    ]);
    let edgePart = ingressController;
    undo.push(() => edgePart.stop());
    const parts = { pebble: acme.part, ingressController, redis: redis.part, certManager, solver };
    await kubectl.untilEstablished();
    await (issuer === 'AcmeIssuer' ? createAcmeIssuer : createIssuer)(kubectl, acme);
    const running = new Map<OurName, OurPart>();
    const platformContext: PlatformContext = {
      around,
      controlPlane,
      acmeRoot: acme.rootFile,
      redisUrl: redis.url,
      issuer,
      routing: edge.routing,
      challengeZone: challengeZone.settings,
      ...beside.context,
      ...told,
    };
    const begun: Promise<OurPart>[] = [];
    const start = async (name: OurName, settings: object = {}) => {
      const beginning = startOurs(name, platformContext, { partName: name, settings });
      begun.push(beginning);
      const started = await beginning;
      running.set(name, started);
      return started.part;
    };
    undo.push(() => stopStarted(begun));
    let apiKey: string | null = null;
    let redirectors: readonly Part[] = [];
    if (ours) {
      progress('starting the operator, the API server and the redirector');
      await announceRedirector(around, redirectorCount);
      await start('operator');
      const [, first] = await Promise.all([start('api-server'), start('redirector')]);
      const more = await startMoreRedirectors(platformContext, redirectorCount);
      undo.push(() => Promise.all(more.map(({ part }) => part.stop())).then(() => undefined));
      redirectors = [first, ...more.map(({ part }) => part)];
      apiKey = await createDemoAccount(kubectl, controlPlane.kubeconfig);
    }
    const metricsUrl = (name: OurName) => running.get(name)?.metricsUrl.concat('/metrics') ?? null;
    return {
      facts: {
        kubeconfig: controlPlane.kubeconfig,
        kubectl: tools.kubectl,
        dnsServer: `${corner.address}:53`,
        dnsControl: dns.controlUrl,
        ingressAddress: corner.address,
        secondAddress: beside.address,
        acmeRoot: acme.rootFile,
        cnameDomain,
        platformDomain,
        redisUrl: redis.url,
        ...(ours ? apiUrls(around) : { apiUrl: null, authorizeUrl: null }),
        apiKey,
        metricsUrls: {
          operator: metricsUrl('operator'),
          apiServer: metricsUrl('api-server'),
          redirector: metricsUrl('redirector'),
        },
      },
      kubectl,
      dns,
      controlPlane,
      acme,
      parts,
      ours: (name) => running.get(name)?.part ?? null,
      redirectors,
      restart: start,
      async restartEdge() {
        await edgePart.stop();
        edgePart = await edge.start(around);
      },
      serveBy: async (wanted) => {
        serving = wanted;
        await running.get('operator')?.part.stop();
        await start('operator');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface BesideFirst {
  readonly starting: readonly Promise<Part>[];
  readonly routings: readonly ClassRouting[];
  /** null where there is none */
  readonly address: string | null;
  readonly context: Pick<PlatformContext, 'second'>;
}

/** A second edge, if there is to be one, and what the operator is told of it. */
function startSecond(second: Edge | undefined, around: Around, serving: () => Serving): BesideFirst {
  if (!second) return { starting: [], routings: [], address: null, context: {} };
  const address = secondEdgeAddress(around.corner);
  const starting = [second.start(besideCorner(around, address))];
  return {
    starting,
    routings: [second.routing],
    address,
    context: { second: { routing: second.routing, address, serving } },
  };
}

/** The surroundings of an edge at another address, with a folder of its own. */
function besideCorner(around: Around, address: string): Around {
  const dir = join(around.dir, 'second-edge');
  mkdirSync(dir, { recursive: true });
  return { ...around, dir, corner: { ...around.corner, address } };
}

/** Parts start side by side: where one does not, the others are waited for, or they would be left running. */
async function stopStarted(starting: readonly Promise<Part | { readonly part: Part }>[]): Promise<void> {
  const stopOne = async (start: Promise<Part | { readonly part: Part }>) => {
    const started = await start.catch(() => null);
    if (started) await ('part' in started ? started.part : started).stop();
  };
  await Promise.all(starting.map(stopOne));
}

function startSolver(around: Around): Promise<Part> {
  const entry = join(import.meta.dirname, 'emulator-main.ts');
  const args = [entry, around.kubeconfig, JSON.stringify(podAddresses(around.corner))];
  return startPart({ name: 'solver', program: process.execPath, dir: around.dir, args });
}

/** Writes platform.json so that whoever sees it sees all of it. */
export function writeFacts(dir: string, facts: PlatformFacts): void {
  const path = join(dir, 'platform.json');
  writeFileSync(`${path}.draft`, `${JSON.stringify(facts, null, 2)}\n`);
  renameSync(`${path}.draft`, path);
}
