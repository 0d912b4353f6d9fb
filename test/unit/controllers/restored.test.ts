import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../../../src/generated/api-key.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { decideApiKey } from '../../../src/controllers/api-key/api-key-reconciler.ts';
import { decideHostnameClaim } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import type { Actions } from '../../../src/controller-runtime/actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { decideDeclaredDomains } from '../../../src/controllers/project/declared-domains-step.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import {
  account,
  certificateIn,
  claim,
  domain,
  ingress,
  now,
  project,
  settings,
  routes,
  recentChecks,
} from '../../support/snapshot.ts';

/** What comes back without its status, its owners or, for a while, the objects around it. */

const minute = 60_000;
const at = (ago: number) => new Date(now - ago).toISOString();
const gone = { route: false, certificate: false };

describe('a held claim whose holder is absent', () => {
  const made = (ago: number, provedBefore: number, changes: Partial<HostnameClaim['spec']> = {}) => {
    const plain = claim({ proof: { method: 'CNAME', at: at(ago + provedBefore) }, ...changes });
    return { ...plain, metadata: { ...plain.metadata, creationTimestamp: at(ago) } };
  };
  it.each<[string, HostnameClaim, 'waits' | 'ends']>([
    ['ends when it was made as its name was proven', made(5 * minute, 0), 'ends'],
    ['ends when the API server was slow to make it', made(5 * minute, 30_000), 'ends'],
    ['waits when it is younger than its proof: it was restored', made(5 * minute, 24 * 60 * minute), 'waits'],
    ['waits until an hour after it was restored', made(60 * minute - 1, 24 * 60 * minute), 'waits'],
    ['ends an hour after it was restored', made(60 * minute, 24 * 60 * minute), 'ends'],
    ['ends when it was revived after a removal', made(24 * 60 * minute, -24 * 60 * minute), 'ends'],
    ['ends, restored or not, when the name is being lost', made(0, 24 * 60 * minute, { phase: 'Releasing' }), 'ends'],
  ])('%s', (_, subject, outcome) => {
    const actions = decideHostnameClaim({ now, routes, claim: subject, held: false, children: gone });
    const ends = actions.writes.some(({ verb }) => verb === 'replace');
    expect(ends ? 'ends' : 'waits').toBe(outcome);
  });

  it('is looked at again when its time is over', () => {
    const subject = made(5 * minute, 24 * 60 * minute);
    expect(decideHostnameClaim({ now, routes, claim: subject, held: false, children: gone }).requeueAt).toBe(
      now + 55 * minute,
    );
  });
});

const namespace = (labels: Record<string, string> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'acme', labels },
});
const labelled = namespace({ 'projectdomain.io/account': 'acme' });

function dependencies(objects: {
  account: boolean;
  namespace: KubernetesObject;
  domain: ProjectDomain;
  claim: HostnameClaim;
}) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  if (objects.account) stores.accounts.put(account);
  stores.namespaces.put(objects.namespace);
  stores.projects.put(project);
  stores.domains.put(objects.domain);
  stores.claims.put(objects.claim);
  stores.certificates.put(certificateIn(true));
  stores.routeStores.ingresses?.put(ingress);
  return stores;
}

describe('a served domain', () => {
  const served = domain({
    status: {
      state: 'Live',
      conditions: [{ type: 'Routed', status: 'True', reason: 'Routed', message: '', lastTransitionTime: at(0) }],
    },
  });
  const removals = (objects: Parameters<typeof dependencies>[0]) => {
    const snapshot = {
      ...assessProjectDomain(
        gatherProjectDomain({ caches: dependencies(objects), settings, recentChecks }, served, now),
      ),
      verdict: null,
      probe: null,
    };
    const { writes } = decideProjectDomain(snapshot);
    return writes.flatMap(({ verb, kind }) => (verb === 'remove' ? [kind.kind] : []));
  };
  it.each<[string, { account: boolean; namespace: KubernetesObject; claim: HostnameClaim }, readonly string[]]>([
    ['goes on while its Account is absent', { account: false, namespace: labelled, claim: claim() }, []],
    ['goes on while its namespace has lost its label', { account: true, namespace: namespace(), claim: claim() }, []],
    [
      'ends when the name is held by another object and nobody knows whose it is',
      { account: false, namespace: labelled, claim: claim({ holder: { namespace: 'rival', name: 'www' } }) },
      ['Ingress', 'Certificate'],
    ],
    [
      'ends when its account came back under another id',
      { account: true, namespace: labelled, claim: claim({ account: 'acc-before' }) },
      ['Ingress', 'Certificate'],
    ],
  ])('%s', (_, objects, expected) => {
    expect(removals({ ...objects, domain: served })).toEqual(expected);
  });

  it('says meanwhile that its Account is not there', () => {
    const objects = { account: false, namespace: labelled, domain: served, claim: claim() };
    const snapshot = {
      ...assessProjectDomain(
        gatherProjectDomain({ caches: dependencies(objects), settings, recentChecks }, served, now),
      ),
      verdict: null,
      probe: null,
    };
    const status = decideProjectDomain(snapshot).writes.find(({ verb }) => verb === 'applyStatus');
    expect(JSON.stringify(status)).toContain('"reason":"AccountNotFound"');
    expect(JSON.stringify(status)).toContain('"state":"Degraded"');
  });
});

