import { describe, expect, it } from '@jest/globals';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { account, claim, now, project, routes, settings } from '../../support/snapshot.ts';

/** Domains that were made separately and become entries of their project's configuration: with its consent alone, and under the names that they have. */

type Configuration = NonNullable<Project['spec']['domains']>;

interface Made {
  readonly name: string;
  readonly hostname: string;
  readonly project?: string;
  /** where it redirects to; absent for a primary */
  readonly to?: string;
  readonly isHeld?: boolean;
}

function writesFor(domains: Configuration, made: readonly Made[]) {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  stores.accounts.put(account);
  const shop = { ...project, spec: { ...project.spec, domains } };
  stores.projects.put(shop);
  for (const { name, hostname, project: of = 'shop', to, isHeld = false } of made) {
    const role = to === undefined ? ({ role: 'Primary' } as const) : ({ role: 'Redirect', redirect: { to } } as const);
    stores.domains.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name, namespace: 'acme', uid: `u-${name}`, resourceVersion: '7', labels: { team: 'web' } },
      spec: { project: of, hostname, prepare: true, ...role },
    });
    const held = claim({ holder: { namespace: 'acme', name } });
    if (isHeld) stores.claims.put({ ...held, metadata: { name: hostname, uid: 'c', resourceVersion: '1' } });
  }
  return decideProject(gatherProject(stores, settings, shop, now)).writes.flatMap((write) => {
    if (write.kind.kind !== 'ProjectDomain') return [];
    if (!('object' in write)) return [`${write.verb} ${write.key.name}`];
    const { metadata, spec } = write.object as unknown as ProjectDomain;
    const isControlled = metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === 'u-shop');
    const kept = metadata.labels?.['team'] ?? '';
    return [
      [write.verb, metadata.name, spec.role, spec.redirect?.to, isControlled && 'controlled', kept]
        .filter(Boolean)
        .join(' '),
    ];
  });
}

const www = { name: 'by-hand', hostname: 'www.example.com' };

describe('a domain that was made separately', () => {
  it.each<[string, Configuration, readonly Made[], readonly string[]]>([
    ['wins over an entry without consent', { primary: 'www.example.com' }, [www], []],
    [
      'becomes the entry’s with consent, under its name',
      { adopt: true, primary: 'www.example.com' },
      [www],
      ['apply by-hand Primary controlled'],
    ],
    ['stays where it is not listed, whatever is consented', { adopt: true }, [www], []],
    [
      'stays where it is another project’s',
      { adopt: true, primary: 'www.example.com' },
      [{ ...www, project: 'blog' }],
      [],
    ],
    [
      'is adopted where it holds the hostname, of two',
      { adopt: true, primary: 'www.example.com' },
      [
        { name: 'a-first', hostname: 'www.example.com' },
        { ...www, isHeld: true },
      ],
      ['apply by-hand Primary controlled'],
    ],
    [
      'and redirected becomes the primary by a replacement, with what else it has',
      { adopt: true, primary: 'www.example.com' },
      [{ ...www, to: 'example.com' }],
      ['replace by-hand Primary controlled web'],
    ],
    [
      'becomes a redirect',
      { adopt: true, redirects: [{ from: 'www.example.com', to: 'shop.apps.example.net' }] },
      [www],
      ['apply by-hand Redirect shop.apps.example.net controlled'],
    ],
  ])('%s', (_title, domains, made, expected) => {
    expect(writesFor(domains, made)).toEqual(expected);
  });
});
