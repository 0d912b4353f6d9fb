import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { objectKeyOf, queueKey } from '../kubernetes/object-keys.ts';
import { driftTimes, minutes } from '../rules/check-schedule.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { childName } from '../rules/dns-target.ts';
import { shareOf } from '../rules/next-dns-check.ts';
import { verifyRequest } from '../rules/verify-request.ts';
import type { ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './reconciler-dependencies.ts';

/** Keys to reconcile once after a start, at the latest after `afterMs`. */
export interface StartVisit {
  readonly keys: ReconcileKeys;
  readonly afterMs: number;
}

/** What nobody changed is visited once within this time. A served domain's scheduled checks are as far apart, or further. */
const settledWithin = 15 * minutes;

/** A visit of everything at once, for a leader that goes on from no checkpoint; unpacks nothing. */
export function* visitsOfEverything(caches: Caches): Iterable<StartVisit> {
  for (const key of caches.accounts.keys()) yield { keys: { account: [queueKey(key)] }, afterMs: 0 };
  for (const key of caches.projects.keys()) yield { keys: { project: [queueKey(key)] }, afterMs: 0 };
  for (const key of caches.domains.keys()) yield { keys: { projectDomain: [queueKey(key)] }, afterMs: 0 };
  for (const key of caches.claims.keys()) yield { keys: { hostnameClaim: [queueKey(key)] }, afterMs: 0 };
}

/**
 * The visits by which a new leader comes to know what its predecessor left: at once what is unfinished, and each of the others at
 * its own moment within fifteen minutes, which for a served domain is that of a check. What changed while nobody led is
 * not among them.
 */
export function* startVisits(caches: Caches, now: number): Iterable<StartVisit> {
  const visit = (keys: ReconcileKeys, object: KubernetesObject, isSettled: boolean): StartVisit => {
    const { next } = driftTimes(shareOf(object.metadata.uid), now, settledWithin);
    return { keys, afterMs: isSettled ? next - now : 0 };
  };
  // Cheap where all is well (settled-account.ts), and what it waits for, such as the count of its quota, is in no status.
  for (const key of caches.accounts.keys()) yield { keys: { account: [queueKey(key)] }, afterMs: 0 };
  for (const project of caches.projects.values())
    yield visit({ project: [queueKey(objectKeyOf(project))] }, project, isSettledProject(project));
  for (const domain of caches.domains.values())
    yield visit({ projectDomain: [queueKey(objectKeyOf(domain))] }, domain, isSettledDomain(caches, domain, now));
  for (const claim of caches.claims.values())
    yield visit({ hostnameClaim: [queueKey(objectKeyOf(claim))] }, claim, isSettledClaim(caches, claim));
}

type Conditions = readonly { readonly status: string; readonly observedGeneration?: number }[];

const areAllTrue = (conditions: Conditions = []): boolean =>
  conditions.length > 0 && conditions.every(({ status }) => status === 'True');

const isOfGeneration = (conditions: Conditions = [], generation: number | undefined): boolean =>
  conditions.length > 0 && conditions.every(({ observedGeneration }) => observedGeneration === generation);

const isLeaving = ({ metadata }: KubernetesObject): boolean => metadata.deletionTimestamp !== undefined;

function isSettledProject(project: Project): boolean {
  const { status, metadata } = project;
  return (
    !isLeaving(project) &&
    status?.deployedAt !== undefined &&
    status.certificate?.request === undefined &&
    areAllTrue(status.conditions) &&
    isOfGeneration(status.conditions, metadata.generation)
  );
}

/** Served, its last check said yes, and what serves it is there. */
const isSettledDomain = (caches: Caches, domain: ProjectDomain, now: number): boolean =>
  !isLeaving(domain) &&
  domain.status?.state === 'Live' &&
  !isInDoubt(domain.status) &&
  !isToBeVerified(domain, now) &&
  isOfGeneration(domain.status.conditions, domain.metadata.generation) &&
  hasChildren(caches, domain);

/** Its checks say anything but yes, or an order is under way or waits for its time. */
const isInDoubt = ({ check, certificate }: NonNullable<ProjectDomain['status']>): boolean =>
  check?.failingSince !== undefined || check?.unknownSince !== undefined || waits(certificate);

function hasChildren({ certificates, routes }: Caches, { metadata, spec }: ProjectDomain): boolean {
  const { namespace = '' } = metadata;
  return certificates.has({ namespace, name: childName(spec.hostname) }) && routes.has(namespace, spec.hostname);
}

const isToBeVerified = ({ metadata, status }: ProjectDomain, now: number): boolean =>
  verifyRequest(metadata.annotations?.[verifyAnnotation], status?.check?.verifySeen ?? null, now).kind === 'asked';

const waits = (certificate: NonNullable<ProjectDomain['status']>['certificate']): boolean =>
  certificate?.request !== undefined || certificate?.waitsUntil !== undefined;

const isSettledClaim = (caches: Caches, claim: HostnameClaim): boolean =>
  !isLeaving(claim) &&
  hasHolder(caches, claim) &&
  claim.spec.phase === 'Held' &&
  (claim.spec.formerHolders ?? []).length === 0 &&
  (claim.spec.orders ?? []).every(({ outcome }) => outcome !== 'Pending');

function hasHolder({ projects, domains }: Caches, { metadata, spec }: HostnameClaim): boolean {
  if (spec.proof.method === 'Platform') return projects.has(spec.holder);
  const holder = domains.headOf(spec.holder);
  return holder?.spec.hostname === metadata.name && holder.metadata.deletionTimestamp === undefined;
}
