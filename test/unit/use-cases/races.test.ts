import { afterEach, describe, expect, it } from '@jest/globals';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import { addDomain } from '../../../src/use-cases/add-domain.ts';
import { changeDomain } from '../../../src/use-cases/change-domain.ts';
import { changeProject, createProject, deleteProject, listProjects } from '../../../src/use-cases/projects.ts';
import { createKey, deleteKey, listKeys } from '../../../src/use-cases/api-keys.ts';
import { removeDomain } from '../../../src/use-cases/remove-domain.ts';
import { showDomain } from '../../../src/use-cases/read-domains.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Use cases while others do the same, and while the cache is behind what was written. */

const service = { name: 'web', port: 80 };
const redirect = (hostname: string, to = 'www.example.com') =>
  ({ project: 'shop', domain: { hostname, role: 'redirect', redirect: { to, status: 301 } }, dryRun: false }) as const;
const codesOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as { code?: string }).code));
const count = (words: readonly (string | undefined)[], word: string) => words.filter((one) => one === word).length;

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

function start(plan = 'pro', pace = {}) {
  const api = createInMemoryApi(pace);
  apis.push(api);
  const key = api.account('acme', plan);
  api.domain('acme', 'www.example.com');
  return { api, context: api.as(key) };
}

describe('what several ask for at the same time', () => {
  it('is added once: one added it, the others find it there', async () => {
    const { api, context } = start('pro', { writeMs: 5, watchMs: 5 });
    const results = await Promise.all(Array.from({ length: 5 }, () => addDomain(context, redirect('example.com'))));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['added', ...Array<string>(4).fill('existing')]);
    expect(api.cluster.written).toEqual(['acme/example.com']);
  });

  it('is refused to whoever asks for it otherwise', async () => {
    const { context } = start('pro', { writeMs: 5, watchMs: 5 });
    const results = await Promise.allSettled([
      addDomain(context, redirect('example.com')),
      addDomain(context, redirect('example.com', 'acme.apps.example.net')),
    ]);
    expect(codesOf(results)).toEqual(['done', 'hostname-in-use']);
  });

  // Would fail if a redirect were refused right after its destination was added, because this API server had not heard of that yet.
  it('leads to what was added at another API server, although no cache showed that yet', async () => {
    const { api, context } = start('pro', { watchMs: 1_500 });
    const destination = (name: string, project: string) =>
      api.cluster.create(ProjectDomainKind, {
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name, namespace: 'acme' },
        spec: { project, hostname: name, role: 'Primary' },
      });
    api.project('acme', 'empty');
    await destination('new.example.com', 'empty');
    const added = { ...redirect('old.example.com', 'new.example.com'), project: 'empty' };
    expect((await addDomain(context, added)).kind).toBe('added');
    const foreign = { ...redirect('foreign.example.com', 'nowhere.example.com'), project: 'empty' };
    await expect(addDomain(context, foreign)).rejects.toMatchObject({ code: 'invalid-redirect' });
  });

  it('is refused in the second project, although no cache showed it there yet', async () => {
    const { api, context } = start('pro', { watchMs: 200 });
    api.project('acme', 'other');
    await api.cluster.create(ProjectDomainKind, {
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'new.example.com', namespace: 'acme' },
      spec: { project: 'other', hostname: 'new.example.com', role: 'Primary' },
    });
    await expect(addDomain(context, redirect('new.example.com'))).rejects.toMatchObject({
      code: 'hostname-in-use',
      message: expect.stringContaining('another project of the account has new.example.com'),
    });
  });

  it('is not said to be there while the one that was there is still being removed', async () => {
    const { api, context } = start('pro', { watchMs: 200 });
    await api.cluster.create(ProjectDomainKind, {
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'example.com', namespace: 'acme', deletionTimestamp: '2026-11-20T08:00:00Z' },
      spec: { project: 'shop', hostname: 'example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
    });
    await expect(addDomain(context, redirect('example.com'))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('still being removed'),
    });
  });

  it('keeps to the cap of projects, however late the cache is', async () => {
    const { context } = start('free', { writeMs: 5, watchMs: 100 });
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const codes = codesOf(await Promise.allSettled(names.map((name) => createProject(context, { name, service }))));
    expect([count(codes, 'done'), count(codes, 'project-cap-reached')]).toEqual([4, 4]);
  });

  it('keeps to the cap of keys, however late the cache is', async () => {
    const { context } = start('free', { writeMs: 5, watchMs: 100 });
    const tries = Array.from({ length: 8 }, () => createKey(context, { scopes: ['domains:read'] }));
    const codes = codesOf(await Promise.allSettled(tries));
    expect([count(codes, 'done'), count(codes, 'key-cap-reached')]).toEqual([4, 4]);
  });

  it('gives a place back that was not used: after failures there is as much room as before', async () => {
    const { api, context } = start('free');
    for (let index = 0; index < 6; index += 1) {
      api.cluster.refuseNext(1);
      await expect(createProject(context, { name: 'p', service })).rejects.toMatchObject({ status: 503 });
    }
    expect(await createProject(context, { name: 'p', service })).toMatchObject({
      kind: 'created',
      project: { name: 'p' },
    });
  });

  it('makes a project once; whoever is second gets the same, or is told that the name is taken', async () => {
    const { api, context } = start('pro', { writeMs: 5, watchMs: 20 });
    const tries = [1, 2].map(() => createProject(context, { name: 'p', service }));
    expect((await Promise.all(tries)).map(({ kind }) => kind).toSorted()).toEqual(['created', 'existing']);
    const others = [80, 81].map((port) => createProject(context, { name: 'q', service: { ...service, port } }));
    expect(codesOf(await Promise.allSettled(others)).toSorted()).toEqual(['already-exists', 'done']);
    expect(api.cluster.written).toEqual(['acme/p', 'acme/q']);
  });

  it('keeps changes of both of one project, one after the other', async () => {
    const { api, context } = start('pro', { writeMs: 5, watchMs: 5 });
    await Promise.all([
      changeProject(context, { project: 'shop', change: { subdomain: 'other' } }),
      changeProject(context, { project: 'shop', change: { service: { name: 'new', port: 81 } } }),
    ]);
    expect(await api.cluster.get(ProjectKind, { namespace: 'acme', name: 'shop' })).toMatchObject({
      spec: { subdomain: 'other', service: { name: 'new', port: 81 } },
    });
  });
});

