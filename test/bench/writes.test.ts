import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { watchProcessor } from '../../dev/campaigns/processor.ts';
import { withHash } from '../../src/kubernetes/applied-intent.ts';
import { connect } from '../../src/kubernetes/connection.ts';
import type { Intent, Kind } from '../../src/kubernetes/kubernetes-port.ts';
import { collectionPath, objectPath } from '../../src/kubernetes/object-keys.ts';
import type { Call, Transport } from '../../src/kubernetes/transport.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import { IngressKind, ProjectDomainKind } from '../../src/resources/kinds.ts';
import { ingressControllers } from '../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../src/routing/ingress/ingress-routes.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../support/control-plane.ts';
import { startStopwatch } from './stopwatch.ts';

/** What a write costs a real kube-apiserver, by verb, printed as a table: `npm run bench:writes`. Fails only when a write does. */

const namespace = 'acme';
const objects = 200;
const writesPerRound = 400;
const atATime = 4;
const rounds = 5;
const fieldManager = 'fieldManager=projectdomain-operator';

let controlPlane: TestControlPlane;
let transport: Transport;

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
  await controlPlane.kubectl.run(['create', 'namespace', namespace]);
  transport = createTransport(await connect(controlPlane.kubeconfig));
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await transport.close();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

interface Subject {
  readonly kind: Kind;
  readonly part: '' | '/status';
  /** the object before the first write */
  readonly created: (name: string) => Intent;
  /** the fields that are written, different for each version */
  readonly intent: (name: string, version: number) => Intent;
}

const hostnameOf = (name: string): string => `${name}.example.com`;
const identity = ({ apiVersion, kind }: Kind, name: string) => ({ apiVersion, kind, metadata: { name, namespace } });

const condition = (type: string, version: number) => ({
  type,
  status: 'True',
  reason: 'AsItShouldBe',
  message: `what a person is told about ${type}, in a sentence of usual length, for the ${version}th time`,
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
});

const statusOf = (name: string, version: number) => ({
  state: 'Live',
  records: [
    {
      type: 'CNAME',
      name: hostnameOf(name),
      value: 'cname.apps.example.net',
      fqdn: hostnameOf(name),
      ttl: 300,
      purpose: 'Routing',
      status: 'Found',
    },
  ],
  issues: [],
  certificate: { name, attempts: 1, notAfter: '2026-03-01T00:00:00Z' },
  timeline: Array.from({ length: 20 }, (_, index) => ({
    at: '2026-01-01T00:00:00Z',
    state: 'Live',
    reason: 'Ready',
    message: `entry ${index} of the ${version}th write`,
  })),
  conditions: ['Accepted', 'Verified', 'Claimed', 'CertificateIssued', 'Routed', 'Ready'].map((type) =>
    condition(type, version),
  ),
});

const routes = createIngressRoutes({ className: 'nginx', controller: ingressControllers.Other });

const subjects: Readonly<Record<string, Subject>> = {
  'status of a ProjectDomain': {
    kind: ProjectDomainKind,
    part: '/status',
    created: (name) => ({
      ...identity(ProjectDomainKind, name),
      spec: { hostname: hostnameOf(name), project: 'shop' },
    }),
    intent: (name, version) => ({ ...identity(ProjectDomainKind, name), status: statusOf(name, version) }),
  },
  Ingress: {
    kind: IngressKind,
    part: '',
    created: (name) => ingress(name, 1),
    intent: ingress,
  },
};

function ingress(name: string, version: number): Intent {
  const owner = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, uid: 'none' } };
  const backend = { name: 'shop', port: version };
  const [route] = routes.manifests({ namespace, hostname: hostnameOf(name), owner, backend, hasCertificate: true });
  const { ownerReferences: _, ...metadata } = (route as Intent).metadata;
  return withHash({ ...(route as Intent), metadata: { ...metadata, name } });
}

interface Written {
  readonly metadata: { readonly resourceVersion: string; readonly managedFields?: unknown };
}

interface Verb {
  readonly parameters: string;
  /** false: each write is the same as the one before */
  readonly changes: boolean;
  readonly call: (before: Written, wanted: Intent) => Omit<Call, 'path'>;
}

const apply = (changes: boolean): Verb => ({
  parameters: `${fieldManager}&force=true`,
  changes,
  call: (_, body) => ({ method: 'PATCH', body, contentType: 'application/apply-patch+yaml' }),
});

