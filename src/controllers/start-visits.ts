import { createHash } from 'node:crypto';
import { queueKey } from '../kubernetes/object-keys.ts';
import { driftTimes, hours } from '../rules/check-schedule.ts';
import { shareOf } from '../rules/next-dns-check.ts';
import type { ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './needs.ts';

/** Keys to reconcile once, after so many milliseconds. */
export interface LaterVisit {
  readonly keys: ReconcileKeys;
  readonly afterMs: number;
}

/** A visit of everything at once, as anything may have changed while nobody led; unpacks nothing. */
export function* everything(caches: Caches): Iterable<ReconcileKeys> {
  for (const key of caches.accounts.keys()) yield { account: [queueKey(key)] };
  for (const key of caches.projects.keys()) yield { project: [queueKey(key)] };
  for (const key of caches.domains.keys()) yield { projectDomain: [queueKey(key)] };
  for (const key of caches.claims.keys()) yield { hostnameClaim: [queueKey(key)] };
}

/** An authority is asked about each certificate within this time; a process that ended had asked about most of them not long ago. */
const suggestionsWithin = 6 * hours;

/** Hostnames whose certificates their authority may wish to be renewed, each at its own moment: `now` tells the time, as there may be very many. */
export function* renewalVisits({ claims }: Pick<Caches, 'claims'>, now: () => number): Iterable<LaterVisit> {
  const startedAt = now();
  for (const { name } of claims.keysByIndex('renewable', '')) {
    const moment = driftTimes(shareOfKey(name), startedAt, suggestionsWithin).next;
    yield { keys: { acmeOrder: [name] }, afterMs: Math.max(1, moment - now()) };
  }
}

/** Like that of a uid: in the same place after each start, and as likely in any. */
const shareOfKey = (key: string): number => shareOf(createHash('sha256').update(key).digest('hex'));
