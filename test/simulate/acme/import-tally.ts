import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { stateEntries } from '../../../src/rules/timeline.ts';
import type { BoulderLimits } from '../../support/boulder-limits.ts';
import type { Fate } from './import-names.ts';

/** How an import went. Times in milliseconds. */
export interface ImportReport {
  readonly domains: number;
  readonly right: number;
  /** of those that are right, how many are Live at the end; and the times of that from when they were added, ascending */
  readonly live: number;
  readonly liveAfter: readonly number[];
  /** broken ones that are Live */
  readonly falselyLive: number;
  /** of all that waited for the ledger, how many said until when at every moment that they said for what */
  readonly waited: number;
  readonly withoutTime: number;
  /** what a domain first said, and what it said last before its order, against when it was ordered: ascending */
  readonly firstOff: readonly number[];
  readonly lastOff: readonly number[];
  readonly orders: number;
  /** most orders of a name that the authority could not validate */
  readonly mostFailed: number;
  readonly busiest: number;
  readonly refusals: number;
  /** broken ones, and right ones that are not Live, that do not say what they wait for or what is wrong */
  readonly silent: number;
  readonly reconciles: number;
  readonly faults: number;
}

interface Ended extends Pick<BoulderLimits, 'busiest' | 'refusals'> {
  /** by hostname, those that the authority took */
  readonly orders: ReadonlyMap<string, number>;
  readonly reconciles: number;
  /** reconciles that failed */
  readonly faults: number;
  readonly hostnames: readonly string[];
  readonly fateOf: (hostname: string) => Fate;
}

interface Waits {
  first: number;
  last: number;
  orderedAt: number | null;
}

/** Follows what every domain says it waits for. Times come from the objects, however late they are seen. */
export function createImportTally(stores: Pick<OperatorStores, 'domains' | 'claims'>): {
  report(ended: Ended): ImportReport;
} {
  const waits = new Map<string, Waits>();
  const liveAt = new Map<string, number>();
  let withoutTime = 0;

  stores.domains.subscribe(({ type, object, previous }) => {
    if (type === 'deleted') return;
    const { hostname } = object.spec;
    if (object.status?.state === 'Live' && !liveAt.has(hostname))
      liveAt.set(hostname, liveSince(object) - addedAt(object));
    const wait = waitOf(object);
    if (wait === null) return;
    if (wait.until !== null) note(hostname, wait.until);
    else if (waitOf(previous)?.reason !== wait.reason) withoutTime += 1;
  });
  const note = (hostname: string, until: number) => {
    const known = waits.get(hostname);
    if (!known) waits.set(hostname, { first: until, last: until, orderedAt: null });
    else if (known.orderedAt === null) known.last = until;
  };
  stores.claims.subscribe(({ object }) => {
    const known = waits.get(object.metadata.name);
    const [first] = object.spec.orders ?? [];
    if (known && first) known.orderedAt ??= Date.parse(first.at);
  });

  return {
    report({ orders, busiest, refusals, reconciles, faults, hostnames, fateOf }) {
      const right = hostnames.filter((hostname) => fateOf(hostname) === 'right');
      const ordered = [...waits.values()].flatMap(({ first, last, orderedAt }) =>
        orderedAt === null ? [] : [{ first: orderedAt - first, last: orderedAt - last }],
      );
      const failed = hostnames.filter((hostname) => fateOf(hostname) === 'walled');
      const silent = [...stores.domains.values()].filter(
        ({ status }) => status?.state !== 'Live' && !saysWhy(status?.conditions ?? []),
      );
      return Object.freeze({
        domains: hostnames.length,
        right: right.length,
        live: right.filter((hostname) => liveAt.has(hostname)).length,
        liveAfter: ascending(right.flatMap((hostname) => liveAt.get(hostname) ?? [])),
        falselyLive: hostnames.filter((hostname) => fateOf(hostname) !== 'right' && liveAt.has(hostname)).length,
        waited: waits.size,
        withoutTime,
        firstOff: ascending(ordered.map(({ first }) => first)),
        lastOff: ascending(ordered.map(({ last }) => last)),
        orders: [...orders.values()].reduce((sum, count) => sum + count, 0),
        mostFailed: Math.max(0, ...failed.map((hostname) => orders.get(hostname) ?? 0)),
        busiest,
        refusals: [...refusals.values()].reduce((sum, count) => sum + count, 0),
        silent: silent.length,
        reconciles,
        faults,
      });
    },
  };
}

const ascending = (all: readonly number[]): readonly number[] => all.toSorted((a, b) => a - b);

/** By its timeline, of a domain that is Live. */
const liveSince = ({ status }: ProjectDomain): number =>
  Date.parse(stateEntries(status?.timeline ?? []).find(({ state }) => state === 'Live')?.at ?? '');

const addedAt = ({ metadata }: ProjectDomain): number => Date.parse(metadata.creationTimestamp ?? '');

/** One that ends with time. */
const isLimit = (reason: string): boolean => reason.startsWith('Ledger') || reason === 'IssuanceLimited';

/** What a domain waits for that ends with time, and until when; null where it waits for nothing of that kind. */
function waitOf(domain: ProjectDomain | undefined): { readonly reason: string; readonly until: number | null } | null {
  const { waitsFor: reason, waitsUntil } = domain?.status?.certificate ?? {};
  if (reason === undefined || !isLimit(reason)) return null;
  return { reason, until: waitsUntil === undefined ? null : Date.parse(waitsUntil) };
}

type Conditions = NonNullable<NonNullable<ProjectDomain['status']>['conditions']>;

/** Ready is False, with a reason and a sentence. */
const saysWhy = (conditions: Conditions): boolean =>
  conditions.some(
    ({ type, status, reason, message }) => type === 'Ready' && status !== 'True' && reason !== '' && message !== '',
  );
