import { describe, expect, it } from '@jest/globals';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { ProjectDomainKind } from '../../../src/resources/kinds.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import { addDomain } from '../../../src/use-cases/add-domain.ts';
import { replaceDomainConfig, showDomainConfig } from '../../../src/use-cases/domain-config.ts';
import { makePrimary } from '../../../src/use-cases/make-primary.ts';
import { Problem } from '../../../src/use-cases/problem.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { drawn, fc } from '../../support/property.ts';
import { now, recentChecks, routes, settings } from '../../support/snapshot.ts';

/**
 * Domains that are declared by YAML, by REST and by the dashboard, in any order, with an operator that follows: none is lost, and what GET of the configuration says
 * can be sent back without anything being another.
 */

const project = 'shop';
const platform = 'acme.apps.example.net';

const shopOf = (api: InMemoryApi): Project => api.stores.projects.get({ namespace: 'acme', name: project }) as Project;
const domainsOf = (api: InMemoryApi): readonly ProjectDomain[] => api.stores.domains.list();

/** What an apply of the operator makes of an object: what others wrote stays. */
function applied(before: ProjectDomain | undefined, intent: ProjectDomain): ProjectDomain {
  const spec = { ...before?.spec, ...intent.spec };
  if (spec.role === 'Primary' && spec.redirect) throw new Error('the schema refuses a Primary with a redirect');
  return { ...before, ...intent, metadata: { ...before?.metadata, ...intent.metadata }, spec };
}

function storesOf(api: InMemoryApi) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  for (const name of ['plans', 'accounts', 'namespaces', 'projects', 'domains', 'claims'] as const)
    for (const object of api.stores[name].list()) stores[name].put(object as never);
  return stores;
}

/** The project's entries become domains. */
async function makeEntries(api: InMemoryApi): Promise<void> {
  const { writes } = decideProject(gatherProject(storesOf(api), settings, shopOf(api), now));
  for (const write of writes.filter(({ kind }) => kind.kind === ProjectDomainKind.kind)) {
    if (write.verb === 'remove') await api.cluster.remove(ProjectDomainKind, write.key);
    if (write.verb === 'replace') api.put(write.object);
    if (write.verb !== 'apply') continue;
    const intent = write.object as unknown as ProjectDomain;
    api.put(applied(api.stores.domains.get({ namespace: 'acme', name: intent.metadata.name }), intent));
  }
}

/** The domain says whether it is accepted, and as what it is served. */
function accept(api: InMemoryApi, domain: ProjectDomain): void {
  const gathered = gatherProjectDomain({ caches: storesOf(api), settings, recentChecks }, domain, now);
  const isAccepted = assessProjectDomain(gathered).accepted.status === 'True';
  const { role = 'Primary', redirect } = domain.spec;
  const servedAs = isAccepted ? { role, ...(redirect && { redirect }) } : domain.status?.servedAs;
  const state = isAccepted ? 'Live' : servedAs ? 'Degraded' : 'Pending';
  const status = { state, ...(servedAs && { servedAs }) } as const;
  if (JSON.stringify(domain.status) !== JSON.stringify(status)) api.put({ ...domain, status });
}

async function operate(api: InMemoryApi): Promise<void> {
  for (let before = ''; before !== picture(api);) {
    before = picture(api);
    await makeEntries(api);
    for (const domain of domainsOf(api)) accept(api, domain);
  }
}

const picture = (api: InMemoryApi): string =>
  JSON.stringify([shopOf(api).spec, domainsOf(api).map(({ spec, status }) => [spec, status])]);

/** What visitors get, by hostname. */
const truth = (api: InMemoryApi) =>
  Object.fromEntries(
    domainsOf(api).map(({ spec, status }) => [spec.hostname, `${spec.role} ${spec.redirect?.to} ${status?.state}`]),
  );

interface Scene {
  readonly api: InMemoryApi;
  readonly context: RequestContext;
}

type Act = (scene: Scene) => Promise<unknown>;

const add =
  (hostname: string, to: string | null): Act =>
  ({ context }) =>
    addDomain(context, {
      project,
      dryRun: false,
      domain:
        to === null ? { hostname, role: 'primary' } : { hostname, role: 'redirect', redirect: { to, status: 302 } },
    });

