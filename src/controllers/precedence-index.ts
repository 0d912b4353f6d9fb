import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { Precedence, Competitor } from '../rules/precedence.ts';
import { isLeaving } from '../rules/leaving.ts';
import { comparePrecedence, competes, competitorOf } from '../rules/precedence.ts';
import { servesAsPrimary } from '../rules/domain-head.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { claimedHostname } from '../rules/claim-name.ts';

/** Competitors of a group, highest precedence first. */
export type CompetitorsInOrder = readonly Competitor[];

/**
 * The competitors of every project, and of every hostname in a namespace, in order of precedence. Small groups are ranked when
 * somebody asks; large ones are kept in order with every change, so that a reconcile reads only the few competitors that
 * matter to it, and many siblings do not make it more expensive. Each reading of a small group gives new competitors: compare
 * their keys.
 */
export interface PrecedenceIndex {
  /** domains of a project, without those that were deleted and hold nothing any more */
  ofProject(namespace: string, project: string): CompetitorsInOrder;
  /** domains of a namespace with this hostname, without those that were deleted and hold nothing any more */
  ofHostname(namespace: string, hostname: string): CompetitorsInOrder;
}

/** By which index of the domains a group is found, and under which value. */
interface Group {
  readonly index: 'project' | 'hostname';
  readonly value: string;
}

interface Sources {
  readonly domainsOf: (group: Group) => readonly DomainHead[];
  readonly domainAt: (key: HostnameClaim['spec']['holder']) => DomainHead | undefined;
  readonly domainsIn: (namespace: string) => readonly DomainHead[];
  /** id of the account that the namespace belongs to; undefined while the account is not in the cache */
  readonly accountOf: (namespace: string) => string | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
}

/** An object before and after a change; undefined while it is not there. */
export interface Change<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** The claim of a domain's hostname before or after a change. */
type ClaimOf = (domain: DomainHead, when: keyof Change<unknown>) => HostnameClaim | undefined;

/** To be told of every change, after the sources show it and before they show the next one. */
export interface MaintainedPrecedenceIndex extends PrecedenceIndex {
  domainChanged(change: Change<DomainHead>): void;
  /** re-ranks both its previous and its current holder */
  claimChanged(change: Change<HostnameClaim>): void;
  /** what the previous account of the namespace had proven no longer counts */
  accountChanged(namespace: string): void;
}

/** A larger group is kept in order. Nearly every group has one or two competitors, of which nothing is kept. */
const rankedAnewAtMost = 8;

