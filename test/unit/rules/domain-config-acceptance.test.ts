import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { domainConfigRejection } from '../../../src/rules/declared-domains.ts';
import { effectiveLimits } from '../../../src/rules/plan-limits.ts';
import { account, platformClaim, project, settings, routes, recentChecks } from '../../support/snapshot.ts';
import { drawn, fc } from '../../support/property.ts';

/**
 * What REST says of a project's configuration of domains, against what the operator then says of each entry: its own
 * caches, its own actions for the project, its own acceptance. They would part if either judged by rules of its own, or
 * if REST pictured the domains otherwise than they become.
 */

type Configuration = NonNullable<Project['spec']['domains']>;

interface Existing {
  readonly hostname: string;
  /** where it redirects to; null for a primary */
  readonly to: string | null;
  /** controlled by the project; made in it by REST, or by hand under a name of its own; or in another project of the account */
  readonly by: 'configuration' | 'rest' | 'hand' | 'other project';
  readonly held: boolean;
  readonly minute: number;
}

interface Setting {
  readonly existing: readonly Existing[];
  readonly cap: number;
  readonly accountCap: number;
  readonly enabled: boolean;
  readonly deployed: boolean;
}

const calm: Setting = { existing: [], cap: 5, accountCap: 20, enabled: true, deployed: true };
const platformDomains = [settings.platformDomain, settings.cnameDomain];
const apiVersion = 'projectdomain.io/v1alpha1';

const time = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(0, 19) + 'Z';

function domainOf({ hostname, to, by, minute }: Existing): ProjectDomain {
  const owner = { apiVersion, kind: 'Project', name: 'shop', uid: 'u-shop', controller: true };
  const name = by === 'configuration' || by === 'rest' ? hostname : `${by.replace(' ', '-')}-${hostname}`;
  return {
    apiVersion,
    kind: 'ProjectDomain',
    metadata: {
      name,
      namespace: 'acme',
      uid: `u-${name}`,
      resourceVersion: '1',
      creationTimestamp: time(minute),
      ...(by === 'configuration' ? { ownerReferences: [owner] } : {}),
    },
    spec: {
      project: by === 'other project' ? 'blog' : 'shop',
      hostname,
      ...(to === null ? { role: 'Primary' } : { role: 'Redirect', redirect: { to } }),
    },
  };
}

/** The first object that is to hold a hostname does: a name has one holder. */
function claimsOf(existing: readonly Existing[]): readonly HostnameClaim[] {
  const holders = new Map<string, Existing>();
  for (const one of existing) if (one.held && !holders.has(one.hostname)) holders.set(one.hostname, one);
  return [...holders].map(([hostname, one]) => ({
    apiVersion,
    kind: 'HostnameClaim',
    metadata: { name: hostname, uid: `c-${hostname}`, resourceVersion: '1' },
    spec: {
      account: 'acc-acme',
      holder: { namespace: 'acme', name: domainOf(one).metadata.name },
      phase: 'Held',
      epoch: 1,
      proof: { method: 'CNAME', at: time(one.minute + 1) },
    },
  }));
}

function limitsOf({ cap, accountCap, enabled }: Setting) {
  const rateLimit = { requestsPerMinute: 1, requestsPerDay: 1 };
  const customDomains = { enabled, maxPerProject: cap };
  return { rateLimit, customDomains, maximum: { projects: 5, domains: accountCap, apiKeys: 5 } };
}

const configured = (setting: Setting, domains: Configuration): Project => ({
  ...project,
  metadata: { ...project.metadata, resourceVersion: '1' },
  spec: { ...project.spec, domains },
  status: { platformHostname: 'shop.apps.example.net', ...(setting.deployed ? { deployedAt: time(0) } : {}) },
});

/** What REST answers. */
function rejection(setting: Setting, domains: Configuration) {
  const all = setting.existing.map(domainOf);
  const claims = new Map([platformClaim(), ...claimsOf(setting.existing)].map((claim) => [claim.metadata.name, claim]));
  return domainConfigRejection({
    project: configured(setting, domains),
    account,
    limits: effectiveLimits(limitsOf(setting), undefined),
    platformDomains,
    domains: all.filter(({ spec }) => spec.project === 'shop'),
    domainsWith: (hostname) => all.filter(({ spec }) => spec.hostname === hostname),
    claimOf: (hostname) => claims.get(hostname),
    count: all.length,
  });
}

