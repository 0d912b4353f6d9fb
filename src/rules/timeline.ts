import type { ProjectDomain } from '../generated/project-domain.ts';

/** One thing that happened to a domain. */
export type TimelineEntry = NonNullable<NonNullable<ProjectDomain['status']>['timeline']>[number];

export const timelineKinds = [
  'State',
  'Finding',
  'Order',
  'Certificate',
] as const satisfies readonly TimelineEntry['kind'][];

export type TimelineKind = NonNullable<TimelineEntry['kind']>;

/** The reasons of the entries that are not about a state, with their meaning in one line. */
export const timelineReasons = {
  Finding: {
    Appeared: 'A check of DNS found an issue that was not there before; `code` and `params` say which.',
    Gone: 'A check that could tell no longer found it.',
  },
  Order: {
    Ordered: 'A certificate was ordered; `params.orderedAt` says when, `params.order` whether First or Renewal.',
    Failed: 'That order failed. `params.until` says until when the authority asked to wait, if it did.',
    Abandoned: 'That order ended without a certificate although nobody refused it; the next one need not wait.',
  },
  Certificate: {
    Issued: 'The first certificate was issued; `params.notAfter` says when it ends.',
    Renewed: 'A certificate with a later end replaced the one before it.',
    Revoked:
      'A certificate was revoked; `params.notAfter` and `params.orderedAt` say which, `params.reason` why, in the words of RFC 5280.',
    Own: "A certificate of the customer's own is served; `params.notAfter` says when it ends, `params.fingerprint` which it is.",
    OwnEnding: "The certificate of the customer's own ends soon.",
    OwnEnded: "The certificate of the customer's own has ended.",
  },
} as const satisfies Readonly<Record<Exclude<TimelineKind, 'State'>, Readonly<Record<string, string>>>>;

/**
 * The places of each kind, fifty together. A kind may use the places that others leave free, and gives them back; what
 * flaps can therefore never push out the history of states, nor the last entry of another kind.
 */
export const places: Readonly<Record<TimelineKind, number>> = { State: 25, Finding: 9, Order: 8, Certificate: 8 };
const length = Object.values(places).reduce((sum, count) => sum + count);

/** An older version wrote states alone, without a kind. */
export const kindOf = ({ kind = 'State' }: TimelineEntry): TimelineKind => kind;

/** The states that the domain has entered. */
export const stateEntries = (timeline: readonly TimelineEntry[]): readonly TimelineEntry[] =>
  timeline.filter((entry) => kindOf(entry) === 'State');

/** The latest entry of a kind; undefined without one. It is never among those that are dropped. */
export const lastOf = (timeline: readonly TimelineEntry[], kind: TimelineKind): TimelineEntry | undefined =>
  timeline.findLast((entry) => kindOf(entry) === kind);

/** At most fifty entries: while there are more, the oldest of a kind that has more than its places is dropped. */
export function bounded(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  if (timeline.length <= length) return timeline;
  const counts = Map.groupBy(timeline, kindOf);
  const dropped = timeline.findIndex((entry) => (counts.get(kindOf(entry))?.length ?? 0) > places[kindOf(entry)]);
  return bounded(timeline.toSpliced(dropped, 1));
}

const revoked: keyof (typeof timelineReasons)['Certificate'] = 'Revoked';

export const isRevoked = ({ reason }: TimelineEntry): boolean => reason === revoked;

/** The last entry about a certificate that was served; undefined without one. */
export const lastServed = (timeline: readonly TimelineEntry[]): TimelineEntry | undefined =>
  timeline.findLast((entry) => kindOf(entry) === 'Certificate' && !isRevoked(entry));