export function createPrecedenceIndex(sources: Sources): MaintainedPrecedenceIndex {
  /** large groups that somebody asked for, in order of namespace and precedence; by index and value */
  const kept = new Map<string, Competitor[]>();

  const competitorAt = (domain: DomainHead, claim: HostnameClaim | undefined): Competitor =>
    Object.freeze(competitorOf(domain, claim, sources.accountOf(domain.metadata.namespace ?? '')));
  const ranked = (group: Group): CompetitorsInOrder => {
    const known = kept.get(idOf(group));
    if (known) return known;
    const anew = sources
      .domainsOf(group)
      .filter((domain) => competes(domain, () => sources.claimOf(domain.spec.hostname)))
      .map((domain) => competitorAt(domain, sources.claimOf(domain.spec.hostname)))
      .sort(compareCompetitors);
    if (anew.length > rankedAnewAtMost) kept.set(idOf(group), anew);
    return anew;
  };
  const withdraw = (group: Group, competitor: () => Competitor) => {
    const known = kept.get(idOf(group));
    if (!known) return;
    const one = competitor();
    const position = positionOf(known, one);
    const isThere = known[position]?.precedence.key === one.precedence.key;
    if (isThere && known.length > rankedAnewAtMost + 1) known.splice(position, 1);
    else kept.delete(idOf(group));
  };
  const insert = (group: Group, competitor: () => Competitor) => {
    const known = kept.get(idOf(group));
    if (!known) return;
    const one = competitor();
    known.splice(positionOf(known, one), 0, one);
  };
  /** Reads a claim for a large group alone, as that unpacks it. */
  const replace = ({ before, after }: Change<DomainHead>, claimOf: ClaimOf) => {
    if (before && competes(before, () => claimOf(before, 'before')))
      for (const group of groupsOf(before)) withdraw(group, () => competitorAt(before, claimOf(before, 'before')));
    if (after && competes(after, () => claimOf(after, 'after')))
      for (const group of groupsOf(after)) insert(group, () => competitorAt(after, claimOf(after, 'after')));
  };

  return {
    ofProject: (namespace, project) => ranked({ index: 'project', value: indexKey(namespace, project) }),
    ofHostname: (namespace, hostname) => within(ranked({ index: 'hostname', value: hostname }), namespace),
    domainChanged(change) {
      if (rankedBy(change.before) === rankedBy(change.after)) return;
      replace(change, ({ spec }) => sources.claimOf(spec.hostname));
    },
    claimChanged(change) {
      const { before, after } = change;
      const hostname = claimedHostname((after ?? before)?.metadata.name ?? '');
      const holders = new Map(
        [before, after].flatMap((claim) => {
          const domain = claim && sources.domainAt(claim.spec.holder);
          return domain && domain.spec.hostname === hostname ? [[keyOf(domain), domain] as const] : [];
        }),
      );
      for (const domain of holders.values()) replace({ before: domain, after: domain }, (_, when) => change[when]);
    },
    /** Changes all domains of the namespace at once, so its groups are ranked anew when somebody asks. */
    accountChanged(namespace) {
      for (const domain of sources.domainsIn(namespace)) for (const group of groupsOf(domain)) kept.delete(idOf(group));
    },
  };
}

const keyOf = ({ metadata }: DomainHead): string => indexKey(metadata.namespace ?? '', metadata.name);

const groupsOf = ({ metadata, spec }: DomainHead): readonly Group[] => [
  { index: 'project', value: indexKey(metadata.namespace ?? '', spec.project) },
  { index: 'hostname', value: spec.hostname },
];

const idOf = ({ index, value }: Group): string => `${index} ${value}`;

/** Equal for two versions of a domain that have the same place in the same groups. */
function rankedBy(domain: DomainHead | undefined): string {
  if (!domain) return '';
  const { spec, metadata } = domain;
  const place = [spec.project, spec.hostname, spec.role, metadata.creationTimestamp, isLeaving(domain)];
  return JSON.stringify([...place, servesAsPrimary(domain)]);
}

const compareCompetitors = (a: Competitor, b: Competitor): number => {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return comparePrecedence(a.precedence, b.precedence);
};

/** How many of them, which are in order, are before something. */
function countBefore(ranked: CompetitorsInOrder, isBefore: (competitor: Competitor) => boolean): number {
  let [from, to] = [0, ranked.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(ranked[middle] as Competitor)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The index of a competitor in a ranked list, or where it would be inserted. */
const positionOf = (ranked: CompetitorsInOrder, one: Competitor): number =>
  countBefore(ranked, (other) => compareCompetitors(other, one) < 0);

/** Those of a namespace. */
function within(ranked: CompetitorsInOrder, namespace: string): CompetitorsInOrder {
  const first = countBefore(ranked, (other) => other.namespace < namespace);
  const end = countBefore(ranked, (other) => other.namespace <= namespace);
  return first === 0 && end === ranked.length ? ranked : ranked.slice(first, end);
}

/** The first competitors of a ranked list of one namespace that go before `precedence`, at most `atMost`. */
export const ahead = (ranked: CompetitorsInOrder, precedence: Precedence, atMost: number): readonly Competitor[] =>
  ranked.slice(
    0,
    Math.min(
      countBefore(ranked, (other) => comparePrecedence(other.precedence, precedence) < 0),
      atMost,
    ),
  );
