import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClusterSession } from '../../../src/cli/with-cluster.ts';
import { awaitDomain } from '../../../src/cli/await-domain.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import type { FakeApiServer } from '../../support/fake-api-server.ts';
import { listOf, refuse, startFakeApiServer, watchOf, watchRaw } from '../../support/fake-api-server.ts';

/** Waiting for a domain while the API server does what a real one does not do on demand. */

let server: FakeApiServer;
let transport: Transport;
let session: ClusterSession;

beforeEach(async () => {
  server = await startFakeApiServer();
  transport = createTransport(server.connection);
  session = { transport, namespace: 'a', cluster: createCluster(transport, 'test') };
});

afterEach(async () => {
  await transport.close();
  await server.stop();
});

const domain = (version: number, state: 'Verified' | 'Live', uid = 'u-www', name = 'www'): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name, namespace: 'a', uid, resourceVersion: String(version) },
  spec: { project: 'shop', hostname: 'www.example.com' },
  status: { state },
});

const start = domain(1, 'Verified');
const isReached = ({ status }: ProjectDomain) => status?.state === 'Live';
const watch = (ms = 20_000) => awaitDomain(session, start, { ms, isReached });
const live = domain(5, 'Live');

describe('a domain is watched until it is Live', () => {
  it.each<[string, Parameters<FakeApiServer['script']>[0]]>([
    ['it was so before the watch began', { lists: [listOf(5, live)], watches: [watchOf()] }],
    [
      'the list says so, after it told of a neighbour',
      { lists: [listOf(5, domain(4, 'Verified', 'u-2', 'other'), live)], watches: [watchOf()] },
    ],
    ['the watch says so', { lists: [listOf(1, start)], watches: [watchOf(['MODIFIED', live])] }],
    [
      'the second watch says so, after the first was cut',
      { lists: [listOf(1, start)], watches: [watchRaw('', 'reset'), watchOf(['MODIFIED', live])] },
    ],
    [
      'the list says so, after the API server was overloaded',
      { lists: [refuse(503), listOf(5, live)], watches: [watchOf()] },
    ],
    [
      'a new list says so, after the version was no longer kept',
      { lists: [listOf(1, start), listOf(5, live)], watches: [refuse(410), watchOf()] },
    ],
  ])('%s', async (_, script) => {
    server.script(script);
    expect(await watch()).toMatchObject({ end: 'reached', domain: { status: { state: 'Live' } } });
  });
});

describe('a domain is not watched for ever', () => {
  it.each<[string, Parameters<FakeApiServer['script']>[0], string, number?]>([
    ['its list lacks it: removed', { lists: [listOf(5)], watches: [watchOf()] }, 'removed'],
    [
      'it was deleted: removed',
      { lists: [listOf(1, start)], watches: [watchOf(['DELETED', domain(5, 'Verified')])] },
      'removed',
    ],
    [
      'another one took its name: removed',
      { lists: [listOf(5, domain(5, 'Live', 'u-other'))], watches: [watchOf()] },
      'removed',
    ],
    [
      'only a neighbour is Live: late',
      { lists: [listOf(1, start)], watches: [watchOf(['ADDED', domain(5, 'Live', 'u-2', 'other')])] },
      'late',
    ],
    ['the list is never answered: late', { lists: [() => undefined] }, 'late', 100],
    ['the API server is down all the time: late', { lists: [refuse(500)] }, 'late', 100],
  ])('%s', async (_, script, end, ms = 1_000) => {
    server.script(script);
    expect(await watch(ms)).toMatchObject({ end, domain: { metadata: { uid: 'u-www' } } });
  });

  it.each([
    ['a list that is forbidden', { lists: [refuse(403)] }],
    ['a watch that is forbidden', { lists: [listOf(1, start)], watches: [refuse(403)] }],
    ['credentials that ran out', { lists: [listOf(1, start)], watches: [refuse(401)] }],
    ['a kind that was taken away', { lists: [refuse(404)] }],
  ])('%s ends it at once', async (_, script) => {
    server.script(script);
    await expect(watch()).rejects.toThrow('scripted');
  });
});
