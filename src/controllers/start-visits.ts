import { createHash } from 'node:crypto';
import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { parseKey, queueKey } from '../kubernetes/object-keys.ts';
import { driftTimes, minutes } from '../rules/check-schedule.ts';
import { childName } from '../rules/dns-target.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { shareOf } from '../rules/next-dns-check.ts';
import type { ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './reconciler-dependencies.ts';
import { unsettledValue } from './settled-objects.ts';

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
 * not among them. Unpacks nothing.
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
  for (const place of caches.domains.keys()) {
    const key = queueKey(place);
    const head = caches.domains.headOf(place);
    const isSettled = head && !unsettled.has(key) && hasChildren(caches, head);
    const afterMs = isSettled ? untilMomentOf(shareOf(head.metadata.uid), now) : 0;
    yield { keys: { projectDomain: [key] }, afterMs };
  }
}

function* claimVisits(caches: Caches, now: number): Iterable<StartVisit> {
  const unsettled = unsettledIn(caches.claims);
  for (const holder of caches.claims.indexValues('holder')) {
    for (const { name } of caches.claims.keysByIndex('holder', holder)) {
      const isSettled = !unsettled.has(name) && isThere(caches, parseKey(holder), name);
      yield { keys: { hostnameClaim: [name] }, afterMs: isSettled ? untilMomentOf(shareOfKey(name), now) : 0 };
    }
  }
}

/** The keys of objects that are in the index `unsettled` (settled-objects.ts). */
const unsettledIn = (cache: Pick<Caches['projects'], 'keysByIndex'>): ReadonlySet<string> =>
  new Set(cache.keysByIndex('unsettled', unsettledValue).map(queueKey));

const untilMomentOf = (share: number, now: number): number => driftTimes(share, now, settledWithin).next - now;

/** Like that of a uid: in the same place after each start, and as likely in any. */
const shareOfKey = (key: string): number => shareOf(createHash('sha256').update(key).digest('hex'));

function hasChildren({ certificates, routes }: Caches, { metadata, spec }: DomainHead): boolean {
  const { namespace = '' } = metadata;
  return certificates.has({ namespace, name: childName(spec.hostname) }) && routes.has(namespace, spec.hostname);
}

/** Whether an object that can hold this hostname is there: its domain, or a project, whose platform hostname it may be. */
function isThere({ projects, domains }: Caches, holder: ObjectKey, hostname: string): boolean {
  const head = domains.headOf(holder);
  const isDomain = head?.spec.hostname === hostname && head.metadata.deletionTimestamp === undefined;
  return isDomain || projects.has(holder);
}
