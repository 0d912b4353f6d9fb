import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { Precedence, Competitor } from '../rules/precedence.ts';
import { comparePrecedence, competitorOf } from '../rules/precedence.ts';
import { indexKey } from '../kubernetes/object-keys.ts';

/** Rivals of a group in the order of their rank. */
export type CompetitorsInOrder = readonly Competitor[];

/**
 * Who goes before whom, in every project and for every hostname in a namespace, kept up to date change by change: a
 * reconcile reads the few places that matter, so a crowd of siblings makes no reconcile dearer.
 */
export interface PrecedenceIndex {
  /** domains of a project; what is being deleted is left out */
  ofProject(namespace: string, project: string): CompetitorsInOrder;
  /** domains of a namespace with one hostname */
  ofHostname(namespace: string, hostname: string): CompetitorsInOrder;
}

interface Sources {
  readonly domainAt: (key: ObjectKey) => ProjectDomain | undefined;
  readonly domainsIn: (namespace: string) => readonly ProjectDomain[];
  /** id of the account that the namespace belongs to; undefined while it is not to be seen */
  readonly accountOf: (namespace: string) => string | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
}

export interface MaintainedPrecedenceIndex extends PrecedenceIndex {
  /** a ProjectDomain came, changed or went */
  domainChanged(domain: ProjectDomain): void;
  /** a claim came, changed or went; both of its holders, before and after, are ranked anew */
  claimChanged(claim: HostnameClaim, previous: HostnameClaim | undefined): void;
  /** another account, or none, is the namespace's now: what the one before had proven is none of its own */
  accountChanged(namespace: string): void;
}

const none: CompetitorsInOrder = Object.freeze([]);

export function createPrecedenceIndex({ domainAt, domainsIn, accountOf, claimOf }: Sources): MaintainedPrecedenceIndex {
  const groups = new Map<string, Competitor[]>();
  /** as it stands in its groups right now, with the project it was filed under */
  const filed = new Map<string, Filed>();

  const rivalAt = (namespace: string, domain: ProjectDomain) =>
    Object.freeze(competitorOf(domain, claimOf(domain.spec.hostname), accountOf(namespace)));
  const refile = (key: ObjectKey) => {
    const name = indexKey(key.namespace, key.name);
    const before = filed.get(name);
    const domain = domainAt(key);
    const competitor = domain && !domain.metadata.deletionTimestamp ? rivalAt(key.namespace, domain) : null;
    if (before && competitor && isSame(before.competitor, competitor)) return;
    if (before) for (const group of groupsOf(before)) withdraw(groups, group, before.competitor);
    filed.delete(name);
    if (!competitor || !domain) return;
    const after = { competitor, project: domain.spec.project };
    filed.set(name, after);
    for (const group of groupsOf(after)) insert(groups, group, after.competitor);
  };

  return {
    ofProject: (namespace, project) => groups.get(`project ${indexKey(namespace, project)}`) ?? none,
    ofHostname: (namespace, hostname) => groups.get(`hostname ${indexKey(namespace, hostname)}`) ?? none,
    domainChanged({ metadata }) {
      refile({ namespace: metadata.namespace ?? '', name: metadata.name });
    },
    claimChanged(claim, previous) {
      for (const seen of [claim, previous]) if (seen) refile(seen.spec.holder);
    },
    /** All of the namespace at once, so its groups are sorted anew rather than moved one by one. */
    accountChanged(namespace) {
      const stale = new Set<string>();
      for (const domain of domainsIn(namespace)) {
        const name = indexKey(namespace, domain.metadata.name);
        const before = filed.get(name);
        const competitor = rivalAt(namespace, domain);
        if (!before || isSame(before.competitor, competitor)) continue;
        filed.set(name, { ...before, competitor });
        for (const group of groupsOf(before)) stale.add(group);
      }
      for (const group of stale) {
        const ranked = (groups.get(group) ?? []).flatMap(
          ({ precedence }) => filed.get(precedence.key)?.competitor ?? [],
        );
        groups.set(
          group,
          ranked.sort((a, b) => comparePrecedence(a.precedence, b.precedence)),
        );
      }
    },
  };
}

interface Filed {
  readonly competitor: Competitor;
  readonly project: string;
}

const groupsOf = ({ competitor, project }: Filed): readonly string[] => [
  `project ${indexKey(competitor.namespace, project)}`,
  `hostname ${indexKey(competitor.namespace, competitor.hostname)}`,
];

const isSame = (a: Competitor, b: Competitor): boolean =>
  a.role === b.role && a.hostname === b.hostname && comparePrecedence(a.precedence, b.precedence) === 0;

/** Where a rank stands, or would stand, in a ranked list. */
function placeOf(ranked: CompetitorsInOrder, precedence: Precedence): number {
  let [from, to] = [0, ranked.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (comparePrecedence((ranked[middle] as Competitor).precedence, precedence) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function insert(groups: Map<string, Competitor[]>, group: string, competitor: Competitor): void {
  const ranked = groups.get(group) ?? [];
  groups.set(group, ranked);
  ranked.splice(placeOf(ranked, competitor.precedence), 0, competitor);
}

function withdraw(groups: Map<string, Competitor[]>, group: string, competitor: Competitor): void {
  const ranked = groups.get(group);
  if (!ranked) return;
  ranked.splice(placeOf(ranked, competitor.precedence), 1);
  if (ranked.length === 0) groups.delete(group);
}

/** The first of a ranked list that go before `rank`, at most so many. */
export const ahead = (ranked: CompetitorsInOrder, precedence: Precedence, atMost: number): readonly Competitor[] =>
  ranked.slice(0, Math.min(placeOf(ranked, precedence), atMost));
