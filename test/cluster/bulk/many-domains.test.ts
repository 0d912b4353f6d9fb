import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { eventually } from '../../../dev/lib/eventually.ts';
import type { Rest } from '../../../dev/lib/rest.ts';
import { restClient } from '../../../dev/lib/rest.ts';
import { createApiStores, startApiWatches } from '../../../src/api-server/api-stores.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { accountLabel, verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import { drawKey, scopes } from '../../../src/rules/api-key-format.ts';
import { createApp } from '../../../src/server/http-app.ts';
import type { Contract, OpenApi } from '../../support/contract.ts';
import { contractOf } from '../../support/contract.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { tally } from '../../support/tally.ts';
import { unobserved } from '../../support/unobserved-app.ts';

/** A thousand items on a real kube-apiserver, failures among them, by the API's own app, caches and client. */

const apiVersion = 'projectdomain.io/v1alpha1';
const namespace = 'many-domains';
const caseDeadlineMs = 180_000;
let controlPlane: SharedControlPlane;
let rest: Rest;
let contract: Contract;
const ends: (() => Promise<unknown>)[] = [];

/** What an account is made of, which the operator and an administrator write otherwise. */
async function makeAccount(): Promise<string> {
  const { kubectl } = controlPlane;
  const { key, keyId, sha256 } = drawKey(randomInt);
  const rateLimit = { requestsPerMinute: 2_000, requestsPerDay: 100_000 };
  const customDomains = { enabled: true, maxPerProject: 600 };
  await kubectl.apply({ apiVersion, kind: 'Plan', metadata: { name: namespace }, spec: { rateLimit, customDomains } });
  const spec = { plan: namespace, id: 'acc-manydomains' };
  await kubectl.apply({ apiVersion, kind: 'Account', metadata: { name: namespace }, spec });
  const labels = { [accountLabel]: namespace };
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  await kubectl.apply({
    ...{ apiVersion, kind: 'ApiKey', metadata: { name: 'many-domains' } },
    spec: { account: namespace, keyId, sha256, scopes },
  });
  for (const name of ['shop', 'blog']) {
    const service = { name: 'web', port: 80 };
    await kubectl.apply({ apiVersion, kind: 'Project', metadata: { name, namespace }, spec: { service } });
    const change = { status: { deployedAt: '2026-01-01T00:00:00Z' } };
    await kubectl.patch({ kind: 'projects', name, namespace, change }, { subresource: 'status' });
  }
  return key;
}

/** No ProjectDomain of this namespace may have a hostname below refused.example. */
async function refuseSome(): Promise<void> {
  const { kubectl } = controlPlane;
  const admission = { apiVersion: 'admissionregistration.k8s.io/v1' };
  const resourceRules = [
    { apiGroups: ['projectdomain.io'], apiVersions: ['*'], resources: ['projectdomains'], operations: ['CREATE'] },
  ];
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const expression = "!object.spec.hostname.endsWith('.refused.example')";
  await kubectl.apply({
    ...{ ...admission, kind: 'ValidatingAdmissionPolicy', metadata: { name: namespace } },
    spec: { matchConstraints: { namespaceSelector, resourceRules }, validations: [{ expression, message: 'no' }] },
  });
  await kubectl.apply({
    ...{ ...admission, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: namespace } },
    spec: { policyName: namespace, validationActions: ['Deny'] },
  });
  const spec = { project: 'shop', hostname: 'probe.refused.example', role: 'Primary' };
  const probe = { apiVersion, kind: 'ProjectDomain', metadata: { name: 'probe', namespace }, spec };
  await eventually('it is in force', 60_000, () =>
    expect(kubectl.create(probe, { isRehearsal: true })).rejects.toThrow('denied'),
  );
}

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  const key = await makeAccount();
  await refuseSome();
  const transport = createTransport(await connect(controlPlane.kubeconfig));
  const stores = createApiStores((error) => {
    throw error;
  });
  const ending = new AbortController();
  const slices = createTimeSlices(systemClock.elapsed);
  const reflectors = startApiWatches(stores, { transport, log: silentLog, clock: systemClock, slices }, ending.signal);
  await Promise.all([...reflectors.values()].map(({ synced }) => synced));
  const memory = createInMemoryApi();
  const cluster = createCluster(transport, 'projectdomain-api');
  const dependencies = { ...memory.dependencies, caches: stores, cluster };
  const server = createServer(createApp({ ...unobserved(dependencies), pages: () => (_one, _two, next) => next() }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  rest = restClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, key);
  contract = contractOf((await rest('/v1/openapi.json')).body as unknown as OpenApi);
  ends.push(
    () => new Promise((done) => server.close(done).closeAllConnections()),
    () => Promise.resolve(memory.stop()),
    () => Promise.resolve(ending.abort()),
    () => transport.close(),
  );
}, controlPlaneDeadlineMs + caseDeadlineMs);

