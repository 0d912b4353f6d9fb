import { createHash } from 'node:crypto';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { queueKey } from '../kubernetes/object-keys.ts';
import { driftTimes, hours, minutes, seriesTimes } from '../rules/check-schedule.ts';
import { childName } from '../rules/dns-target.ts';
import { checkHistoryOf, isFirstCheckAhead, shareOf } from '../rules/next-dns-check.ts';
import { claimKey, claimName } from '../rules/claim-name.ts';
import { claimedHostnames } from './claimed-hostnames.ts';
import type { ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './reconciler-dependencies.ts';
import { leavingValue, unsettledValue, unverifiedValue } from './settled-objects.ts';

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
 * What a new leader visits first to come to know what its predecessor left: at once what is unfinished, and an unverified domain
 * at the time of its next check. What changed while nobody led is not among them. Unpacks unverified domains alone.
 */
export function* unsettledVisits(caches: Caches, now: number): Iterable<StartVisit> {
  // Cheap where all is well (settled-account.ts), and what it waits for, such as the count of its quota, is in no status.
  for (const key of caches.accounts.keys()) yield { keys: { account: [queueKey(key)] }, afterMs: 0 };
  for (const key of unsettledIn(caches.projects)) yield { keys: { project: [key] }, afterMs: 0 };
  yield* domainVisits(caches, now);
  yield* claimVisits(caches);
}

function* domainVisits(caches: Caches, now: number): Iterable<StartVisit> {
  const unsettled = unsettledIn(caches.domains);
  const unverified = unsettledIn(caches.domains, unverifiedValue);
  for (const place of caches.domains.keys()) {
    const key = queueKey(place);
    const isUnverified = unverified.has(key);
    const isSettled = !isUnverified && !unsettled.has(key) && hasChildren(caches, place);
    const afterMs = isUnverified ? untilCheckOf(caches.domains.get(place), now) : 0;
    yield { keys: isSettled ? {} : { projectDomain: [key] }, afterMs };
  }
}

/** The holder of a claim that is Pending decides on it, whenever its next check is. */
function* claimVisits(caches: Caches): Iterable<StartVisit> {
  const unsettled = unsettledIn(caches.claims);
  for (const holder of unsettledIn(caches.projects, leavingValue))
    for (const { name } of caches.claims.keysByIndex('holder', holder))
      yield { keys: { hostnameClaim: [name] }, afterMs: 0 };
  for (const { hostname, holder, isThere } of claimedHostnames(caches)) {
    const name = claimName(hostname);
    const isUnsettled = unsettled.has(name);
    const isPending = isUnsettled && caches.claims.get(claimKey(hostname))?.spec.phase === 'Pending';
    const keys = isThere && !isUnsettled ? {} : { hostnameClaim: [name] };
    yield { keys: isPending ? { ...keys, projectDomain: [queueKey(holder)] } : keys, afterMs: 0 };
  }
}

/**
 * Each of the others at its own moment within fifteen minutes from the start, which for a served domain is that of a check.
 * There may be very many, so they may be enumerated in a while: `now` tells the time.
 */
export function* settledVisits(caches: Caches, now: () => number): Iterable<StartVisit> {
  const startedAt = now();
  const untilMomentOf = (share: number): number =>
    Math.max(1, driftTimes(share, startedAt, settledWithin).next - now());
  const unsettledProjects = unsettledIn(caches.projects);
  for (const place of caches.projects.keys()) {
    const key = queueKey(place);
    yield { keys: unsettledProjects.has(key) ? {} : { project: [key] }, afterMs: untilMomentOf(shareOfKey(key)) };
  }
  const unsettledDomains = new Set([...unsettledIn(caches.domains), ...unsettledIn(caches.domains, unverifiedValue)]);
  for (const place of caches.domains.keys()) {
    const key = queueKey(place);
    const share = shareOf(caches.domains.headOf(place)?.metadata.uid);
    yield { keys: unsettledDomains.has(key) ? {} : { projectDomain: [key] }, afterMs: untilMomentOf(share) };
  }
  const unsettledClaims = unsettledIn(caches.claims);
  for (const { name } of caches.claims.keys())
    yield {
      keys: unsettledClaims.has(name) ? {} : { hostnameClaim: [name] },
      afterMs: untilMomentOf(shareOfKey(name)),
    };
}

/** An authority is asked about each certificate within this time; a process that ended had asked about most of them not long ago. */
const suggestionsWithin = 6 * hours;

/** Hostnames whose certificates their authority may wish to be renewed, each at its own moment. */
export function* renewalVisits({ claims }: Pick<Caches, 'claims'>, now: () => number): Iterable<StartVisit> {
  const startedAt = now();
  for (const { name } of claims.keysByIndex('renewable', '')) {
    const moment = driftTimes(shareOfKey(name), startedAt, suggestionsWithin).next;
    yield { keys: { acmeOrder: [name] }, afterMs: Math.max(1, moment - now()) };
  }
}

/** Until the next check of its series, as announced, or its own moment within fifteen minutes. */
function untilCheckOf(domain: ProjectDomain | undefined, now: number): number {
  if (!domain) return 0;
  const checks = checkHistoryOf(domain);
  if (isFirstCheckAhead(checks)) return 0;
  const moment = driftTimes(shareOf(domain.metadata.uid), now, settledWithin).next;
  return Math.max(1, Math.min(seriesTimes(checks.startedAt, now).next ?? moment, moment) - now);
}

/** The keys of objects that are in the index `unsettled` (settled-objects.ts) under this value. */
const unsettledIn = (cache: Pick<Caches['projects'], 'keysByIndex'>, value = unsettledValue): ReadonlySet<string> =>
  new Set(cache.keysByIndex('unsettled', value).map(queueKey));

/** Like that of a uid: in the same place after each start, and as likely in any. */
const shareOfKey = (key: string): number => shareOf(createHash('sha256').update(key).digest('hex'));

function hasChildren({ domains, certificates, routes }: Caches, place: ObjectKey): boolean {
  const hostname = domains.headOf(place)?.spec.hostname ?? '';
  return certificates.has({ ...place, name: childName(hostname) }) && routes.has(place.namespace, hostname);
}
