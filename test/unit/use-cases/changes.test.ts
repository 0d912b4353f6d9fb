import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { KubernetesObject, ObjectKey } from '../../../src/kubernetes/kubernetes-port.ts';
import { ApiKeyKind, ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import { addDomain } from '../../../src/use-cases/add-domain.ts';
import type { LiveCache } from '../../../src/use-cases/api-dependencies.ts';
import { changeDomain } from '../../../src/use-cases/change-domain.ts';
import { createKey, deleteKey } from '../../../src/use-cases/api-keys.ts';
import type { DomainChange, NewDomain } from '../../../src/use-cases/domain-spec.ts';
import { removeDomain } from '../../../src/use-cases/remove-domain.ts';
import { replaceDomainConfig, showDomainConfig } from '../../../src/use-cases/domain-config.ts';
import { verifyDomain } from '../../../src/use-cases/verify-domain.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What use cases write, in which place, and what they refuse of what schemas let through. */

const apiVersion = 'projectdomain.io/v1alpha1';
const domains = { primary: 'main.example.com', redirects: [{ from: 'example.com' }] } as const;
const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

/** Account acme with project `shop`, whose configuration declares main.example.com, and `other` with domains of its own. */
function start() {
  const api = createInMemoryApi();
  apis.push(api);
  const key = api.account('acme', 'pro');
  const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
  api.put({ ...shop, spec: { ...shop?.spec, domains } });
  const uid = shop?.metadata.uid ?? '';
  const owner = { apiVersion, kind: 'Project', name: 'shop', uid, controller: true };
  const declare = (name: string, spec: object) =>
    api.put({
      apiVersion,
      kind: 'ProjectDomain',
      metadata: { name, namespace: 'acme', ownerReferences: [owner] },
      spec: { project: 'shop', ...spec },
    });
  declare('declared-main', { hostname: 'main.example.com', role: 'Primary' });
  declare('declared-example', {
    ...{ hostname: 'example.com', role: 'Redirect', redirect: { to: 'main.example.com', status: 301 } },
  });
  api.project('acme', 'other');
  api.domain('acme', 'www.example.org', { spec: { project: 'other', hostname: 'www.example.org', role: 'Primary' } });
  return { api, context: api.as(key) };
}

/** Once the object has changed, in a later turn of the event loop: as whoever watches it does something about it. */
function onceChanged(
  { subscribeTo }: Pick<LiveCache<KubernetesObject>, 'subscribeTo'>,
  key: ObjectKey,
  act: () => void,
) {
  const end = subscribeTo(key, () => {
    end();
    setImmediate(act);
  });
}

const other = { project: 'other' };
const configOf = async (api: InMemoryApi) =>
  (await api.cluster.get(ProjectKind, { namespace: 'acme', name: 'shop' }))?.spec.domains;

describe('adding', () => {
  it.each<[string, NewDomain, object]>([
    ['a primary', { hostname: 'a.example.com', role: 'primary' }, { role: 'Primary' }],
    [
      'a redirect',
      { hostname: 'b.example.com', role: 'redirect', redirect: { to: 'a.example.com', status: 308 } },
      { role: 'Redirect', redirect: { to: 'a.example.com', status: 308 } },
    ],
  ])('%s makes an object that is named by its hostname', async (_, domain, written) => {
    const { api, context } = start();
    api.project('acme', 'empty');
    await addDomain(context, {
      project: 'empty',
      domain: { hostname: 'a.example.com', role: 'primary' },
      dryRun: false,
    });
    await addDomain(context, { project: 'empty', domain, dryRun: false });
    const made = await api.cluster.get(ProjectDomainKind, { namespace: 'acme', name: domain.hostname });
    expect(made?.spec).toEqual({ project: 'empty', hostname: domain.hostname, ...written });
  });

  it('writes nothing in a dry run, whose records are those of the real one', async () => {
    const { api, context } = start();
    const domain = {
      hostname: 'b.example.org',
      role: 'redirect',
      redirect: { to: 'www.example.org', status: 301 },
    } as const;
    const preview = await addDomain(context, { ...other, domain, dryRun: true });
    expect(api.cluster.written).toEqual([]);
    const added = await addDomain(context, { ...other, domain, dryRun: false });
    expect([preview.kind, added.kind]).toEqual(['preview', 'added']);
    expect(preview.domain.records).toEqual(added.domain.records);
    expect([preview.domain.createdAt, typeof added.domain.createdAt]).toEqual([null, 'string']);
  });

  it.each<[string, NewDomain]>([
    [
      'a primary with a destination',
      { hostname: 'a.example.org', role: 'primary', redirect: { to: 'x.test', status: 301 } },
    ],
    [
      'a redirect to itself',
      { hostname: 'a.example.org', role: 'redirect', redirect: { to: 'a.example.org', status: 301 } },
    ],
  ])('%s is refused', async (_, domain) => {
    const { context } = start();
    await expect(addDomain(context, { ...other, domain, dryRun: false })).rejects.toMatchObject({
      code: 'invalid-redirect',
    });
  });

  it('leads a redirect that says no destination to the primary', async () => {
    const { context } = start();
    const domain = { hostname: 'a.example.org', role: 'redirect', redirect: { status: 308 } } as const;
    const added = await addDomain(context, { ...other, domain, dryRun: false });
    expect(added.domain.redirect).toEqual({ to: 'www.example.org', status: 308 });
  });

  it('says of a hostname that another account proved what the TXT record is for', async () => {
    const { api, context } = start();
    api.put({
      apiVersion,
      kind: 'HostnameClaim',
      metadata: { name: 'b.example.org' },
      spec: { account: 'id-of-other', holder: { namespace: 'other', name: 'b.example.org' }, phase: 'Held' },
    });
    const domain = {
      hostname: 'b.example.org',
      role: 'redirect',
      redirect: { to: 'www.example.org', status: 301 },
    } as const;
    const { domain: shown } = await addDomain(context, { ...other, domain, dryRun: true });
    expect(shown).toMatchObject({ state: 'Unverified', reason: 'HeldElsewhere' });
    expect(shown.records.map(({ type }) => type)).toEqual(['CNAME', 'TXT']);
  });
});

describe('changing', () => {
  it.each<[string, DomainChange, object]>([
    ['nothing keeps all of it', {}, { role: 'Redirect', redirect: { to: 'www.example.org', status: 302 } }],
    [
      'the status alone takes a destination with it',
      { redirect: { to: 'www.example.org', status: 307 } },
      { role: 'Redirect', redirect: { to: 'www.example.org', status: 307 } },
    ],
  ])('%s', async (_, change, written) => {
    const { api, context } = start();
    const spec = {
      ...other,
      hostname: 'r.example.org',
      role: 'Redirect',
      redirect: { to: 'www.example.org', status: 302 },
    } as const;
    api.domain('acme', 'r.example.org', { spec });
    await changeDomain(context, { ...other, hostname: 'r.example.org', change });
    const after = await api.cluster.get(ProjectDomainKind, { namespace: 'acme', name: 'r.example.org' });
    expect(after?.spec).toMatchObject(written);
  });

  it('lets two hostnames change places, of which one must begin', async () => {
    const { api, context } = start();
    const spec = {
      ...other,
      hostname: 'r.example.org',
      role: 'Redirect',
      redirect: { to: 'www.example.org' },
    } as const;
    api.domain('acme', 'r.example.org', { spec });
    const change = { role: 'redirect', redirect: { to: 'r.example.org', status: 301 } } as const;
    expect(await changeDomain(context, { ...other, hostname: 'www.example.org', change })).toMatchObject({
      role: 'redirect',
      redirect: { to: 'r.example.org' },
    });
  });

  it('a declared one changes the configuration, and waits for the operator to follow', async () => {
    const { api, context } = start();
    const seen = api.stores.domains.get({ namespace: 'acme', name: 'declared-example' });
    const change = { redirect: { to: 'acme.apps.example.net', status: 308 } } as const;
    onceChanged(api.stores.projects, { namespace: 'acme', name: 'shop' }, () =>
      api.put({ ...seen, spec: { ...seen?.spec, redirect: change.redirect } }),
    );
    const changed = await changeDomain(context, { project: 'shop', hostname: 'example.com', change });
    expect(changed).toMatchObject({ hostname: 'example.com', redirect: change.redirect });
    expect(await configOf(api)).toEqual({
      primary: 'main.example.com',
      redirects: [{ from: 'example.com', to: 'acme.apps.example.net', status: 308 }],
    });
  });

  it('a declared one is not prepared, as its configuration has no word for that, and nothing is said to have changed', async () => {
    const { api, context } = start();
    const change = { prepare: true };
    await expect(
      changeDomain(context, { project: 'shop', hostname: 'main.example.com', change }),
    ).rejects.toMatchObject({
      code: 'prepare-unavailable',
      message: expect.stringContaining("in its project's configuration"),
    });
    expect(await configOf(api)).toEqual(domains);
  });

  it('a declared primary that redirects lead to stays one, and the redirect that would be lost is named', async () => {
    const { api, context } = start();
    const change = { role: 'redirect', redirect: { to: 'acme.apps.example.net', status: 301 } } as const;
    const path = { project: 'shop', hostname: 'main.example.com' };
    await expect(changeDomain(context, { ...path, change })).rejects.toMatchObject({
      code: 'invalid-redirect',
      message: expect.stringContaining('example.com redirects to the primary main.example.com'),
    });
    expect(await configOf(api)).toEqual(domains);
  });
});

describe('removing', () => {
  it('a declared one takes it out of the configuration', async () => {
    const { api, context } = start();
    const path = { project: 'shop', hostname: 'example.com' };
    const gone = new AbortController();
    onceChanged(api.stores.projects, { namespace: 'acme', name: 'shop' }, () => gone.abort());
    const result = await removeDomain({ ...context, signal: gone.signal }, path);
    expect(result).toMatchObject({ kind: 'removing', domain: { hostname: 'example.com' } });
    expect(await configOf(api)).toEqual({ primary: 'main.example.com', redirects: [] });
  });

  it('the primary that redirects lead to is refused, by the redirect that would be lost', async () => {
    const { context } = start();
    await expect(removeDomain(context, { project: 'shop', hostname: 'main.example.com' })).rejects.toMatchObject({
      code: 'invalid-redirect',
      message: expect.stringContaining('example.com redirects to the primary main.example.com'),
    });
  });

  it('one with a uid takes no other with it that has its name by now', async () => {
    const { api, context } = start();
    const removed: unknown[] = [];
    const remove: InMemoryApi['cluster']['remove'] = (kind, key, preconditions) => {
      removed.push([key.name, preconditions]);
      return api.cluster.remove(kind, key);
    };
    const uid = api.stores.domains.get({ namespace: 'acme', name: 'www.example.org' })?.metadata.uid;
    const dependencies = { ...api.dependencies, cluster: { ...api.cluster, remove } };
    await removeDomain({ ...context, dependencies }, { ...other, hostname: 'www.example.org' });
    expect(removed).toEqual([['www.example.org', { uid }]]);
  });
});

describe('replacing the configuration', () => {
  it('writes what was given and no more', async () => {
    const { api, context } = start();
    const config = {
      primary: null,
      redirects: [{ from: 'a.example.com', to: 'acme.apps.example.net', status: 302 }],
    } as const;
    await replaceDomainConfig(context, { project: 'shop', config });
    expect(await configOf(api)).toEqual({ redirects: config.redirects });
  });

  it('adopts what was added outside of it and is listed, and names what stays', async () => {
    const { api, context } = start();
    const redirecting = (hostname: string) =>
      api.domain('acme', hostname, {
        spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'main.example.com', status: 301 } },
      });
    redirecting('own.example.com');
    redirecting('left.example.com');
    const config = {
      primary: 'main.example.com',
      redirects: [
        { from: 'example.com', status: 301 },
        { from: 'own.example.com', status: 301 },
      ],
    } as const;
    expect(await replaceDomainConfig(context, { project: 'shop', config })).toEqual({
      primary: 'main.example.com',
      redirects: ['example.com', 'own.example.com', 'left.example.com'].map((from) => ({
        from,
        to: 'main.example.com',
        status: 301,
      })),
      others: [],
      adopted: ['own.example.com'],
      kept: ['left.example.com'],
    });
    expect(await configOf(api)).toEqual({ ...config, adopt: true });
  });

  it('writes nothing where it says what is so, even of a project that could not have it anew', async () => {
    const { api, context } = start();
    const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
    api.put({ ...shop, status: {} });
    const said = await showDomainConfig(context, { project: 'shop' });
    const written = api.cluster.written.length;
    await replaceDomainConfig(context, { project: 'shop', config: said as never });
    expect(api.cluster.written).toHaveLength(written);
  });
});