/** What the operator makes of it: Accepted of each entry, by hostname; no entry where it makes no ProjectDomain. */
function applied(setting: Setting, domains: Configuration): ReadonlyMap<string, string> {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const versioned = { resourceVersion: '1' };
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.plans.put({ apiVersion, kind: 'Plan', metadata: { name: 'pro', ...versioned }, spec: limitsOf(setting) });
  stores.accounts.put({ ...account, metadata: { ...account.metadata, ...versioned } });
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', ...versioned, labels } });
  const shop = configured(setting, domains);
  stores.projects.put(shop);
  for (const claim of [platformClaim(), ...claimsOf(setting.existing)]) stores.claims.put(claim);
  for (const one of setting.existing) stores.domains.put(domainOf(one));
  const { writes } = decideProject(gatherProject(stores, settings, shop, Date.parse(time(500))));
  const made = new Set<string>();
  for (const action of writes.filter(({ kind }) => kind.kind === 'ProjectDomain')) {
    if (action.verb === 'remove') {
      const gone = stores.domains.get(action.key);
      if (gone) stores.domains.drop(gone);
    }
    if (action.verb === 'replace') {
      const object = action.object as ProjectDomain;
      stores.domains.put({ ...object, metadata: { ...object.metadata, resourceVersion: '2' } });
      made.add(object.metadata.name);
    }
    if (action.verb !== 'apply') continue;
    const { name = '' } = action.object.metadata;
    const before = stores.domains.get({ namespace: 'acme', name });
    const metadata = { uid: `u-${name}`, creationTimestamp: time(400), ...before?.metadata, ...action.object.metadata };
    stores.domains.put({ ...action.object, metadata: { ...metadata, resourceVersion: '2' } } as ProjectDomain);
    made.add(name);
  }
  return new Map(
    [...made].map((name) => {
      const domain = stores.domains.get({ namespace: 'acme', name });
      if (!domain) throw new Error(`${name} was not made`);
      const { accepted } = assessProjectDomain(
        gatherProjectDomain({ caches: stores, settings, recentChecks }, domain, Date.parse(time(500))),
      );
      return [domain.spec.hostname, accepted.reason];
    }),
  );
}

const entriesOf = ({ primary, redirects = [] }: Configuration): readonly string[] => [
  ...(primary === undefined ? [] : [primary]),
  ...redirects.map(({ from }) => from),
];

const by = (hostname: string, changes: Partial<Existing> = {}): Existing => ({
  hostname,
  to: null,
  by: 'hand',
  held: false,
  minute: 1,
  ...changes,
});

const redirectTo = (from: string, to: string) => ({ redirects: [{ from, to }] });

