import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runController } from '../../../src/controller-runtime/controller.ts';
import { createReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createRecentChecks } from '../../../src/controllers/project-domain/recent-checks.ts';
import { reconcileProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { keyOf } from '../../../src/kubernetes/object-keys.ts';
import { traced } from '../../../src/kubernetes/observed-transport.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';
import { tracedDns } from '../../../src/operator/build-dependencies.ts';
import type { Dns } from '../../../src/dns/dns-facts.ts';
import { facts } from '../../support/dns-facts.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createTracer } from '../../../src/lib/create-tracer.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { ProcessTracer } from '../../../src/lib/tracer.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { createCrowd } from '../../support/crowd.ts';
import { settings } from '../../support/snapshot.ts';
import type { ReceivedSpan, SpanReceiver } from '../../support/span-receiver.ts';
import { startSpanReceiver } from '../../support/span-receiver.ts';

/** One share, and no limit of it. */
const unbounded = { shareOf: () => '', workers: Infinity };

let receiver: SpanReceiver;
let tracer: ProcessTracer;

const tracerTo = ({ endpoint }: SpanReceiver): Promise<ProcessTracer> =>
  createTracer('projectdomain-test', { env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, log: silentLog });

beforeEach(async () => {
  receiver = await startSpanReceiver();
  tracer = await tracerTo(receiver);
});

afterEach(() => receiver.stop());

/** A cluster behind the real client, whose calls are answered as `answer` says. */
const clusterOf = (answer: (call: Call) => Promise<unknown>) =>
  createCluster(traced({ call: answer } as unknown as Transport, tracer), 'test');

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value as object)[0] as unknown]));

/** Names of the spans below a span, each with those below it. */
interface Tree {
  readonly [name: string]: Tree;
}

function treeOf(spans: readonly ReceivedSpan[], parent?: string): Tree {
  const below = spans.filter(({ parentSpanId }) => (parentSpanId || undefined) === parent);
  return Object.fromEntries(below.map(({ name, spanId }) => [name, treeOf(spans, spanId)]));
}

interface Reconciled {
  readonly hasSecretKeys?: boolean;
  readonly spec?: object;
  readonly dns?: Dns;
}

const never = () => Promise.reject(new Error('not asked here'));

/** One reconcile of a new domain, as the operator runs it; of one that leads nowhere yet unless said. */
async function reconcileOnce(
  name: string,
  { hasSecretKeys = false, spec = {}, dns = { check: never } }: Reconciled = {},
): Promise<void> {
  const crowd = createCrowd({ accounts: 1, domainsEach: 1 });
  const [domain] = crowd.stores.domains.list();
  if (!domain) throw new Error('the crowd has no domain');
  const changed = {
    ...domain,
    spec: { ...domain.spec, ...spec },
    status: {},
    metadata: { ...domain.metadata, resourceVersion: 'changed' },
  };
  crowd.stores.domains.put(changed);
  const dependencies = {
    settings,
    caches: crowd.stores,
    cluster: clusterOf(({ body }) => Promise.resolve(body)),
    dns: tracedDns(dns, tracer),
    probe: { ask: never },
    tokenProbe: { ask: never },
    targets: { of: () => [], saw: () => undefined },
    recentChecks: createRecentChecks(),
    observeRecordFound: () => undefined,
    tracer,
    certManagerUnavailable: () => false,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    recordEvent: () => undefined,
    now: systemClock.now,
  } as unknown as ControllerNeeds;
  const queue = createWorkQueue(systemClock, unbounded);
  const stop = new AbortController();
  const running = runController(
    {
      name,
      queue,
      workers: 1,
      hasSecretKeys,
      reconcile: (key, signal, isScheduled) => reconcileProjectDomain(dependencies, { key, isScheduled }, signal),
      log: silentLog,
      clock: systemClock,
      slices: createTimeSlices(systemClock.elapsed),
      writes: createReconcileWrites(),
      tracer,
      observe: () => stop.abort(),
      isStale: () => false,
    },
    stop.signal,
  );
  queue.add(keyOf(changed));
  await running;
  crowd.close();
}

