import { describe, expect, it } from '@jest/globals';
import { printMigration } from '../../../src/cli/migrate/migrate-command.ts';
import { migrationOf } from '../../../src/cli/migrate/migration.ts';
import type { MigrationSources } from '../../../src/cli/migrate/migration.ts';
import type { Plan } from '../../../src/generated/plan.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';

/** What administrators are shown of projects that move to another routing class. */

const apiVersion = 'projectdomain.io/v1alpha1';
const plan = (name: string, routingClasses?: string[]): Plan => ({
  apiVersion,
  kind: 'Plan',
  metadata: { name },
  spec: {
    rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 },
    customDomains: { enabled: true, maxPerProject: 1 },
    ...(routingClasses ? { routingClasses } : {}),
  },
});
const project = (
  namespace: string,
  name: string,
  { routingClass, status }: { routingClass?: string; status?: Project['status'] } = {},
): Project => ({
  apiVersion,
  kind: 'Project',
  metadata: { namespace, name },
  spec: { service: { name: 'web', port: 80 }, ...(routingClass ? { routingClass } : {}) },
  ...(status ? { status } : {}),
});
const domain = (name: string, hostname: string, actor: string): ProjectDomain => ({
  apiVersion,
  kind: 'ProjectDomain',
  metadata: { namespace: 'globex', name },
  spec: { project: 'shop', hostname },
  status: {
    issues: [
      { code: 'FormerEdge', message: '', record: '', fix: '', since: '2026-01-01T00:00:00Z', actor: actor as 'Owner' },
    ],
  },
});
const moved = project('globex', 'shop', {
  routingClass: 'gold',
  status: {
    routingClasses: ['gold'],
    target: 'p-shop.cname.apps.example.net',
    targetAddresses: ['203.0.113.50', '2001:db8::50'],
  },
});
const sources: MigrationSources = {
  projects: [
    moved,
    project('acme', 'wiki', { status: { routingClasses: ['default'] } }),
    project('acme', 'blog', { status: { routingClasses: ['default'] } }),
    project('free', 'page', { status: { routingClasses: ['default'] } }),
    project('acme', 'elsewhere', { status: { routingClasses: ['silver'] } }),
    project('lost', 'page', { status: { routingClasses: ['default'] } }),
  ],
  domains: [domain('www', 'www.example.com', 'Platform'), domain('apex', 'example.com', 'Owner')],
  namespaces: ['acme', 'globex', 'free'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'projectdomain.io/account': name } },
  })),
  accounts: [
    ['acme', 'business'],
    ['globex', 'business'],
    ['free', 'free'],
  ].map(([name = '', of = '']) => ({ apiVersion, kind: 'Account', metadata: { name }, spec: { plan: of } })),
  plans: [plan('business', ['default', 'gold', 'silver']), plan('free')],
};
const migration = migrationOf(sources, { to: 'gold', from: 'default' });

describe('a migration', () => {
  it('is of the projects that the former class serves, and of those that have moved, account by account', () => {
    expect(migration.map((one) => [one.namespace, one.project, one.state])).toEqual([
      ['acme', 'blog', 'Moves'],
      ['acme', 'wiki', 'Moves'],
      ['free', 'page', 'NotPermitted'],
      ['globex', 'shop', 'Moved'],
      ['lost', 'page', 'NotPermitted'],
    ]);
  });

  it('is of all projects, where no former class is named', () => {
    expect(migrationOf(sources, { to: 'gold', from: null })).toHaveLength(sources.projects.length);
  });

  it('is printed with what the platform and what owners have to change', () => {
    expect(printMigration(migration, 'gold').split('\n')).toEqual([
      'NAMESPACE   PROJECT   SERVED BY   TO GOLD',
      'acme        blog      default     moves with --apply',
      'acme        wiki      default     moves with --apply',
      'free        page      default     plan free does not permit it',
      'globex      shop      gold        moved; 2 still lead to a former class',
      'lost        page      default     its account has no plan',
      '',
      'The zone of the targets needs, besides its wildcard record:',
      '  p-shop.cname.apps.example.net. A 203.0.113.50',
      '  p-shop.cname.apps.example.net. AAAA 2001:db8::50',
      '',
      'Their owners have to change an address record (kubectl projectdomain records shows it):',
      '  example.com',
    ]);
  });

  it('says that there is nothing to move', () => {
    expect(printMigration([], 'gold')).toBe('There is no project to move.');
  });
});