const verbs: Readonly<Record<string, Verb>> = {
  'server-side apply (PATCH)': apply(true),
  'server-side apply that changes nothing': apply(false),
  'merge patch with resourceVersion': {
    parameters: fieldManager,
    changes: true,
    call: ({ metadata: { resourceVersion } }, wanted) => ({
      method: 'PATCH',
      body: { ...wanted, metadata: { ...wanted.metadata, resourceVersion } },
      contentType: 'application/merge-patch+json',
    }),
  },
  'PUT with resourceVersion': {
    parameters: fieldManager,
    changes: true,
    call: (before, wanted) => {
      const { managedFields: _, ...metadata } = before.metadata;
      return { method: 'PUT', body: { ...before, ...wanted, metadata: { ...metadata, ...wanted.metadata } } };
    },
  },
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const print = (line: string): void => void process.stderr.write(`${line}\n`);

interface Cost {
  /** processor time of the kube-apiserver for one write */
  readonly cpuMs: number;
  /** median of the writes */
  readonly latencyMs: number;
}

/** Each verb has objects of its own, as each leaves its own managedFields. */
async function createObjects({ kind, created }: Subject, prefix: string): Promise<Map<string, Written>> {
  const made = new Map<string, Written>();
  for (let index = 0; index < objects; index += 1) {
    const name = `${prefix}-${index}`;
    const path = collectionPath(kind, namespace);
    made.set(name, await transport.call<Written>({ method: 'POST', path, body: created(name) }));
  }
  return made;
}

/** Writes every object several times, each time with the version that `versionOf` gives. */
async function round(
  subject: Subject,
  verb: Verb,
  { known, versionOf }: { readonly known: Map<string, Written>; readonly versionOf: (write: number) => number },
): Promise<Cost> {
  const names = [...known.keys()];
  const latencies: number[] = [];
  const write = async (at: number) => {
    const name = names[at % names.length] ?? '';
    const path = `${objectPath(subject.kind, { namespace, name })}${subject.part}?${verb.parameters}`;
    const call = verb.call(known.get(name) as Written, subject.intent(name, versionOf(at)));
    const watch = startStopwatch();
    known.set(name, await transport.call<Written>({ ...call, path }));
    latencies.push(watch.ms());
  };
  const [watch, used] = [startStopwatch(), watchProcessor({ server: controlPlane.parts.apiServer.pid })];
  const lane = async (first: number) => {
    for (let at = first; at < writesPerRound; at += atATime) await write(at);
  };
  await Promise.all(Array.from({ length: atATime }, (_, first) => lane(first)));
  const cores = used().byPart.server ?? NaN;
  return { cpuMs: (cores * watch.ms()) / writesPerRound, latencyMs: median(latencies) };
}

it.each(Object.entries(subjects))(
  '%s',
  async (name, subject) => {
    const entries = Object.entries(verbs);
    const known = new Map<string, Map<string, Written>>();
    for (const [index, [verb]] of entries.entries())
      known.set(verb, await createObjects(subject, `${subject.kind.plural}-${index}`));
    const costs = new Map<string, Cost[]>(entries.map(([verb]) => [verb, []]));
    // The first round is thrown away: it makes the fields that later rounds change.
    for (let at = 0; at <= rounds; at += 1) {
      for (const [verbName, verb] of entries) {
        const versionOf = (write: number) => (verb.changes ? at * writesPerRound + write + 1 : 1);
        const cost = await round(subject, verb, {
          known: known.get(verbName) ?? new Map<string, Written>(),
          versionOf,
        });
        if (at > 0) costs.get(verbName)?.push(cost);
      }
    }
    print(
      `\n| ${name}: medians of ${rounds} rounds of ${writesPerRound} writes, ${atATime} at a time | kube-apiserver CPU, ms per write (least to most) | latency, ms |`,
    );
    print('| --- | --- | --- |');
    for (const [verb, measured] of costs) {
      const cpu = measured.map(({ cpuMs }) => cpuMs);
      const shown = [median(cpu), Math.min(...cpu), Math.max(...cpu)].map((ms) => ms.toFixed(2));
      const latency = median(measured.map(({ latencyMs }) => latencyMs)).toFixed(1);
      print(`| ${verb} | ${shown[0]} (${shown[1]} to ${shown[2]}) | ${latency} |`);
      expect(measured).toHaveLength(rounds);
    }
  },
  1_800_000,
);