describe('the spans of a reconcile', () => {
  it('are its four steps, with the calls to the kube-apiserver below the one that makes them', async () => {
    await reconcileOnce('projectDomain');
    await tracer.close();
    expect(treeOf(receiver.spans())).toEqual({
      'reconcile projectDomain': {
        gather: {},
        observe: {},
        decide: {},
        apply: { 'patch projectdomains': {}, 'patch projectdomains/status': {} },
      },
    });
    expect(new Set(receiver.spans().map(({ traceId }) => traceId)).size).toBe(1);
    const root = receiver.spans().find(({ name }) => name === 'reconcile projectDomain');
    expect(root && Object.keys(attributesOf(root)).toSorted()).toEqual([
      'projectdomain.controller',
      'projectdomain.key',
      'projectdomain.reconcile_id',
    ]);
  });

  it('have the DNS check below the step that observes: would fail if looking took time that no span shows', async () => {
    const spec = { role: 'Primary', redirect: undefined };
    await reconcileOnce('projectDomain', { spec, dns: { check: () => Promise.resolve(facts('d0.a0.test', [])) } });
    await tracer.close();
    expect(treeOf(receiver.spans())).toMatchObject({ 'reconcile projectDomain': { observe: { 'DNS check': {} } } });
    const check = receiver.spans().find(({ name }) => name === 'DNS check');
    expect(check && attributesOf(check)).toEqual({ 'projectdomain.confirmation': false });
  });

  it('do not name the object where its name is that of a customer’s key', async () => {
    await reconcileOnce('apiKey', { hasSecretKeys: true });
    await tracer.close();
    expect(receiver.spans().length).toBeGreaterThan(0);
    expect(receiver.bodies.join()).not.toContain('projectdomain.key');
  });
});

describe('the spans of a request', () => {
  it('are the call with its answer, and what it did in the cluster; of key, hostname and body nothing is told', async () => {
    const api = await startApiOnStores({ log: silentLog, tracer });
    const { key } = api.account('acme', 'pro');
    const refused = new KubernetesError({ status: 500, reason: 'Scripted', message: '', retryAfterMs: null });
    const { create } = clusterOf(() => Promise.reject(refused));
    Object.assign(api.cluster, { create });
    const answer = await fetch(`${api.url}/v1/projects/shop/domains`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': 'asked' },
      body: JSON.stringify({ hostname: 'www.secret.example' }),
    });
    await answer.text();
    await api.stop();
    await tracer.close();
    expect(treeOf(receiver.spans())).toEqual({ 'POST addDomain': { 'create projectdomains': {} } });
    const of = (name: string) => receiver.spans().find((span) => span.name === name) as ReceivedSpan;
    expect(attributesOf(of('POST addDomain'))).toEqual({
      'projectdomain.request_id': 'asked',
      'http.request.method': 'POST',
      'http.route': 'addDomain',
      'http.response.status_code': answer.status,
    });
    expect(of('create projectdomains').status.code).toBe(2);
    for (const secret of [key, 'www.secret.example', 'shop']) expect(receiver.bodies.join()).not.toContain(secret);
  });
});

describe('a collector', () => {
  it.each<[sentence: string, answer: Parameters<typeof startSpanReceiver>[0]]>([
    ['that never answers', () => undefined],
    ['that refuses everything', (response) => response.writeHead(400).end()],
    ['that hangs up', (response) => void response.destroy()],
  ])('%s holds no work and no end of the process, and what it does not take is lost', async (_, answer) => {
    const bad = await startSpanReceiver(answer);
    const sending = await tracerTo(bad);
    let done = 0;
    for (let index = 0; index < 10_000; index += 1) {
      const trace = sending.start('reconcile', {});
      await trace.within(() => sending.span('apply', {}, () => (done += 1)));
      trace.end({ attributes: {}, failed: false });
    }
    expect(done).toBe(10_000);
    await sending.close();
    await bad.stop();
  });

  it('that nobody named gets nothing: work runs as it is', async () => {
    const off = await createTracer('projectdomain-test', { env: {}, log: silentLog });
    const trace = off.start('reconcile', {});
    expect(await trace.within(() => off.span('apply', {}, () => 7))).toBe(7);
    trace.end({ attributes: {}, failed: false });
    await expect(off.span('apply', {}, () => Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
    expect(receiver.bodies).toEqual([]);
  });
});