const conflict = () => new KubernetesError({ status: 409, reason: 'Conflict', message: 'again', retryAfterMs: null });

describe('whoever was slower than somebody else', () => {
  it.each([
    ['writes what it wanted onto the newer version', 3, true],
    ['is refused when others never stop changing it', 9, false],
  ])('%s (%s conflicts)', async (_, conflicts, succeeds) => {
    const { api, context } = start();
    let left = conflicts;
    const dependencies: InMemoryApi['dependencies'] = {
      ...api.dependencies,
      cluster: {
        ...api.cluster,
        replace: (kind, object) => {
          left -= 1;
          return left >= 0 ? Promise.reject(conflict()) : api.cluster.replace(kind, object);
        },
      },
    };
    const change = { ...redirect('www.example.com', 'acme.apps.example.net').domain };
    const changed = changeDomain(
      { ...context, dependencies },
      { project: 'shop', hostname: 'www.example.com', change },
    );
    if (succeeds) expect(await changed).toMatchObject({ role: 'redirect' });
    else await expect(changed).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  });
});

describe('what was answered is seen by whoever asks next, although the cache is late', () => {
  const late = { watchMs: 60 };

  it('a domain that was added', async () => {
    const { context } = start('pro', late);
    await addDomain(context, redirect('example.com'));
    const shown = await showDomain(context, { project: 'shop', hostname: 'example.com' });
    expect(shown.domain).toMatchObject({ hostname: 'example.com', role: 'redirect' });
  });

  it('a domain that was removed', async () => {
    const { context } = start('pro', late);
    const path = { project: 'shop', hostname: 'www.example.com' };
    expect(await removeDomain(context, path)).toEqual({ kind: 'removed' });
    await expect(showDomain(context, path)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('projects that were made and deleted', async () => {
    const { context } = start('pro', late);
    await createProject(context, { name: 'new', service });
    await deleteProject(context, { project: 'shop' });
    const { items } = await listProjects(context, { limit: 10 });
    expect(items.map(({ name }) => name)).toEqual(['new']);
  });

  it('keys that were made and deleted', async () => {
    const { context } = start('pro', late);
    const { id } = await createKey(context, { scopes: ['domains:read'] });
    const own = context.caller.apiKey.spec.keyId ?? '';
    await deleteKey(context, { keyId: own });
    const { items } = await listKeys(context, { limit: 10 });
    expect(items.map((key) => key.id)).toEqual([id]);
  });

  it('is answered all the same when the cache says nothing for five seconds', async () => {
    const { context } = start('pro', { watchMs: 60_000 });
    expect(await addDomain(context, redirect('example.com'))).toMatchObject({ kind: 'added' });
  }, 20_000);
});
