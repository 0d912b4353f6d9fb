import { createHash } from 'node:crypto';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { queueKey } from '../kubernetes/object-keys.ts';
import { driftTimes, interval, minutes } from '../rules/check-schedule.ts';
import { childName } from '../rules/dns-target.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { checkHistoryOf, isFirstCheckAhead, shareOf } from '../rules/next-dns-check.ts';
import { claimedHostnames } from './claimed-hostnames.ts';
import type { ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './reconciler-dependencies.ts';
import { unsettledValue, unverifiedValue } from './settled-objects.ts';

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
 * its own moment within fifteen minutes, which for a served domain is that of a check, or within the interval of an
 * unverified domain's checks. What changed while nobody led is not among them. Unpacks unverified domains alone.
 */
export function* startVisits(caches: Caches, now: number): Iterable<StartVisit> {
  // Cheap where all is well (settled-account.ts), and what it waits for, such as the count of its quota, is in no status.
  for (const key of caches.accounts.keys()) yield { keys: { account: [queueKey(key)] }, afterMs: 0 };
  yield* projectVisits(caches, now);
  yield* domainVisits(caches, now);
  yield* claimVisits(caches, now);
}

function* projectVisits({ projects }: Caches, now: number): Iterable<StartVisit> {
  const unsettled = unsettledIn(projects);
  for (const place of projects.keys()) {
    const key = queueKey(place);
    yield { keys: { project: [key] }, afterMs: unsettled.has(key) ? 0 : untilMomentOf(shareOfKey(key), now) };
  }
}

function* domainVisits(caches: Caches, now: number): Iterable<StartVisit> {
  const unsettled = unsettledIn(caches.domains);
  const unverified = unsettledIn(caches.domains, unverifiedValue);
  for (const place of caches.domains.keys()) {
    const key = queueKey(place);
    const untilVisit = (): number => {
      if (unsettled.has(key)) return 0;
      if (unverified.has(key)) return untilCheckOf(caches.domains.get(place), now);
      const head = caches.domains.headOf(place);
      return head && hasChildren(caches, head) ? untilMomentOf(shareOf(head.metadata.uid), now) : 0;
    };
    yield { keys: { projectDomain: [key] }, afterMs: untilVisit() };
  }
}

/** Each at its own moment within the interval of its checks, or of settled domains where that is shorter. */
function untilCheckOf(domain: ProjectDomain | undefined, now: number): number {
  if (!domain) return 0;
  const checks = checkHistoryOf(domain);
  if (isFirstCheckAhead(checks)) return 0;
  const within = Math.min(interval(now - checks.startedAt) ?? settledWithin, settledWithin);
  return Math.max(1, shareOf(domain.metadata.uid) * within);
}

function* claimVisits(caches: Caches, now: number): Iterable<StartVisit> {
  const unsettled = unsettledIn(caches.claims);
  for (const { hostname, isThere } of claimedHostnames(caches)) {
    const isSettled = isThere && !unsettled.has(hostname);
    yield { keys: { hostnameClaim: [hostname] }, afterMs: isSettled ? untilMomentOf(shareOfKey(hostname), now) : 0 };
  }
}

/** The keys of objects that are in the index `unsettled` (settled-objects.ts) under this value. */
const unsettledIn = (cache: Pick<Caches['projects'], 'keysByIndex'>, value = unsettledValue): ReadonlySet<string> =>
  new Set(cache.keysByIndex('unsettled', value).map(queueKey));

const untilMomentOf = (share: number, now: number): number => driftTimes(share, now, settledWithin).next - now;

/** Like that of a uid: in the same place after each start, and as likely in any. */
const shareOfKey = (key: string): number => shareOf(createHash('sha256').update(key).digest('hex'));

function hasChildren({ certificates, routes }: Caches, { metadata, spec }: DomainHead): boolean {
  const { namespace = '' } = metadata;
  return certificates.has({ namespace, name: childName(spec.hostname) }) && routes.has(namespace, spec.hostname);
}
