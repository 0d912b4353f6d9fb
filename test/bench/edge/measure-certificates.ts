import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import { createApi } from '../../../dev/platform/api.ts';
import type { Part } from '../../../dev/platform/process.ts';
import type { Around } from '../../../dev/platform/services.ts';
import { createIssuer, startCertManager, startPebble, startTraefik } from '../../../dev/platform/services.ts';
import { createSolvers } from '../../../dev/platform/solvers.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import type { Owner } from '../../../src/resources/object-metadata.ts';
import { CertificateKind, CertificateRequestKind } from '../../../src/resources/kinds.ts';
import { hostnameOf } from './edge-certificates.ts';
import type { EdgeCluster } from './edge-cluster.ts';
import { edgeCertificate } from './edge-objects.ts';
import { revisionOf } from './etcd-json.ts';
import { createNamespace } from './fill-cluster.ts';
import type { Row, Tell } from './part-watch.ts';
import { idleRows, memoryRows, spread, untilQuiet } from './part-watch.ts';

const namespace = 'tried';
const tries = 6;
const issuedWithinMs = 180_000;
const pauseMs = 50;
const solverPauseMs = 250;
/** client-go's reflectors do not pause for that long while they fill their caches, nor its queues while they are worked off */
const quietForMs = 10_000;

/**
 * What cert-manager needs for the Certificates of a cluster, how long it takes after a restart, and how long a new
 * Certificate takes to be Ready: Pebble validates by HTTP-01 through Traefik; the requests are approved at once here.
 */
export async function measureCertificates(cluster: EdgeCluster, tell: Tell): Promise<void> {
  const { around, api, controlPlane } = cluster;
  const dns = await startAuthority({ ...around.corner, port: 53 });
  dns.putZone('example', `* A ${around.corner.address}`);
  const undo: (() => Promise<void> | void)[] = [() => dns.stop()];
  try {
    const owner = await createNamespace(api, namespace);
    // A kube-controller-manager would make it; solver Pods are refused without.
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    await around.kubectl.apply(account);
    undo.push(playSolvers(around));
    const acme = await startPebble(around);
    undo.push(() => acme.part.stop());
    const traefik = await startTraefik(around);
    undo.push(() => traefik.stop());
    const before = await revisionOf(cluster.etcd);
    let certManager = await startCertManager(around);
    undo.push(() => certManager.stop());
    await untilQuiet(certManager, quietForMs);
    const written = (await revisionOf(cluster.etcd)) - before;
    await createIssuer(around.kubectl, acme);
    const busy = (await untilQuiet(certManager, quietForMs)) / 1_000;
    tell(['cert-manager, after its issuer became Ready, until it had nothing to do', `${busy.toFixed(0)} s`]);
    const parts = [certManager, traefik, controlPlane.parts.apiServer, controlPlane.parts.etcd];
    tell(['writes to etcd until cert-manager, started first, had nothing to do', String(written)]);
    tell(...memoryRows(parts, 'idle'), ...(await idleRows(parts)));
    const times: number[] = [];
    for (let index = 0; index < tries; index += 1) times.push(await issue(api, { index, owner }));
    tell(['new Certificate until Ready, by HTTP-01', spread(times)]);
    tell(...memoryRows([certManager], `after ${tries} new Certificates`));
    await certManager.stop();
    tell(...(await restart(cluster, { index: tries, owner }, (part) => (certManager = part))));
    tell(...memoryRows([certManager], 'after a restart'));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Plays the solver Pods of our namespace until what is returned is called. */
function playSolvers({ kubeconfig }: Around): () => Promise<void> {
  const look = createSolvers(createApi(kubeconfig), namespace);
  let stopped = false;
  const playing = (async () => {
    while (!stopped) {
      await look().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
      await sleep(solverPauseMs);
    }
  })();
  return async () => {
    stopped = true;
    await playing;
  };
}

interface NewCertificate {
  readonly index: number;
  readonly owner: Owner;
}

interface Conditions {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const create = async (api: BulkApi, { index, owner }: NewCertificate): Promise<string> => {
  const manifest = edgeCertificate({ hostname: hostnameOf('tried', index), namespace, owner });
  await api.send('POST', collectionPath(CertificateKind, namespace), manifest);
  return manifest.metadata.name;
};

/** Milliseconds from the creation of a Certificate until it is Ready. */
async function issue(api: BulkApi, certificate: NewCertificate): Promise<number> {
  const begunAt = performance.now();
  const name = await create(api, certificate);
  return (
    (await untilCertificate(api, { name, condition: 'Ready' }, async () => {
      await approveRequests(api);
    })) - begunAt
  );
}

/** As the operator does once DNS, CAA and ledger agree. */
async function approveRequests(api: BulkApi): Promise<void> {
  const path = collectionPath(CertificateRequestKind, namespace);
  const { items } = (await api.send('GET', path)) as { readonly items: readonly Conditions[] };
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'Approved',
    message: 'Routing, ownership and CAA hold.',
  };
  for (const { metadata, status } of items) {
    if ((status?.conditions ?? []).some(({ type }) => type === 'Approved')) continue;
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = [{ ...approved, lastTransitionTime }];
    await api.send('PATCH', `${objectPath(CertificateRequestKind, { namespace, name: metadata.name })}/status`, {
      status: { conditions },
    });
  }
}

/** When a Certificate has a condition, by performance.now(). */
async function untilCertificate(
  api: BulkApi,
  { name, condition }: { readonly name: string; readonly condition: string },
  meanwhile: () => Promise<void>,
): Promise<number> {
  const deadline = performance.now() + issuedWithinMs;
  for (;;) {
    await meanwhile();
    const seen = (await api.send('GET', objectPath(CertificateKind, { namespace, name }))) as Conditions;
    const now = performance.now();
    const conditions = seen.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === condition && status === 'True')) return now;
    if (now > deadline) throw new Error(`Certificate ${name} is not ${condition}: ${JSON.stringify(conditions)}`);
    await sleep(pauseMs);
  }
}

/** A Certificate that was made while nobody was there is taken up once all caches are full. */
async function restart(
  { around, api, etcd }: EdgeCluster,
  waiting: NewCertificate,
  started: (part: Part) => void,
): Promise<readonly Row[]> {
  const name = await create(api, waiting);
  const part = await startCertManager(around);
  started(part);
  const [begunAt, before] = [performance.now(), await revisionOf(etcd)];
  const takenUp = await untilCertificate(api, { name, condition: 'Issuing' }, () => Promise.resolve());
  await untilQuiet(part, quietForMs);
  const quiet = performance.now() - quietForMs;
  const seconds = (at: number) => `${((at - begunAt) / 1_000).toFixed(1)} s`;
  return [
    ['cert-manager restarted until it takes up a Certificate that waits', seconds(takenUp)],
    ['cert-manager restarted until it has nothing to do', seconds(quiet)],
    [
      'writes to etcd meanwhile, of which the waiting Certificate takes some',
      String((await revisionOf(etcd)) - before),
    ],
  ];
}