/** Somebody applies a manifest of the project with one entry more. */
const declare =
  (hostname: string, to: string | null): Act =>
  ({ api }) => {
    const shop = shopOf(api);
    const { primary, redirects = [], ...rest } = shop.spec.domains ?? {};
    if (
      primary === hostname ||
      redirects.some(({ from }) => from === hostname) ||
      (to === null && primary !== undefined)
    )
      return Promise.resolve();
    const domains =
      to === null
        ? { ...rest, primary: hostname, redirects }
        : {
            ...rest,
            ...(primary && { primary }),
            redirects: [...redirects, { from: hostname, to, status: 301 as const }],
          };
    api.put({ ...shop, spec: { ...shop.spec, domains } });
    return Promise.resolve();
  };

const promote =
  (hostname: string): Act =>
  ({ context }) =>
    makePrimary(context, { project, hostname, spend: () => Promise.resolve() });

const roundTrip: Act = async ({ api, context }) => {
  const before = truth(api);
  const said = await showDomainConfig(context, { project });
  const isSound = Object.values(before).every((one) => one.endsWith('Live'));
  try {
    const { adopted, kept, ...after } = await replaceDomainConfig(context, { project, config: said as never });
    await operate(api);
    expect({ ...after, redirects: after.redirects.toSorted(byFrom) }).toEqual({
      ...said,
      redirects: said.redirects.toSorted(byFrom),
    });
    expect(kept.filter((hostname) => adopted.includes(hostname))).toEqual([]);
  } catch (error) {
    if (!(error instanceof Problem) || isSound) throw error;
  }
  expect(truth(api)).toEqual(before);
};

const byFrom = (one: { readonly from: string }, other: { readonly from: string }) => (one.from < other.from ? -1 : 1);

async function play(acts: readonly Act[]): Promise<void> {
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  const replace: InMemoryApi['cluster']['replace'] = async (kind, object) => {
    const written = await api.cluster.replace(kind, object);
    await operate(api);
    return written;
  };
  const dependencies = { ...api.dependencies, cluster: { ...api.cluster, replace } };
  const scene = { api, context: { ...api.as(key), dependencies } };
  try {
    for (const act of acts) {
      const before = domainsOf(api).map(({ spec }) => spec.hostname);
      await act(scene).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
      await operate(api);
      const after = new Set(domainsOf(api).map(({ spec }) => spec.hostname));
      expect(before.filter((hostname) => !after.has(hostname))).toEqual([]);
    }
    await roundTrip(scene);
    const { primary, redirects, others } = await showDomainConfig(scene.context, { project });
    const shown = new Set([primary, ...redirects.map(({ from }) => from), ...others]);
    expect(domainsOf(api).filter(({ spec }) => !shown.has(spec.hostname))).toEqual([]);
  } finally {
    api.stop();
  }
}

const hostname = fc.constantFrom('a.example.com', 'b.example.com', 'c.example.com', 'd.example.com');
const to = fc.oneof(fc.constant(null), fc.constant(platform), hostname);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(hostname, to).map(([name, where]) => add(name, where)),
  fc.tuple(hostname, to).map(([name, where]) => declare(name, where)),
  hostname.map(promote),
  fc.constant(roundTrip),
);

describe('domains that are declared in any way, one after the other', () => {
  it('are never lost, and the configuration that is read can be sent back', async () => {
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 7 }), play), { numRuns: drawn(60) });
  });

  it.each<[string, readonly Act[]]>([
    [
      'one primary and two redirects that REST made',
      [add('a.example.com', null), add('b.example.com', 'a.example.com'), add('c.example.com', platform), roundTrip],
    ],
    [
      'the same, and then another primary',
      [add('a.example.com', null), add('b.example.com', 'a.example.com'), roundTrip, promote('b.example.com')],
    ],
    [
      'a primary from YAML beside one that REST made',
      [add('a.example.com', null), declare('b.example.com', null), roundTrip],
    ],
    [
      'a redirect from YAML that REST has made already',
      [add('a.example.com', null), add('b.example.com', 'a.example.com'), declare('b.example.com', platform)],
    ],
  ])('as %s', async (_title, acts) => {
    await play(acts);
  });
});
