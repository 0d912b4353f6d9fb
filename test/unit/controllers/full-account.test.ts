import { describe, expect, it } from '@jest/globals';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Intent, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { exceededQuota, isQuotaNotCountedYet } from '../../../src/resources/object-limits.ts';
import { reconcileProject } from '../../../src/controllers/project/project-reconciler.ts';
import { createPrecedenceIndex } from '../../../src/controllers/precedence-index.ts';
import { createForeignLooks } from '../../../src/controllers/project/foreign-looks.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { account, now, project, settings } from '../../support/snapshot.ts';

/** A project that declares more domains than its account may have, before a cluster that refuses what is too much. */

const refusal = (message: string) =>
  new KubernetesError({ status: 403, reason: 'Forbidden', message, retryAfterMs: null });

const full = refusal(
  'projectdomains.projectdomain.io "c.example.com" is forbidden: exceeded quota: projectdomain-maximum, requested: count/projectdomains.projectdomain.io=1, used: count/projectdomains.projectdomain.io=2, limited: count/projectdomains.projectdomain.io=2',
);

const declaring = (...hostnames: readonly string[]): Project => ({
  ...project,
  spec: { ...project.spec, domains: { redirects: hostnames.map((from) => ({ from, to: 'shop.apps.example.net' })) } },
});

const child = (hostname: string): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: {
    name: hostname,
    namespace: 'acme',
    uid: `u-${hostname}`,
    ownerReferences: [
      { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Project', name: 'shop', uid: 'u-shop', controller: true },
    ],
  },
  spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'shop.apps.example.net', status: 301 } },
});

interface Seen {
  readonly made: readonly string[];
  readonly removed: readonly string[];
  readonly declared: { readonly status: string; readonly reason: string; readonly message: string } | undefined;
  readonly outcome: unknown;
}

/** One visit; the cluster lets `room` more ProjectDomains in. */
async function visit(subject: Project, existing: readonly ProjectDomain[], room: number, error = full): Promise<Seen> {
  const made: string[] = [];
  const removed: string[] = [];
  let status: { readonly conditions?: readonly (Seen['declared'] & { readonly type: string })[] } = {};
  const none = {
    get: () => undefined,
    headOf: () => undefined,
    list: () => [],
    byIndex: () => [],
    keysByIndex: () => [],
  };
  const namespace = { metadata: { name: 'acme', labels: { 'projectdomain.io/account': 'acme' } } };
  const byIndex = (index: string, value: string) =>
    existing.filter(({ spec }) => index === 'project' || spec.hostname === value);
  const at = ({ name }: { readonly name: string }) => existing.find((domain) => domain.metadata.name === name);
  const caches = new Proxy(
    {
      projects: { ...none, get: () => subject },
      accounts: { ...none, headOf: () => account },
      namespaces: { ...none, get: () => namespace, list: () => [namespace], byIndex: () => [namespace] },
      domains: { ...none, byIndex, headOf: at },
      precedenceIndex: createPrecedenceIndex({
        domainsOf: ({ index, value }) => byIndex(index, value),
        domainAt: at,
        domainsIn: () => existing,
        accountOf: () => undefined,
        claimOf: () => undefined,
      }),
      failureCounts: () => ({ served: 0, failing: 0, namespaces: 0, failingNamespaces: 0 }),
    },
    { get: (known, name) => (Reflect.get(known, name) as unknown) ?? none },
  );
  const cluster = {
    apply: (_: unknown, { kind, metadata }: Intent) => {
      if (kind !== 'ProjectDomain' || existing.some((domain) => domain.metadata.name === metadata.name))
        return Promise.resolve();
      if (made.length >= room) return Promise.reject(error);
      made.push(metadata.name);
      return Promise.resolve();
    },
    applyStatus: (_: unknown, intent: Intent) => Promise.resolve(void (status = intent.status as typeof status)),
    create: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
    remove: (_: unknown, { name }: { name: string }) =>
      Promise.resolve(!removed.includes(name) && removed.push(name) > 0),
  };
  const dependencies = {
    caches,
    settings,
    cluster,
    now: () => now,
    foreignLooks: createForeignLooks(),
    recordEvent: () => undefined,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
  } as unknown as ControllerNeeds;
  const outcome = await reconcileProject(dependencies, 'acme/shop', new AbortController().signal);
  return { made, removed, outcome, declared: status.conditions?.find(({ type }) => type === 'DomainsDeclared') };
}

