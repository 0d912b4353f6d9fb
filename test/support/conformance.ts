import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { askHttps } from '../../dev/lib/https.ts';
import type { Answer, Ask } from '../../dev/lib/https.ts';
import { createKubectl } from '../../dev/platform/kubectl.ts';
import type { PlatformFacts } from '../../dev/platform/platform.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { createStage, inState } from '../../dev/story/stage.ts';
import { recordOf } from './published-domain.ts';
import type { HttpAnswer } from './visitor.ts';
import { askHttp, locations, serialNumber } from './visitor.ts';

/** How long each thing may take to show. */
const patienceMs = 60_000;
export const conformanceDeadlineMs = 180_000;

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
}

const exceptionsOf: Readonly<Record<string, Exceptions>> = {
  // It chooses routes by Host alone.
  traefik: { misdirected: [200] },
  contour: {},
  'envoy-gateway': {},
};

/** Requests that are sent until they are ended. */
interface Visits {
  /** how many were answered, and what was wrong with which */
  end(): Promise<{ readonly asked: number; readonly failed: readonly string[] }>;
}

/** What a behaviour is shown on: the objects of its manifest in an account of its own, on a platform with the edge that the run is about. */
export interface Conformance {
  readonly stage: Stage;
  /** the account, and the namespace of the manifest's objects */
  readonly account: string;
  /** of the manifest's ProjectDomains, in its order */
  readonly hostnames: readonly string[];
  readonly ca: Buffer;
  /** Creates every record that is asked for, and waits until all hostnames are Live. */
  goLive(): Promise<void>;
  /** Creates the record that one hostname is asked for. */
  createRecord(hostname: string): Promise<void>;
  ask(hostname: string, path?: string, other?: Pick<Ask, 'host'>): Promise<Answer>;
  askHttp(hostname: string, path?: string): Promise<HttpAnswer>;
  /** Asks each hostname again and again, fifty times a second, all over connections of their own. */
  visit(hostnames: readonly string[], isRight: (answer: Answer) => boolean): Visits;
  /** The Location of each request target, byte for byte, asked one after the other on one connection. */
  locations(hostname: string, targets: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Of the certificate that visitors get. */
  serialNumber(hostname: string): Promise<string>;
  readonly exceptions: Exceptions;
  /** Takes the manifest's objects away again. */
  close(): Promise<void>;
}

/**
 * `file` is the test's own; its manifest is beside it. Needs PROJECTDOMAIN_CONFORMANCE, the facts of a platform, which
 * `npm run conformance` sets.
 */
async function openConformance(file: string): Promise<Conformance> {
  const facts = JSON.parse(readFileSync(process.env.PROJECTDOMAIN_CONFORMANCE ?? '', 'utf8')) as PlatformFacts;
  const stage = createStage({ facts, kubectl: createKubectl(facts.kubectl, facts.kubeconfig), patienceMs });
  const manifest = file.replace(/\.test\.ts$/, '.yaml');
  const objects = parseAllDocuments(readFileSync(manifest, 'utf8')).map((one) => one.toJS() as ManifestObject);
  const account = basename(manifest, '.yaml');
  const domains = objects.flatMap(hostnamesOf);
  await stage.account(account, 'business');
  const tenant = await stage.tenant(account, 'shop-web');
  await tenant.becomeReady();
  await stage.kubectl.run(['apply', '-f', manifest]);
  const zone = `${account}.example`;
  const records = new Map<string, string>();
  const createRecord = async (hostname: string) => {
    const { name = hostname } = domains.find((one) => one.hostname === hostname) ?? {};
    const seen = await stage.domainWhere(account, name, 'shows its record', (one) =>
      recordOf(one, 'CNAME') ? null : 'no record',
    );
    records.set(hostname.slice(0, -zone.length - 1), recordOf(seen, 'CNAME')?.value ?? '');
    await stage.putZone(zone, [...records].map(([name, target]) => `${name} CNAME ${target}.`).join('\n'));
  };
  const ca = readFileSync(facts.acmeRoot);
  const ask: Conformance['ask'] = (hostname, path = '/', { host = hostname } = {}) =>
    askHttps({ address: facts.ingressAddress, ca, hostname, path, host });
  return {
    stage,
    account,
    ca,
    hostnames: domains.map(({ hostname }) => hostname),
    exceptions: exceptionsOf[process.env.PROJECTDOMAIN_EDGE ?? ''] ?? {},
    createRecord,
    async goLive() {
      for (const { hostname } of domains) await createRecord(hostname);
      for (const { name } of domains) await stage.domainWhere(account, name, 'is Live', inState('Live'));
    },
    ask,
    askHttp: (hostname, path = '/') => askHttp({ address: facts.ingressAddress, hostname, path }),
    visit: (hostnames, isRight) => visit(hostnames, { ask, isRight }),
    locations: (hostname, targets) => locations({ address: facts.ingressAddress, ca, hostname }, targets),
    serialNumber: (hostname) => serialNumber({ address: facts.ingressAddress, ca, hostname }),
    async close() {
      await stage.kubectl.run(['delete', '-f', manifest, '--ignore-not-found', '--timeout=50s']);
      await stage.close();
    },
  };
}

/**
 * Opens the ground of a test file, with all of its hostnames Live unless `isLive` is false, and closes it in the end. To be called once in a
 * file; gives what its tests get the ground from.
 */
export function useConformance(file: string, { isLive = true } = {}): () => Conformance {
  let opened: Conformance | null = null;
  beforeAll(async () => {
    opened = await openConformance(file);
    if (isLive) await opened.goLive();
  }, conformanceDeadlineMs);
  afterAll(async () => opened?.close(), conformanceDeadlineMs);
  return () => {
    if (opened === null) throw new Error('there is no ground before the first test');
    return opened;
  };
}

interface Visiting extends Pick<Conformance, 'ask'> {
  readonly isRight: (answer: Answer) => boolean;
}

const visitEveryMs = 20;

function visit(hostnames: readonly string[], { ask, isRight }: Visiting): Visits {
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  let asked = 0;
  let ended = false;
  const one = async (hostname: string) => {
    const complaint = await ask(hostname).then(
      (answer) => (isRight(answer) ? null : `status ${answer.status}`),
      (error: unknown) => String(error),
    );
    asked += 1;
    if (complaint !== null) failed.push(`${hostname}: ${complaint}`);
  };
  const go = async () => {
    while (!ended) {
      for (const hostname of hostnames) {
        const visiting: Promise<void> = one(hostname).finally(() => open.delete(visiting));
        open.add(visiting);
      }
      await sleep(visitEveryMs * hostnames.length);
    }
  };
  const going = go();
  return {
    async end() {
      ended = true;
      await going;
      await Promise.all(open);
      return { asked, failed };
    },
  };
}
