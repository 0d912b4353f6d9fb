import type { ProjectDomain } from '../../generated/project-domain.ts';
import { keyOf } from '../../kubernetes/object-keys.ts';
import type { Competitor } from '../../rules/precedence.ts';
import { competitorOf, decidingSiblings, notYet } from '../../rules/precedence.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { competitionOf, competitorsIn } from '../acceptance-candidate.ts';
import type { RequestContext } from '../api-dependencies.ts';

/**
 * What the acceptance of many domains depends on. The domains of a project, of which there may be thousands, are read once a second and not for
 * each of them.
 */
export interface ProjectRosters {
  /** Of a domain that there is, or of a draft that ranks behind all that there are. */
  siblingsOf(domain: ProjectDomain): readonly Competitor[];
  /** From now on a draft counts as if it were there. */
  add(draft: ProjectDomain): void;
  /** It does not any more. */
  remove(draft: ProjectDomain): void;
  /** What was read is forgotten. */
  readAgain(): void;
}

/** The domains of one project, as the cache had them. */
interface Roster {
  readonly readAt: number;
  readonly all: readonly Competitor[];
  readonly byKey: ReadonlyMap<string, Competitor>;
  readonly deciding: ReturnType<typeof decidingSiblings>;
}

/** Drafts of one project that are not in the cache, by hostname. */
type Drafts = Map<string, Competitor>;

const readAgainAfterMs = 1_000;

export function createProjectRosters(context: RequestContext): ProjectRosters {
  const { dependencies, caller } = context;
  const { maxPerProject } = caller.limits.customDomains;
  const around = competitionOf(context);
  const rosters = new Map<string, Roster>();
  const drafts = new Map<string, Drafts>();

  const read = (domain: ProjectDomain): Roster => {
    const all = competitorsIn(context, domain);
    const byKey = new Map(all.map((one) => [one.precedence.key, one]));
    // What the cache shows by now is no draft any more.
    const here = draftsOf(domain);
    for (const [hostname, { precedence }] of here) if (byKey.has(precedence.key)) here.delete(hostname);
    return { readAt: dependencies.now(), all, byKey, deciding: decidingSiblings(all, maxPerProject) };
  };
  const rosterOf = (domain: ProjectDomain): Roster => {
    const known = rosters.get(domain.spec.project);
    if (known && dependencies.now() - known.readAt < readAgainAfterMs) return known;
    const roster = read(domain);
    rosters.set(domain.spec.project, roster);
    return roster;
  };
  const draftsOf = ({ spec: { project } }: ProjectDomain): Drafts => {
    const known = drafts.get(project) ?? new Map<string, Competitor>();
    drafts.set(project, known);
    return known;
  };
  const asDraft = (domain: ProjectDomain): Competitor => {
    const metadata = { ...domain.metadata, creationTimestamp: notYet };
    return competitorOf({ ...domain, metadata }, around.claimOf(domain.spec.hostname), around.accountId);
  };
  return {
    siblingsOf(domain) {
      const { spec } = domain;
      const { all, byKey, deciding } = rosterOf(domain);
      const here = draftsOf(domain);
      const known = byKey.get(keyOf(domain));
      const self = known ?? asDraft(domain);
      // Whoever takes the last place is decided by all of them.
      const isDecidedByAll = self.precedence.held || all.length + here.size >= maxPerProject;
      if (!known && isDecidedByAll) return [...all, ...here.values()];
      const primary = here.values().find(({ role, hostname }) => role === 'Primary' && !isWildcard(hostname));
      const destination = here.get(spec.redirect?.to ?? '');
      return [...deciding(spec, self), primary, destination].filter((one) => one !== undefined);
    },
    add: (draft) => void draftsOf(draft).set(draft.spec.hostname, earlierThanNotYet(asDraft(draft))),
    remove: (draft) => void draftsOf(draft).delete(draft.spec.hostname),
    readAgain: () => rosters.clear(),
  };
}

/** Before each draft that is looked at after it. */
const earlierThanNotYet = (draft: Competitor): Competitor => ({
  ...draft,
  precedence: { ...draft.precedence, createdAt: '9999-12-31T00:00:00Z' },
});
