import { findCondition, isTrue } from '../../model/condition.ts';
import type { DomainState } from '../../model/state.ts';
import { undecided } from '../approval.ts';
import type { CheckMemory } from './memory.ts';
import { minutes, nextDriftCheck, nextVerification, seconds } from './schedule.ts';
import type { DomainSnapshot } from './snapshot.ts';
import { isFresh } from './steps/evidence.ts';
import { hasTurn } from './steps/request.ts';

/** A route that does not answer yet is asked again after this. */
const probeAgain = 1 * seconds;
/** An unknown parent or a foreign event may have been missed: nothing waits longer than this. */
const resync = 30 * minutes;

type BeforeLooking = Omit<DomainSnapshot, 'judgement' | 'probe' | 'certManagerAway'>;

/** Is DNS to be asked in this visit? Pending domains are not looked at; Verify and an order that may be placed never wait. */
export function wantsCheck(snapshot: BeforeLooking, accepted: boolean): boolean {
  const { standing, verify, memory, now, requests } = snapshot;
  if (snapshot.target === null || snapshot.ownership === null) return false;
  if (standing.kind !== 'Held' && !accepted) return false;
  if (verify.kind === 'asked' && verify.fresh) return true;
  const hasOrder = undecided(requests).some((request) => hasTurn(snapshot, request));
  if (hasOrder && !isFresh({ ...snapshot, judgement: null })) return true;
  const next = nextCheck(snapshot, memory, snapshot.domain.status?.state);
  return next !== null && next <= now;
}

/** Is the route to be asked? Once it answered it is not asked again. */
export function wantsProbe({ standing, certificate, ingress, domain }: BeforeLooking): boolean {
  const issued = isTrue(findCondition(certificate?.status?.conditions, 'Ready'));
  const answered = isTrue(findCondition(domain.status?.conditions, 'Routed'));
  return standing.kind === 'Held' && issued && ingress !== undefined && !answered;
}

/** When this domain must be looked at again without any event, milliseconds since the Unix epoch. */
export function nextLook(snapshot: DomainSnapshot, memory: CheckMemory, state: DomainState): number {
  const { now } = snapshot;
  if (state === 'Pending') return now + resync;
  if (wantsProbe(snapshot) && !snapshot.probe?.ok) return now + probeAgain;
  const next = nextCheck(snapshot, memory, state);
  return Math.max(now, Math.min(next ?? Number.POSITIVE_INFINITY, now + resync));
}

const settled: readonly (string | undefined)[] = ['Live', 'Degraded'] satisfies DomainState[];

function nextCheck({ standing, domain }: BeforeLooking, memory: CheckMemory, state: string | undefined): number | null {
  if (standing.kind === 'Held' && settled.includes(state))
    return nextDriftCheck(memory.checkedAt, spread(domain.metadata.uid));
  return nextVerification(memory);
}

/** A share in [0, 1) fixed by the object's uid, so that many domains do not look at once. */
function spread(uid: string | undefined): number {
  return Number.parseInt((uid ?? '0').slice(0, 8), 16) / 2 ** 32 || 0;
}
