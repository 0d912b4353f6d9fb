import { setTimeout as sleep } from 'node:timers/promises';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startTraefik } from '../../../dev/platform/services.ts';
import { playTenant } from '../../../dev/platform/tenant.ts';
import { collectionPath, objectPath } from '../../../src/kubernetes/object-keys.ts';
import { IngressKind } from '../../../src/resources/kinds.ts';
import { authorityOf, certificatesOf, hostnameOf } from './edge-certificates.ts';
import type { EdgeCluster } from './edge-cluster.ts';
import type { EdgeHostname } from './edge-objects.ts';
import { backendName, edgeIngress } from './edge-objects.ts';
import { createNamespace, createSecret } from './fill-cluster.ts';
import type { Row, Tell } from './part-watch.ts';
import { idleRows, memoryRows, spread, untilQuiet, watchSeconds } from './part-watch.ts';

const namespace = 'tried';
const otherBackend = 'other';
const answeredWithinMs = 180_000;
const pauseMs = 15;

/** Which of our two web servers answered, or why none did. */
type Answer = { readonly tenant: string } | { readonly refused: string };

interface Routes {
  readonly cluster: EdgeCluster;
  /** folder of the authority of its certificates */
  readonly authority: string;
  /** how often each kind of change is made */
  readonly tries: number;
  readonly tell: Tell;
}

/**
 * What Traefik needs for the Ingresses of a cluster, and how long one more takes to be served, changed and gone: from
 * the call of the kube-apiserver to the first right answer over a new TLS connection under the hostname. Each try
 * begins when Traefik has nothing to do; the TLS Secrets are there before.
 */
export async function measureRoutes({ cluster, authority, tries, tell }: Routes): Promise<void> {
  const { around, api, controlPlane } = cluster;
  const owner = await createNamespace(api, namespace);
  const tenants = [await playTenant(around.kubectl, namespace, backendName)];
  tenants.push(await playTenant(around.kubectl, namespace, otherBackend));
  const issue = certificatesOf(authority);
  const ask = askUnder({ address: around.corner.address, ca: authorityOf(authority) });
  const hostnames = Array.from({ length: tries + 1 }, (_, index) => hostnameOf('tried', index));
  const wanted = hostnames.map((hostname): EdgeHostname => ({ hostname, namespace, owner }));
  const [first, ...others] = wanted as [EdgeHostname, ...EdgeHostname[]];
  for (const one of wanted) await createSecret(api, one, issue);
  await api.send('POST', collectionPath(IngressKind, namespace), edgeIngress(first));
  const startedAt = performance.now();
  const traefik = await startTraefik(around);
  try {
    const started = (await until(ask, first.hostname, leadsTo(backendName))) - startedAt;
    await untilQuiet(traefik);
    const parts = [traefik, controlPlane.parts.apiServer, controlPlane.parts.etcd];
    tell(['Traefik started until it serves', `${(started / 1_000).toFixed(1)} s`]);
    tell(...(await idleRows(parts)), ...memoryRows(parts, 'idle'));
    const used = watchSeconds(traefik);
    const times = await tryAll({ cluster, ask, traefik }, others);
    await untilQuiet(traefik);
    const perChange = used() / (3 * tries);
    tell(...Object.entries(times).map(([what, each]): Row => [what, spread(each)]));
    tell(["Traefik's processor time for each of these, with the looks meanwhile", `${perChange.toFixed(2)} s`]);
    tell(...memoryRows([traefik], `after ${3 * tries} changes`));
  } finally {
    await traefik.stop();
    for (const tenant of tenants) await tenant.stop();
  }
}

type Ask = (hostname: string) => Promise<Answer>;

interface Trying {
  readonly cluster: EdgeCluster;
  readonly ask: Ask;
  readonly traefik: Part;
}

async function tryAll({ cluster: { api }, ask, traefik }: Trying, hostnames: readonly EdgeHostname[]) {
  const [applied, changed, removed]: [number[], number[], number[]] = [[], [], []];
  const timed = async (times: number[], act: () => Promise<unknown>, seen: () => Promise<number>) => {
    await untilQuiet(traefik);
    const begunAt = performance.now();
    await act();
    times.push((await seen()) - begunAt);
  };
  for (const wanted of hostnames) {
    const { hostname } = wanted;
    const ingress = edgeIngress(wanted);
    const path = objectPath(IngressKind, { namespace, name: ingress.metadata.name });
    const sees = (right: (answer: Answer) => boolean) => () => until(ask, hostname, right);
    const create = () => api.send('POST', collectionPath(IngressKind, namespace), ingress);
    await timed(applied, create, sees(leadsTo(backendName)));
    const change = () => api.send('PATCH', path, edgeIngress(wanted, otherBackend));
    await timed(changed, change, sees(leadsTo(otherBackend)));
    await timed(removed, () => api.send('DELETE', path), sees(isGone));
  }
  return {
    'one more Ingress applied, until served over HTTPS': applied,
    'its Service changed, until the other answers': changed,
    'it deleted, until refused': removed,
  };
}

const leadsTo =
  (backend: string) =>
  (answer: Answer): boolean =>
    'tenant' in answer && answer.tenant === backend;

/** No route: Traefik answers with a certificate of its own, or with 404. A time-out is no such answer. */
const isGone = (answer: Answer): boolean =>
  'refused' in answer && ['404', 'DEPTH_ZERO_SELF_SIGNED_CERT'].includes(answer.refused);

const askUnder =
  ({ address, ca }: { readonly address: string; readonly ca: Buffer }): Ask =>
  async (hostname) => {
    try {
      const { status, body } = await askHttps({ address, ca, hostname });
      return status === 200 ? (JSON.parse(body) as { readonly tenant: string }) : { refused: String(status) };
    } catch (error) {
      return { refused: (error as NodeJS.ErrnoException).code ?? String(error) };
    }
  };

/** Asks again and again; when the first right answer was there, by performance.now(). */
async function until(ask: Ask, hostname: string, isRight: (answer: Answer) => boolean): Promise<number> {
  const deadline = performance.now() + answeredWithinMs;
  for (;;) {
    const answer = await ask(hostname);
    const now = performance.now();
    if (isRight(answer)) return now;
    if (now > deadline) throw new Error(`${hostname}: not answered as it should be; last ${JSON.stringify(answer)}`);
    await sleep(pauseMs);
  }
}
