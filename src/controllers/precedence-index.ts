import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { Precedence, Competitor } from '../rules/precedence.ts';
import { comparePrecedence, competitorOf } from '../rules/precedence.ts';
import { indexKey } from '../kubernetes/object-keys.ts';

/** Competitors of a group, highest precedence first. */
export type CompetitorsInOrder = readonly Competitor[];

/**
 * The competitors of every project, and of every hostname in a namespace, in order of precedence. Updated incrementally:
 * a reconcile reads only the few competitors that matter to it, so many siblings do not make it more expensive.
 */
export interface PrecedenceIndex {
  /** domains of a project, without those being deleted */
  ofProject(namespace: string, project: string): CompetitorsInOrder;
  /** domains of a namespace with this hostname, without those being deleted */
  ofHostname(namespace: string, hostname: string): CompetitorsInOrder;
}

interface Sources {
  readonly domainAt: (key: ObjectKey) => DomainHead | undefined;
  readonly domainsIn: (namespace: string) => readonly DomainHead[];
  /** id of the account that the namespace belongs to; undefined while the account is not in the cache */
  readonly accountOf: (namespace: string) => string | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
}

export interface MaintainedPrecedenceIndex extends PrecedenceIndex {
  /** call when a ProjectDomain was added, changed or deleted */
  domainChanged(domain: DomainHead): void;
  /** call when a claim was added, changed or deleted; re-ranks both its previous and its current holder */
  claimChanged(claim: HostnameClaim, previous: HostnameClaim | undefined): void;
  /** call when the namespace's account changed: what the previous account had proven no longer counts */
  accountChanged(namespace: string): void;
}

const none: CompetitorsInOrder = Object.freeze([]);

export function createPrecedenceIndex({ domainAt, domainsIn, accountOf, claimOf }: Sources): MaintainedPrecedenceIndex {
  const groups = new Map<string, Group>();
  /** each domain's current entry, by object key */
  const entries = new Map<string, Entry>();

  const competitorAt = (namespace: string, domain: DomainHead) =>
    Object.freeze(competitorOf(domain, claimOf(domain.spec.hostname), accountOf(namespace)));
  const update = (key: ObjectKey) => {
    const name = indexKey(key.namespace, key.name);
    const before = entries.get(name);
    const domain = domainAt(key);
    const competitor = domain && !domain.metadata.deletionTimestamp ? competitorAt(key.namespace, domain) : null;
    if (before && competitor && isSame(before.competitor, competitor)) return;
    if (before) for (const group of groupsOf(before)) withdraw(groups, group, before.competitor);
    entries.delete(name);
    if (!competitor || !domain) return;
    const after = { competitor, project: domain.spec.project };
    entries.set(name, after);
    for (const group of groupsOf(after)) insert(groups, group, after.competitor);
  };

  return {
    ofProject: (namespace, project) => rankedIn(groups, groupOf('project', namespace, project)),
    ofHostname: (namespace, hostname) => rankedIn(groups, groupOf('hostname', namespace, hostname)),
    domainChanged({ metadata }) {
      update({ namespace: metadata.namespace ?? '', name: metadata.name });
    },
    claimChanged(claim, previous) {
      for (const version of [claim, previous]) if (version) update(version.spec.holder);
    },
    /** Changes all domains of the namespace at once, so its groups are re-sorted instead of moving entries one by one. */
    accountChanged(namespace) {
      const stale = new Set<string>();
      for (const domain of domainsIn(namespace)) {
        const name = indexKey(namespace, domain.metadata.name);
        const before = entries.get(name);
        const competitor = competitorAt(namespace, domain);
        if (!before || isSame(before.competitor, competitor)) continue;
        entries.set(name, { ...before, competitor });
        for (const group of groupsOf(before)) stale.add(group);
      }
      for (const group of stale) {
        const ranked = rankedIn(groups, group).flatMap(
          ({ precedence }) => entries.get(precedence.key)?.competitor ?? [],
        );
        keep(
          groups,
          group,
          ranked.sort((a, b) => comparePrecedence(a.precedence, b.precedence)),
        );
      }
    },
  };
}

/** A competitor with the project of whose group it is part. */
interface Entry {
  readonly competitor: Competitor;
  readonly project: string;
}

const groupsOf = ({ competitor, project }: Entry): readonly string[] => [
  groupOf('project', competitor.namespace, project),
  groupOf('hostname', competitor.namespace, competitor.hostname),
];

/** Joined for the same reason as an indexKey. */
const groupOf = (kind: 'project' | 'hostname', namespace: string, name: string): string =>
  [kind, indexKey(namespace, name)].join(' ');

const isSame = (a: Competitor, b: Competitor): boolean =>
  a.role === b.role && a.hostname === b.hostname && comparePrecedence(a.precedence, b.precedence) === 0;

/** The index of a precedence in a ranked list, or where it would be inserted. */
function positionOf(ranked: CompetitorsInOrder, precedence: Precedence): number {
  let [from, to] = [0, ranked.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (comparePrecedence((ranked[middle] as Competitor).precedence, precedence) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Most groups have one competitor, which is kept without an array around it: an array takes some 150 bytes. */
type Group = Competitor | Competitor[];

function rankedIn(groups: ReadonlyMap<string, Group>, group: string): CompetitorsInOrder {
  const found = groups.get(group);
  if (found === undefined) return none;
  return Array.isArray(found) ? found : [found];
}

function keep(groups: Map<string, Group>, group: string, ranked: Competitor[]): void {
  const [first] = ranked;
  if (first === undefined) groups.delete(group);
  else groups.set(group, ranked.length === 1 ? first : ranked);
}

function insert(groups: Map<string, Group>, group: string, competitor: Competitor): void {
  const found = groups.get(group) ?? [];
  const ranked = Array.isArray(found) ? found : [found];
  ranked.splice(positionOf(ranked, competitor.precedence), 0, competitor);
  keep(groups, group, ranked);
}

function withdraw(groups: Map<string, Group>, group: string, competitor: Competitor): void {
  const found = groups.get(group);
  if (found === undefined) return;
  const ranked = Array.isArray(found) ? found : [found];
  ranked.splice(positionOf(ranked, competitor.precedence), 1);
  keep(groups, group, ranked);
}

/** The first competitors of a ranked list that go before `precedence`, at most `atMost`. */
export const ahead = (ranked: CompetitorsInOrder, precedence: Precedence, atMost: number): readonly Competitor[] =>
  ranked.slice(0, Math.min(positionOf(ranked, precedence), atMost));