describe('verifying', () => {
  it('asks by an annotation with the time and the uid, and says what was seen', async () => {
    const { api, context } = start();
    const applied: unknown[] = [];
    const apply: InMemoryApi['cluster']['apply'] = (kind, intent) => {
      applied.push(intent);
      return api.cluster.apply(kind, intent);
    };
    const dependencies = { ...api.dependencies, now: () => 0, cluster: { ...api.cluster, apply } };
    const path = { ...other, hostname: 'www.example.org', waitMs: 0 };
    expect(await verifyDomain({ ...context, dependencies }, path)).toMatchObject({ kind: 'asked' });
    const { uid } = api.stores.domains.get({ namespace: 'acme', name: 'www.example.org' })?.metadata ?? {};
    const annotations = { 'projectdomain.io/verify-requested-at': '1970-01-01T00:00:00.000Z' };
    expect(applied).toEqual([
      { apiVersion, kind: 'ProjectDomain', metadata: { name: 'www.example.org', namespace: 'acme', uid, annotations } },
    ]);
  });

  /** What the operator, or somebody else, writes once the request is there; `asked` is its value. */
  type Later = (domain: ProjectDomain, asked: string) => ProjectDomain;
  const annotated = (domain: ProjectDomain, value: string): ProjectDomain => ({
    ...domain,
    metadata: { ...domain.metadata, annotations: { 'projectdomain.io/verify-requested-at': value } },
  });
  const answered = (domain: ProjectDomain, verifySeen: string): ProjectDomain => ({
    ...domain,
    status: { ...domain.status, check: { ...domain.status?.check, verifySeen } },
  });
  const valueOf = (domain?: ProjectDomain) => domain?.metadata.annotations?.['projectdomain.io/verify-requested-at'];
  const later = '2999-01-01T00:00:00Z';
  const before = '2000-01-01T00:00:00Z';

  // Would fail if a check that began before the request were taken for its answer: what was mended just then would still be wrong.
  it.each<[string, Later, string]>([
    ['a check that began after it has ended, it is finished', answered, 'finished'],
    [
      'a check that began after the request of somebody else in its place has, too',
      (domain) => answered(annotated(domain, later), later),
      'finished',
    ],
    ['a check ends that began before it, it is not', (domain) => answered(domain, before), 'asked'],
    [
      'the state changes by a check that began before it, it is not',
      (domain) => ({ ...domain, status: { ...domain.status, state: 'Degraded' } }),
      'asked',
    ],
    [
      'the request before it, which somebody puts back, was answered before, it is not',
      (domain) => annotated(domain, before),
      'asked',
    ],
    [
      'only its certificate is renewed, it is not',
      (domain) => ({ ...domain, status: { ...domain.status, certificate: { notAfter: '2027-01-01T00:00:00Z' } } }),
      'asked',
    ],
  ])('waits; once %s', async (_, write, kind) => {
    const { api, context } = start();
    const key = { namespace: 'acme', name: 'www.example.org' };
    const there = () => api.stores.domains.get(key) as ProjectDomain;
    api.put(answered(annotated(there(), before), before));
    const gone = new AbortController();
    onceChanged(api.stores.domains, key, () => {
      api.put(write(there(), valueOf(there()) ?? ''));
      setImmediate(() => gone.abort());
    });
    const path = { ...other, hostname: key.name, waitMs: 50_000 };
    expect((await verifyDomain({ ...context, signal: gone.signal }, path)).kind).toBe(kind);
  });

  it('waits for one that is removed meanwhile, and says so', async () => {
    const { api, context } = start();
    const key = { namespace: 'acme', name: 'www.example.org' };
    onceChanged(api.stores.domains, key, () => void api.cluster.remove(ProjectDomainKind, key));
    await expect(verifyDomain(context, { ...other, hostname: key.name, waitMs: 50_000 })).rejects.toMatchObject({
      code: 'not-found',
      message: 'www.example.org was removed in the meantime',
    });
  });
});