afterAll(async () => {
  for (const end of ends) await end();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

interface Item {
  readonly hostname: string | null;
  readonly status: number;
  readonly problem: Readonly<Record<string, unknown>> | null;
}

async function send(act: 'add' | 'verify' | 'remove', items: readonly unknown[], query = '') {
  const path = `/v1/domains/bulk-${act}${query}`;
  const answer = await rest(path, { method: 'POST', body: { items } });
  contract.check('POST', path, answer);
  const { status, body } = answer;
  expect(status).toBe(200);
  return (body.items as readonly Item[]).map((item) => ({ ...item, body: { code: item.problem?.code } }));
}

/** Half of them below a primary in each of two projects; of every hundred five fail, each for another reason. */
const thousand = Array.from({ length: 1_000 }, (_, index) => {
  const project = index % 2 === 0 ? 'shop' : 'blog';
  const primary = `www.${project}.example`;
  if (index < 2) return { project, hostname: primary };
  const item = { project, hostname: `h${index}.example.org`, role: 'redirect', redirect: { to: primary } };
  switch (index % 100) {
    case 10:
      return { ...item, hostname: `h${index}.refused.example` };
    case 20:
      return { ...item, project: 'none' };
    case 30:
      return { project, hostname: item.hostname };
    case 40:
      return { ...item, hostname: `not a hostname ${index}` };
    case 50:
      return { ...item, redirect: { to: 'elsewhere.example' } };
    default:
      return item;
  }
});
const added = thousand.filter((_, index) => ![10, 20, 30, 40, 50].includes(index % 100));

const inCluster = async (): Promise<readonly ProjectDomain[]> => {
  const text = await controlPlane.kubectl.run(['get', 'projectdomains', '-n', namespace, '-o', 'json']);
  return (JSON.parse(text) as { items: readonly ProjectDomain[] }).items;
};

describe('a thousand items', () => {
  const failures = {
    '404 not-found': 10,
    '409 primary-exists': 10,
    '422 invalid-hostname': 10,
    '422 invalid-redirect': 10,
  };

  it('are judged by a dry run, which makes nothing; what the cluster will refuse it does not know', async () => {
    const items = await send('add', thousand, '?dryRun=true');
    expect(tally(items)).toEqual({ '201': 960, ...failures });
    expect(await inCluster()).toEqual([]);
  }, 180_000);

  it('are added, but for those that fail, whose problems are of that item', async () => {
    const items = await send('add', thousand);
    expect(tally(items)).toEqual({ '201': 950, '409 write-refused': 10, ...failures });
    expect(items.filter(({ problem }) => problem?.code === 'write-refused').map(({ hostname }) => hostname)).toEqual(
      Array.from({ length: 10 }, (_, hundred) => `h${hundred * 100 + 10}.refused.example`),
    );
    const made = await inCluster();
    expect(made.map(({ spec }) => spec.hostname).toSorted()).toEqual(added.map(({ hostname }) => hostname).toSorted());
  }, 180_000);

  it('may be sent again, and nothing is made twice', async () => {
    const before = (await inCluster()).map(({ metadata }) => metadata.uid).toSorted();
    const items = await send('add', thousand);
    expect(tally(items)).toEqual({ '200': 950, '409 write-refused': 10, ...failures });
    expect((await inCluster()).map(({ metadata }) => metadata.uid).toSorted()).toEqual(before);
  }, 180_000);

  it('are asked to be checked', async () => {
    const names = added.map(({ project, hostname }) => ({ project, hostname }));
    expect(tally(await send('verify', [...names, { project: 'shop', hostname: 'none.example' }]))).toEqual({
      '202': 950,
      '404 not-found': 1,
    });
    const asked = (await inCluster()).filter(({ metadata }) => metadata.annotations?.[verifyAnnotation]);
    expect(asked).toHaveLength(950);
  }, 180_000);

  it('are removed', async () => {
    const names = added.map(({ project, hostname }) => ({ project, hostname }));
    expect(tally(await send('remove', names))).toEqual({ '202': 950 });
    expect(await inCluster()).toEqual([]);
    expect(tally(await send('remove', names.slice(0, 10)))).toEqual({ '404 not-found': 10 });
  }, 180_000);
});
