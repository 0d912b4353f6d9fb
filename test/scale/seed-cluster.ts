import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { accountObjects } from '../../dev/platform/demo-account.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { startOutsidePod } from './outside-pod.ts';
import { untilNothingIsWritten } from './quiet.ts';
import type { MadeObjects } from './made-objects.ts';
import { madeObjects, templateAccount, templateHostname, templateProject } from './made-objects.ts';
import type { ClusterSize, DomainKind } from './made-names.ts';
import { domainKinds, kindOf, registeredDomain } from './made-names.ts';
import type { ScaleCluster } from './scale-cluster.ts';

/** What differs from a platform for tests: no certificates of platform hostnames, and an authority without limits. */
export const scaleSettings = Object.freeze({
  platformTls: 'Default',
  orderLimits: {
    orders: { count: 3_000, seconds: 10 },
    registeredDomain: { count: 1_000, seconds: 604_800 },
    exactSet: { count: 100, seconds: 604_800 },
    failures: { count: 100, seconds: 3_600 },
    renewalReserve: 0,
    platformPercent: 10,
    shares: {},
  },
});

const own = { apiVersion: 'projectdomain.io/v1alpha1' } as const;
/** The plan's limits are beyond what an account has here. */
const plan = {
  ...own,
  kind: 'Plan',
  metadata: { name: 'scale' },
  spec: {
    rateLimit: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    customDomains: { enabled: true, maxPerProject: 1_000 },
    maximum: { projects: 10_000, domains: 10_000, apiKeys: 10 },
  },
};

export interface DomainRequest {
  readonly namespace: string;
  readonly project: string;
  readonly hostname: string;
  readonly redirectTo?: string;
}

/** A ProjectDomain as a customer adds it. */
export const domainObject = ({ namespace, project, hostname, redirectTo }: DomainRequest) => ({
  ...own,
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace },
  spec: {
    project,
    hostname,
    ...(redirectTo === undefined ? {} : { role: 'Redirect', redirect: { to: redirectTo } }),
  },
});

/** A Project as a customer makes it; all of an account publish the same Service. */
export const projectObject = (namespace: string, name: string) => ({
  ...own,
  kind: 'Project',
  metadata: { name, namespace },
  spec: { service: { name: 'web', port: 80 } },
});

/** Brings one account to its final state by the operator, and copies it into etcd as often as is wanted. */
export async function seedCluster(
  cluster: ScaleCluster,
  size: ClusterSize,
  tell: (line: string) => void,
): Promise<MadeObjects> {
  tell('one account is brought to its final state by the operator');
  await makeTemplate(cluster);
  const records = await cluster.records();
  const stored = await cluster.etcd.read();
  const made = madeObjects({ stored, records, size });
  // Its garbage collector deletes what is copied before its owner is.
  await cluster.controlPlane.parts.controllerManager.stop();
  tell(`it is copied: ${size.domains} domains of ${size.accounts} accounts`);
  await cluster.etcd.write(made.entries());
  // An authority's window that has passed: with the ledger a new leader would have its old orders to drop.
  for (const { key } of stored) if (key.includes('/orderledgers/')) await cluster.etcd.remove(key);
  return made;
}

/** Publishes the records of the made domains, but for those that are to have none. */
export function publishRecords(
  cluster: ScaleCluster,
  size: ClusterSize,
  { targetOf }: Pick<MadeObjects, 'targetOf'>,
): void {
  for (let domain = 0; domain < size.domains; domain += 1) {
    const zone = registeredDomain(domain);
    if (kindOf(domain, size) === 'unverified') cluster.dns.putZone(zone, '');
    else publish(cluster, zone, targetOf(domain));
  }
}

/** The same for the account that the others are copies of: its project has to be there. */
export async function publishTemplate(cluster: ScaleCluster): Promise<void> {
  const target = await targetOfTemplate(cluster);
  for (const kind of domainKinds) {
    const zone = templateHostname(kind).slice('www.'.length);
    if (kind === 'unverified') cluster.dns.putZone(zone, '');
    else publish(cluster, zone, target);
  }
}

const publish = ({ dns }: ScaleCluster, zone: string, target: string): void =>
  dns.putZone(zone, `www CNAME ${target}.`);

/** An account with a Live domain, a redirect and one without its record. */
export async function makeTemplate(cluster: ScaleCluster): Promise<void> {
  const { around, edge } = cluster;
  const { kubectl } = around;
  await kubectl.apply(plan, ...accountObjects(templateAccount, 'scale'), ...servedBy(templateAccount));
  const player = await startCertificatePlayer(around.kubeconfig, edge);
  const operator = await startOutsidePod('operator', cluster, scaleSettings);
  try {
    const [live, redirect, unverified] = domainKinds.map(requestOf) as [DomainRequest, DomainRequest, DomainRequest];
    await kubectl.apply(...[live, unverified].map(({ project }) => projectObject(templateAccount, project)));
    await publishTemplate(cluster);
    const redirecting = { ...redirect, redirectTo: live.hostname };
    await kubectl.apply(...[live, redirecting, unverified].map(domainObject));
    for (const kind of domainKinds) await untilFinal(cluster, kind);
    await untilNothingIsWritten(operator);
    if (player.faults.length > 0) throw player.faults[0];
  } finally {
    await operator.part.stop();
    await player.stop();
  }
}

const withinMs = 180_000;

interface Seen {
  readonly status?: { readonly state?: string; readonly target?: string };
}

const requestOf = (kind: DomainKind): DomainRequest => ({
  namespace: templateAccount,
  project: templateProject(kind),
  hostname: templateHostname(kind),
});

async function targetOfTemplate({ around: { kubectl } }: ScaleCluster): Promise<string> {
  return eventually('the project has its target', withinMs, async () => {
    const project = await kubectl.get<Seen>('project', templateProject('live'), templateAccount);
    expectThat(project?.status?.target !== undefined, 'not yet');
    return project.status.target;
  });
}

const finalState: Readonly<Record<DomainKind, string>> = { live: 'Live', redirect: 'Live', unverified: 'Unverified' };

async function untilFinal({ around: { kubectl } }: ScaleCluster, kind: DomainKind): Promise<void> {
  const hostname = templateHostname(kind);
  await eventually(`${hostname} is ${finalState[kind]}`, withinMs, async () => {
    const state = (await kubectl.get<Seen>('projectdomain', hostname, templateAccount))?.status?.state;
    expectThat(state === finalState[kind], `it is ${state}`);
  });
  // Only now is the account's quota there: Kubernetes counts new kinds after half a minute.
  await eventually('the quota is counted', withinMs, async () => {
    const quota = await kubectl.get<{ status?: { used?: object } }>(
      'resourcequota',
      'projectdomain-maximum',
      templateAccount,
    );
    expectThat(Object.keys(quota?.status?.used ?? {}).length > 0, 'not yet');
  });
}

const documentationAddress = '192.0.2.10';

/** A Service without an address of its own, and an endpoint that is ready. */
export const servedBy = (namespace: string): readonly object[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace },
    spec: { clusterIP: 'None', ports: [{ name: 'http', port: 80 }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web', namespace, labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [documentationAddress], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80 }],
  },
];