describe('a configuration of domains', () => {
  it.each<[what: string, setting: Partial<Setting>, domains: Configuration, reason: string | null]>([
    ['with nothing in it', { enabled: false, deployed: false }, {}, null],
    ['of a primary and a redirect to it', {}, { primary: 'a.test', redirects: [{ from: 'b.test' }] }, null],
    ['with a redirect and no primary', {}, { redirects: [{ from: 'b.test' }] }, 'RedirectToForeign'],
    [
      'that names a hostname twice',
      {},
      { primary: 'a.test', redirects: [{ from: 'a.test', to: 'b.test' }] },
      'HostnameInUse',
    ],
    ['on a plan without custom domains', { enabled: false }, { primary: 'a.test' }, 'PlanUpgradeRequired'],
    ['of a project never deployed', { deployed: false }, { primary: 'a.test' }, 'NotDeployed'],
    ['with a public suffix', {}, { primary: 'co.uk' }, 'PublicSuffix'],
    ["with a name of the platform's", {}, { primary: 'x.apps.example.net' }, 'PlatformHostname'],
    ['with a redirect to the platform hostname', {}, redirectTo('b.test', 'shop.apps.example.net'), null],
    ['with a redirect to nowhere in the project', {}, redirectTo('b.test', 'c.test'), 'RedirectToForeign'],
    ['with a redirect to a primary made by hand', { existing: [by('a.test')] }, redirectTo('b.test', 'a.test'), null],
    [
      'with a redirect to a redirect made by hand',
      { existing: [by('c.test', { to: 'shop.apps.example.net' })] },
      redirectTo('b.test', 'c.test'),
      'RedirectToRedirect',
    ],
    [
      'with a redirect to what was a redirect and becomes the primary',
      { existing: [by('a.test', { to: 'b.test', by: 'configuration' })] },
      { primary: 'a.test', redirects: [{ from: 'b.test' }] },
      null,
    ],
    ['with a primary beside one made by hand', { existing: [by('a.test')] }, { primary: 'b.test' }, 'PrimaryExists'],
    [
      'with a primary that replaces the configured one',
      { existing: [by('a.test', { by: 'configuration', held: true })] },
      { primary: 'b.test' },
      null,
    ],
    ['with a hostname made by hand', { existing: [by('a.test')] }, { primary: 'a.test' }, 'HostnameInUse'],
    [
      'with a hostname that REST made, whose object has the name that the entry would give it',
      { existing: [by('a.test', { by: 'rest' })] },
      { primary: 'a.test' },
      'HostnameInUse',
    ],
    [
      'with a hostname of another project of the account',
      { existing: [by('a.test', { by: 'other project' })] },
      { primary: 'a.test' },
      'HostnameInUse',
    ],
    ['that adopts a hostname made by hand', { existing: [by('a.test')] }, { adopt: true, primary: 'a.test' }, null],
    [
      'that adopts a hostname that REST made, with a redirect to it',
      { existing: [by('a.test', { by: 'rest' })] },
      { adopt: true, primary: 'a.test', redirects: [{ from: 'b.test' }] },
      null,
    ],
    [
      'that adopts what fills the project to its cap',
      { cap: 1, existing: [by('a.test')] },
      { adopt: true, primary: 'a.test' },
      null,
    ],
    [
      'that would adopt a hostname of another project',
      { existing: [by('a.test', { by: 'other project' })] },
      { adopt: true, primary: 'a.test' },
      'HostnameInUse',
    ],
    [
      'that has two change their roles, one of them made by hand',
      { existing: [by('a.test', { by: 'configuration', held: true }), by('b.test', { to: 'a.test', held: true })] },
      { adopt: true, primary: 'b.test', redirects: [{ from: 'a.test' }] },
      null,
    ],
    ['that fills the project to its cap', { cap: 2, existing: [by('a.test')] }, redirectTo('b.test', 'a.test'), null],
    [
      'of one more than the cap, counting what was made by hand',
      { cap: 1, existing: [by('a.test')] },
      redirectTo('b.test', 'a.test'),
      'DomainCapReached',
    ],
    [
      'that needs more room than the account has',
      { accountCap: 1, existing: [by('z.test', { by: 'other project' })] },
      { primary: 'a.test' },
      'DomainCapReached',
    ],
    [
      'that only changes what an account that is too full has already',
      { accountCap: 1, existing: [by('z.test', { by: 'other project' }), by('a.test', { by: 'configuration' })] },
      { primary: 'a.test' },
      null,
    ],
  ])('%s', (_, setting, domains, reason) => {
    expect(rejection({ ...calm, ...setting }, domains)?.reason ?? null).toBe(reason);
  });

  const hostname = fc.constantFrom('a.test', 'b.test', 'c.test', 'd.test');
  const destination = fc.oneof(hostname, fc.constantFrom('shop.apps.example.net', 'e.test'));
  const existing = fc.record<Existing>({
    hostname,
    to: fc.option(destination),
    by: fc.constantFrom('configuration', 'rest', 'hand', 'other project'),
    held: fc.boolean(),
    minute: fc.nat(300),
  });
  const objectOf = (one: Existing) => domainOf(one).metadata.name;
  const anySetting = fc.record<Setting>({
    existing: fc.uniqueArray(existing, { selector: objectOf, maxLength: 6 }),
    cap: fc.integer({ min: 0, max: 6 }),
    accountCap: fc.constant(50),
    enabled: fc.constantFrom(true, true, true, false),
    deployed: fc.constantFrom(true, true, true, false),
  });
  const configurations = fc
    .record({
      adopt: fc.boolean(),
      primary: fc.option(hostname, { nil: undefined }),
      redirects: fc.array(fc.record({ from: hostname, to: destination }), { maxLength: 4 }),
    })
    .map(({ adopt, primary, redirects }): Configuration => ({
      ...(adopt ? { adopt } : {}),
      ...(primary ? { primary } : {}),
      redirects,
    }));
  const runs = { numRuns: drawn(600) };

  it('that REST takes is made, and the operator accepts every entry of it', () => {
    fc.assert(
      fc.property(anySetting, configurations, (setting, domains) => {
        fc.pre(rejection(setting, domains) === null);
        const entries = entriesOf(domains);
        expect([...applied(setting, domains)].toSorted()).toEqual(
          entries.map((entry) => [entry, 'Accepted']).toSorted(),
        );
      }),
      runs,
    );
  });

  it('that REST refuses would not be made, or the operator would not accept an entry of it', () => {
    fc.assert(
      fc.property(anySetting, configurations, (setting, domains) => {
        const entries = entriesOf(domains);
        fc.pre(new Set(entries).size === entries.length && rejection(setting, domains) !== null);
        const made = applied(setting, domains);
        expect(entries.every((entry) => made.get(entry) === 'Accepted')).toBe(false);
      }),
      runs,
    );
  });
});