describe('keys', () => {
  it('are kept by their hash alone, with each scope once', async () => {
    const { api, context } = start();
    const { id, key } = await createKey(context, { scopes: ['domains:read', 'domains:read'] });
    const made = await api.cluster.get(ApiKeyKind, { namespace: '', name: `key-${id}` });
    expect(made?.spec).toMatchObject({ account: 'acme', keyId: id, scopes: ['domains:read'] });
    expect(JSON.stringify(made)).not.toContain(key);
    expect(api.as(key).caller.account.metadata.name).toBe('acme');
  });

  it.each([
    ['give no scope that their maker lacks', { scopes: ['domains:write'] }, 'scope-missing'],
    ['do not expire before they are made', { scopes: [], expiresAt: '2020-01-01T00:00:00Z' }, 'malformed-request'],
  ] as const)('%s', async (_, request, code) => {
    const { api } = start();
    const context = api.as(api.key('acme', ['keys:write', 'domains:read']));
    await expect(createKey(context, request)).rejects.toMatchObject({ code });
  });

  it('of another account are not there', async () => {
    const { api, context } = start();
    const foreign = api.as(api.account('foreign', 'pro')).caller.apiKey.spec.keyId ?? '';
    await expect(deleteKey(context, { keyId: foreign })).rejects.toMatchObject({ code: 'not-found' });
  });
});
