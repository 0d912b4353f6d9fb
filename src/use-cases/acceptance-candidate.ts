import type { ProjectDomain } from '../generated/project-domain.ts';
import type { AcceptanceCandidate } from '../rules/acceptance.ts';
import { isWithin, parseHostname } from '../rules/hostname.ts';
import type { Competitor } from '../rules/precedence.ts';
import { precedenceOf, competitorsOf } from '../rules/precedence.ts';
import type { DesiredRecord } from '../rules/desired-records.ts';
import { needsTxt, desiredRecords } from '../rules/desired-records.ts';
import { claimRelationOf } from '../rules/hostname-claims.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

export const indexKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/** A ProjectDomain as REST makes it: stand-alone, named by its hostname. */
export function draftDomain(namespace: string, spec: ProjectDomain['spec']): ProjectDomain {
  return { apiVersion, kind: 'ProjectDomain', metadata: { name: spec.hostname, namespace }, spec };
}

/** What is only asked for ranks behind everything that exists. */
const notYet = '9999-12-31T23:59:59Z';

/** A ProjectDomain with its account and how the claim on its hostname stands: what its records are drawn from. */
export type RecordContext = Pick<AcceptanceCandidate, 'domain' | 'account' | 'claimRelation'>;

/** The part of the picture that costs the same however many domains a project has. */
export function recordContextOf(
  { caches }: ApiDependencies,
  { account }: Caller,
  domain: ProjectDomain,
): RecordContext {
  const claim = caches.claims.get({ namespace: '', name: domain.spec.hostname });
  return { domain, account, claimRelation: claimRelationOf(domain, account.spec.id, claim) };
}

/** All domains of a project as rivals of each other; of one and the same rank is only a domain and itself. */
export function competitorsIn(
  { caches }: ApiDependencies,
  accountId: string | undefined,
  domain: ProjectDomain,
): readonly Competitor[] {
  const { metadata, spec } = domain;
  const all = caches.domains.byIndex('project', indexKey(metadata.namespace ?? '', spec.project));
  return competitorsOf(nobody, all, { accountId, claimOf: (name) => caches.claims.get({ namespace: '', name }) });
}

const nobody = { metadata: { name: '' } };

/** The whole picture around a ProjectDomain, which may not exist yet: what the operator will judge it by. */
export function acceptanceCandidate(
  dependencies: ApiDependencies,
  caller: Caller,
  domain: ProjectDomain,
  siblings: readonly Competitor[] = competitorsIn(dependencies, caller.account.spec.id, domain),
): AcceptanceCandidate {
  const { caches, settings } = dependencies;
  const { namespace = '' } = domain.metadata;
  const { hostname, project } = domain.spec;
  const accountId = caller.account.spec.id;
  const around = { accountId, claimOf: (name: string) => caches.claims.get({ namespace: '', name }) };
  const claim = around.claimOf(hostname);
  const created = domain.metadata.creationTimestamp ?? notYet;
  const known = { ...domain, metadata: { ...domain.metadata, creationTimestamp: created } };
  const sameHostname = caches.domains.byIndex('place', indexKey(namespace, hostname));
  return {
    ...recordContextOf(dependencies, caller, known),
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    limits: caller.limits,
    project: caches.projects.get({ namespace, name: project }),
    precedence: precedenceOf(known, claim, accountId),
    siblings,
    sameHostname: competitorsOf(domain, sameHostname, around),
  };
}

/** The records to create, as the operator will show them: drawn from the same secret by the same code. */
export function recordsOf(
  { settings }: ApiDependencies,
  { domain, claimRelation, account }: RecordContext,
): readonly DesiredRecord[] {
  const { hostname, project } = domain.spec;
  const accountId = account?.spec.id;
  const own = [settings.platformDomain, settings.cnameDomain].some((zone) => isWithin(hostname, zone));
  if (!accountId || own || !parseHostname(hostname).ok) return [];
  const { zone = null, routedBy } = domain.status?.check ?? {};
  const target = settings.records.target({ accountId, name: project });
  const needed = needsTxt({
    hostname,
    zone,
    required: settings.requireTxt,
    contested: claimRelation.kind === 'Foreign',
    byAddresses: routedBy === 'addresses',
  });
  const txt = needed ? settings.records.ownership({ accountId, hostname, epoch: claimRelation.epoch }) : null;
  return desiredRecords({ hostname, zone, target, txt });
}
