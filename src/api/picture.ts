import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Candidate } from '../model/acceptance.ts';
import { isWithin, parseHostname } from '../model/hostname.ts';
import type { Rival } from '../model/rank.ts';
import { rankOf, rivalsOf } from '../model/rank.ts';
import type { WantedRecord } from '../model/records.ts';
import { needsTxt, wantedRecords } from '../model/records.ts';
import { standingOf } from '../model/standing.ts';
import { ownershipValue, projectTarget } from '../model/target.ts';
import type { ApiWorld, Caller } from './world.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

export const indexKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/** A ProjectDomain as REST makes it: stand-alone, named by its hostname. */
export function draftDomain(namespace: string, spec: ProjectDomain['spec']): ProjectDomain {
  return { apiVersion, kind: 'ProjectDomain', metadata: { name: spec.hostname, namespace }, spec };
}

/** What is only asked for ranks behind everything that exists. */
const notYet = '9999-12-31T23:59:59Z';

/** A ProjectDomain with its account and how the claim on its hostname stands: what its records are drawn from. */
export type Drawn = Pick<Candidate, 'domain' | 'account' | 'standing'>;

/** The part of the picture that costs the same however many domains a project has. */
export function drawnOf({ caches }: ApiWorld, { account }: Caller, domain: ProjectDomain): Drawn {
  const claim = caches.claims.get({ namespace: '', name: domain.spec.hostname });
  return { domain, account, standing: standingOf(domain, account.spec.id, claim) };
}

/** All domains of a project as rivals of each other; of one and the same rank is only a domain and itself. */
export function rivalsIn({ caches }: ApiWorld, accountId: string | undefined, domain: ProjectDomain): readonly Rival[] {
  const { metadata, spec } = domain;
  const all = caches.domains.byIndex('project', indexKey(metadata.namespace ?? '', spec.project));
  return rivalsOf(nobody, all, { accountId, claimOf: (name) => caches.claims.get({ namespace: '', name }) });
}

const nobody = { metadata: { name: '' } };

/** The whole picture around a ProjectDomain, which may not exist yet: what the operator will judge it by. */
export function candidateOf(
  world: ApiWorld,
  caller: Caller,
  domain: ProjectDomain,
  siblings: readonly Rival[] = rivalsIn(world, caller.account.spec.id, domain),
): Candidate {
  const { caches, settings } = world;
  const { namespace = '' } = domain.metadata;
  const { hostname, project } = domain.spec;
  const accountId = caller.account.spec.id;
  const around = { accountId, claimOf: (name: string) => caches.claims.get({ namespace: '', name }) };
  const claim = around.claimOf(hostname);
  const created = domain.metadata.creationTimestamp ?? notYet;
  const known = { ...domain, metadata: { ...domain.metadata, creationTimestamp: created } };
  const twins = caches.domains.byIndex('place', indexKey(namespace, hostname));
  return {
    ...drawnOf(world, caller, known),
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    limits: caller.limits,
    project: caches.projects.get({ namespace, name: project }),
    rank: rankOf(known, claim, accountId),
    siblings,
    twins: rivalsOf(domain, twins, around),
  };
}

/** The records to create, as the operator will show them: drawn from the same secret by the same code. */
export function recordsOf({ settings }: ApiWorld, { domain, standing, account }: Drawn): readonly WantedRecord[] {
  const { hostname, project } = domain.spec;
  const accountId = account?.spec.id;
  const own = [settings.platformDomain, settings.cnameDomain].some((zone) => isWithin(hostname, zone));
  if (!accountId || own || !parseHostname(hostname).ok) return [];
  const { zone = null, routedBy } = domain.status?.check ?? {};
  const target = projectTarget(settings.secret, { accountId, name: project }, settings.cnameDomain);
  const needed = needsTxt({
    hostname,
    zone,
    required: settings.requireTxt,
    contested: standing.kind === 'Foreign',
    byAddresses: routedBy === 'addresses',
  });
  const txt = needed ? ownershipValue(settings.secret, { accountId, hostname, epoch: standing.epoch }) : null;
  return wantedRecords({ hostname, zone, target, txt });
}
