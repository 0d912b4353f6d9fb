import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { isLeaving } from '../rules/leaving.ts';
import type { Reason } from '../rules/reasons.ts';
import { isVerifyAhead } from '../rules/verify-request.ts';

/**
 * Index functions: which objects a new leader visits at once, as far as they say so themselves. Made when an object comes into
 * the cache, where it is at hand as a whole: a start that read each of them again would take seconds longer.
 */

/** The value of what is visited at once. */
export const unsettledValue = '';
/** The value of a domain that waits for its customer's DNS: its checks have a schedule that no start changes. */
export const unverifiedValue = 'unverified';
/** The value of a project that is being deleted: whatever it holds is to be given up. */
export const leavingValue = 'leaving';

const unsettled = (isSettled: boolean): readonly string[] => (isSettled ? [] : [unsettledValue]);

export function unsettledProject(project: Project): readonly string[] {
  const { status, metadata } = project;
  if (isLeaving(project)) return [unsettledValue, leavingValue];
  return unsettled(
    status?.deployedAt !== undefined &&
      status.certificate?.request === undefined &&
      areAllTrue(status.conditions) &&
      !hasRefusals(status.conditions) &&
      isOfGeneration(status.conditions, metadata.generation),
  );
}

/** Settled is a domain that is served and whose last check said yes. */
export function unsettledDomain(domain: ProjectDomain): readonly string[] {
  const { status, metadata } = domain;
  const isSeen =
    !isLeaving(domain) && !isToBeVerified(domain) && isOfGeneration(status?.conditions, metadata.generation);
  if (!isSeen || !status || isOrdering(status)) return [unsettledValue];
  if (status.state === 'Unverified') return [unverifiedValue];
  return unsettled(status.state === 'Live' && !isInDoubt(status) && !hasRefusals(status.conditions));
}

export function unsettledClaim(claim: HostnameClaim): readonly string[] {
  const { phase, formerHolders = [], orders = [] } = claim.spec;
  return unsettled(
    !isLeaving(claim) &&
      phase === 'Held' &&
      formerHolders.length === 0 &&
      orders.every(({ outcome }) => outcome !== 'Pending'),
  );
}

/** A write of its was refused, and is to be tried again. */
const hasRefusals = (conditions: Conditions = []): boolean => conditions.some(({ reason }) => reason === refused);
const refused: Reason = 'WriteRefused';

type Conditions = readonly { readonly status: string; readonly reason: string; readonly observedGeneration?: number }[];

const areAllTrue = (conditions: Conditions = []): boolean =>
  conditions.length > 0 && conditions.every(({ status }) => status === 'True');

const isOfGeneration = (conditions: Conditions = [], generation: number | undefined): boolean =>
  conditions.length > 0 && conditions.every(({ observedGeneration }) => observedGeneration === generation);

type DomainStatus = NonNullable<ProjectDomain['status']>;

/** Its checks say anything but yes. */
const isInDoubt = ({ check }: DomainStatus): boolean =>
  check?.failingSince !== undefined || check?.unknownSince !== undefined;

/** An order is under way or waits for its time. */
const isOrdering = ({ certificate }: DomainStatus): boolean =>
  certificate?.request !== undefined || certificate?.waitsUntil !== undefined;

const isToBeVerified = ({ metadata, status }: ProjectDomain): boolean =>
  isVerifyAhead(metadata.annotations?.[verifyAnnotation], status?.check?.verifySeen ?? null);
