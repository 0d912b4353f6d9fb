import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { ProjectDomainKind } from '../../../src/resources/kinds.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import { versionOf } from '../../../src/use-cases/precondition.ts';
import type { Writing } from '../../../src/use-cases/writes/write-turn.ts';
import { editDomain, removeInTurn } from '../../../src/use-cases/writes/write-turn.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';

/** Writes under a condition at a real kube-apiserver: a version is what it says of a spec, and nothing else changes it. */

const namespace = 'conditions';
const key = { namespace, name: 'www.example.com' };
let controlPlane: SharedControlPlane;
let transport: Transport;
let cluster: Cluster;
let memory: InMemoryApi;

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  transport = createTransport(await connect(controlPlane.kubeconfig));
  cluster = createCluster(transport, 'projectdomain-api');
  memory = createInMemoryApi();
  await controlPlane.kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
}, controlPlaneDeadlineMs);

afterAll(async () => {
  memory.stop();
  await transport.close();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

const create = (): Promise<ProjectDomain> =>
  cluster.create(ProjectDomainKind, {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: key,
    spec: { project: 'shop', hostname: key.name, role: 'Redirect', redirect: { to: 'example.com', status: 301 } },
  });

const live = async (): Promise<ProjectDomain> => {
  const found = await cluster.get(ProjectDomainKind, key);
  if (!found) throw new Error('it is gone');
  return found;
};

/** A change under the condition that the domain is still of this version, with a cache that shows it as it was. */
function under(version: string, cached: ProjectDomain): Writing {
  memory.stores.domains.put(structuredClone(cached));
  const stopping = AbortSignal.abort();
  return {
    ...memory.as(memory.account('acme', 'pro'), { signal: new AbortController().signal }),
    // Nobody waits for a cache that hears of nothing.
    dependencies: { ...memory.dependencies, cluster, stopping },
    ifMatch: (other) => other === version,
  };
}

const leadingOn = (status: 302 | 307) => (before: ProjectDomain) => ({
  ...before,
  spec: { ...before.spec, redirect: { to: 'example.com', status } },
});

/** What the operator and Verify write meanwhile. */
async function find(): Promise<void> {
  const domain = await live();
  const found: ProjectDomain = { ...domain, status: { ...domain.status, state: 'Live' } };
  await cluster.replaceStatus(ProjectDomainKind, found);
  const annotated = await live();
  const annotations = { [verifyAnnotation]: '2026-01-01T00:00:00Z' };
  await cluster.replace(ProjectDomainKind, { ...annotated, metadata: { ...annotated.metadata, annotations } });
}

it('lets a change be made of what was read, and no other', async () => {
  const first = await create();
  const read = versionOf(first);
  await find();
  expect(versionOf(await live())).toBe(read);
  expect((await live()).metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);

  const changed = await editDomain(under(read, first), first, leadingOn(302));
  expect(changed.spec.redirect?.status).toBe(302);
  expect(versionOf(changed)).not.toBe(read);

  for (const cached of [first, changed])
    await expect(editDomain(under(read, cached), first, leadingOn(307))).rejects.toMatchObject({
      code: 'precondition-failed',
    });
  await expect(removeInTurn(under(read, first), ProjectDomainKind, first)).rejects.toMatchObject({
    code: 'precondition-failed',
  });
  expect((await live()).spec.redirect?.status).toBe(302);

  await find();
  await removeInTurn(under(versionOf(changed), first), ProjectDomainKind, first);
  expect(await cluster.get(ProjectDomainKind, key)).toBeUndefined();

  const second = await create();
  expect(versionOf(second)).not.toBe(read);
  await expect(removeInTurn(under(read, second), ProjectDomainKind, second)).rejects.toMatchObject({
    code: 'precondition-failed',
  });
  expect((await live()).metadata.uid).toBe(second.metadata.uid);
  await cluster.remove(ProjectDomainKind, key);
}, 60_000);