describe('a ProjectDomain with the hostname of an entry of spec.domains', () => {
  const ours = { 'app.kubernetes.io/managed-by': 'projectdomain' };
  const restored = (metadata: Partial<ProjectDomain['metadata']>): ProjectDomain => ({
    ...domain(),
    metadata: { name: 'www.example.com', namespace: 'acme', uid: 'u-new', labels: ours, ...metadata },
  });
  const stamp = { apiVersion: '', kind: 'Project', name: 'shop', uid: 'u-shop' };
  it.each<[string, ProjectDomain, 'taken back' | 'left alone']>([
    ['is taken back when it bears our label and has lost its owner', restored({}), 'taken back'],
    [
      'is taken back when it was already tied to its project again',
      restored({ ownerReferences: [stamp] }),
      'taken back',
    ],
    ['is left alone without our label', restored({ labels: {} }), 'left alone'],
    ['is left alone under a name of its own', restored({ name: 'www' }), 'left alone'],
    [
      'is left alone when something else controls it',
      restored({ ownerReferences: [{ ...stamp, uid: 'u-other', controller: true }] }),
      'left alone',
    ],
    [
      'is left alone when it belongs to another project',
      { ...restored({}), spec: { project: 'blog', hostname: 'www.example.com' } },
      'left alone',
    ],
  ])('%s', (_, subject, outcome) => {
    const declaring = { ...project, spec: { ...project.spec, domains: { primary: 'www.example.com' } } };
    const stores = dependencies({ account: true, namespace: labelled, domain: subject, claim: claim() });
    const { writes, finding } = decideDeclaredDomains(gatherProject(stores, settings, declaring, now));
    expect(writes.some(({ verb }) => verb === 'apply') ? 'taken back' : 'left alone').toBe(outcome);
    expect(finding.status).toBe(outcome === 'taken back' ? 'True' : 'False');
  });

  it.each<[string, boolean]>([
    ['in a namespace of nobody is no concern of a project whose own account is absent', false],
    ['in another namespace of the same account stands for the entry', true],
  ])('%s', (_, known) => {
    const declaring = { ...project, spec: { ...project.spec, domains: { primary: 'www.example.com' } } };
    const elsewhere = restored({ name: 'www', namespace: 'acme-two', labels: {} });
    const stores = dependencies({ account: known, namespace: labelled, domain: elsewhere, claim: claim() });
    stores.namespaces.put({ ...labelled, metadata: { ...labelled.metadata, name: 'acme-two' } });
    const { finding } = decideDeclaredDomains(gatherProject(stores, settings, declaring, now));
    expect(finding.reason).toBe(known ? 'DeclaredElsewhere' : 'DomainsDeclared');
  });
});

describe('an owner that is being deleted so that its dependents stay', () => {
  const leaving = <T extends KubernetesObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, deletionTimestamp: at(0), resourceVersion: 'later' },
  });
  const stores = (owner: 'stays' | 'leaves') => {
    const made = dependencies({ account: true, namespace: labelled, domain: domain(), claim: claim() });
    if (owner === 'leaves') {
      made.accounts.put(leaving(account));
      made.projects.put(leaving(project));
    }
    return made;
  };
  const key: ApiKey = {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ApiKey',
    metadata: { name: 'key-1', uid: 'u-key' },
    spec: { account: 'acme', scopes: ['domains:read'], keyId: 'k', sha256: 's' },
  };
  const plans: Readonly<Record<string, (made: ReturnType<typeof dependencies>) => Actions>> = {
    Project: (made) => decideProject(gatherProject(made, settings, project, now)),
    ProjectDomain: (made) =>
      decideProjectDomain({
        ...assessProjectDomain(gatherProjectDomain({ caches: made, settings, recentChecks }, domain(), now)),
        verdict: null,
        probe: null,
      }),
    ApiKey: (made) =>
      decideApiKey({
        now,
        apiKey: key,
        account: made.accounts.list()[0],
        namespace: 'acme',
        newKey: { keyId: '', sha256: '', key: '' },
      }),
  };
  const ties = ({ writes }: Actions, kind: string) =>
    writes.filter((action) => action.kind.kind === kind && (action.verb === 'apply' || action.verb === 'replace'));
  it.each(Object.entries(plans))('is not given its %s back', (kind, planOf) => {
    expect(ties(planOf(stores('stays')), kind)).toHaveLength(1);
    expect(ties(planOf(stores('leaves')), kind)).toHaveLength(0);
  });
});