describe('a project that declares more than its account may have', () => {
  it('gets as many as there is room for, and a condition that names the rest', async () => {
    const { made, declared, outcome } = await visit(
      declaring('a.example.com', 'b.example.com', 'c.example.com'),
      [],
      2,
    );
    expect(made).toEqual(['a.example.com', 'b.example.com']);
    expect(declared).toMatchObject({ status: 'False', reason: 'DomainCapReached' });
    expect(outcome).toEqual({ requeueAfterMs: 60_000 });
  });

  it('names only the first of very many', async () => {
    const hostnames = Array.from({ length: 500 }, (_, index) => `h${index}.example.com`);
    const { declared } = await visit(declaring(...hostnames), [], 0);
    expect(declared?.message).toContain('h4.example.com and 495 more');
  });

  it('still gives up what it no longer declares, which makes room', async () => {
    const { removed, made } = await visit(
      declaring('a.example.com', 'c.example.com'),
      [child('a.example.com'), child('b.example.com')],
      0,
    );
    expect([removed, made]).toEqual([['b.example.com'], []]);
  });

  it('gives it up before anything is made, as twenty refused entries end a visit and would keep it served', async () => {
    const refused = Array.from({ length: 20 }, (_, index) => `denied${index}.example.com`);
    const denial = refusal('admission webhook "rules.example.com" denied the request: no');
    const { removed, made } = await visit(declaring(...refused), [child('dropped.example.com')], 0, denial);
    expect({ removed, made }).toEqual({ removed: ['dropped.example.com'], made: [] });
  });

  it('keeps what exists when the cap came later', async () => {
    const { removed, declared } = await visit(declaring('a.example.com'), [child('a.example.com')], 0);
    expect(removed).toEqual([]);
    expect(declared).toMatchObject({ status: 'True' });
  });

  it('says so when something else refused, makes what it may, and is tried again with back-off', async () => {
    const other = refusal('projectdomains.projectdomain.io is forbidden: User "x" cannot patch resource');
    const { outcome, declared, made } = await visit(declaring('a.example.com', 'b.example.com'), [], 1, other);
    expect(made).toEqual(['a.example.com']);
    expect(outcome).toEqual({ refused: other });
    expect(declared).toMatchObject({ status: 'False', reason: 'WriteRefused' });
    expect(declared?.message).toContain('the operator may not write ProjectDomain acme/b.example.com');
  });
});

describe('the refusal of a ResourceQuota', () => {
  it.each<[string, unknown, ReturnType<typeof exceededQuota>]>([
    ['of domains', full, 'domains'],
    [
      'of projects',
      refusal('exceeded quota: projectdomain-maximum, requested: count/projects.projectdomain.io=1'),
      'projects',
    ],
    [
      "of an administrator's own quota of projects",
      refusal('exceeded quota: own, requested: count/projects.projectdomain.io=1'),
      'projects',
    ],
    ['of something else', refusal('exceeded quota: own, requested: pods=1'), null],
    ['by rights', refusal('User "x" cannot create resource "projects"'), null],
    ['that is none', new Error('exceeded quota: x, requested: count/projects.projectdomain.io=1'), null],
  ])('%s is told', (_, error, expected) => {
    expect(exceededQuota(error)).toBe(expected);
  });

  it('that has not counted yet is told apart', () => {
    expect(
      isQuotaNotCountedYet(refusal('status unknown for quota: projectdomain-maximum, resources: count/projects')),
    ).toBe(true);
    expect(isQuotaNotCountedYet(full)).toBe(false);
  });
});
