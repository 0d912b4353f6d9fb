import { isPrimary } from '../../rules/domain-head.ts';
import { projectToRedirect } from '../domain-config.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { AcceptedDomain } from '../add-domain.ts';
import { acceptedDomain, existingAs, inAnotherProject, makeDomain, whereDestinationIsSeen } from '../add-domain.ts';
import type { RequestContext } from '../api-dependencies.ts';
import { settled } from '../cache-wait.ts';
import { domainPlaces, mustHaveRoom } from '../caps.ts';
import type { NewDomain } from '../domain-spec.ts';
import { newSpec } from '../domain-spec.ts';
import type { ProjectPath } from '../find-in-account.ts';
import { projectOf } from '../find-in-account.ts';
import type { ProblemCode } from '../problem.ts';
import { Problem } from '../problem.ts';
import { useCase } from '../use-case.ts';
import type { BulkDone } from './bulk-domain-view.ts';
import { bulkDomainView } from './bulk-domain-view.ts';
import { createProjectRosters } from './project-rosters.ts';
import type { ItemOutcome, ManyItems, PlanItem } from './run-items.ts';
import { runItems } from './run-items.ts';

/** A hostname to add, and the project to add it to. */
export type DomainOfProject = NewDomain & ProjectPath;

export type Additions = readonly ItemOutcome<DomainOfProject, BulkDone>[];

/** Adds domains to projects of the account: each is answered as Add would have, had one been sent after the other. */
export const addDomains = useCase<ManyItems<DomainOfProject>, Additions>('domains:write', async (context, items) => {
  const made: ProjectDomain[] = [];
  const plan = items.dryRun ? previewAdditions(context) : makeAdditions(context, made);
  const outcomes = await runItems(context, items, plan);
  // The next read sees them. Not each is waited for, as a busy kube-apiserver tells of changes after seconds.
  await Promise.all(made.map((domain) => settled(context.dependencies.caches.domains, domain, context.signal)));
  return outcomes;
});

type Plan = PlanItem<DomainOfProject, BulkDone>;

/** Each draft counts for what follows, and nothing is made of it. */
function previewAdditions(context: RequestContext): Plan {
  const additions = createAdditions(context);
  const taken = new Map<string, number>();
  return async (item) => {
    const accepted = await additions.accept(item);
    const outcome = additions.outcomeOf(accepted);
    if (accepted.kind === 'existing') return { outcome };
    const places = domainPlaces(context, accepted.domain);
    const left = places.map((place) => ({ ...place, used: place.used + (taken.get(place.scope) ?? 0) }));
    mustHaveRoom(context, left);
    for (const { scope } of places) taken.set(scope, (taken.get(scope) ?? 0) + 1);
    additions.add(accepted.domain, Promise.resolve(true));
    return { outcome };
  };
}

/** What an earlier item may still decide: it counts as made, and may fail. */
const decidedByOthers: readonly ProblemCode[] = [
  'domain-cap-reached',
  'hostname-in-use',
  'invalid-redirect',
  'primary-exists',
];

const isDecidedByOthers = (error: unknown): boolean => error instanceof Problem && decidedByOthers.includes(error.code);

function makeAdditions(context: RequestContext, made: ProjectDomain[]): Plan {
  const additions = createAdditions(context);
  return async (item, earlier) => {
    if (additions.earlierOf(item.hostname)) await earlier.end();
    const accepted = await additions.accept(item).catch(async (error: unknown) => {
      if (!earlier.areUnderWay() || !isDecidedByOthers(error)) throw error;
      await earlier.end();
      return additions.accept(item);
    });
    const outcome = additions.outcomeOf(accepted);
    if (accepted.kind === 'existing') return { outcome };
    const draft = accepted.domain;
    const destination = additions.earlierOf(draft.spec.redirect?.to);
    const { promise: isMade, resolve: end } = Promise.withResolvers<boolean>();
    additions.add(draft, isMade);
    const write = async (): Promise<BulkDone> => {
      try {
        if (destination && !(await destination.isMade)) additions.acceptAgain(item);
        const { kind, domain } = await makeDomain(context, draft);
        made.push(domain);
        end(true);
        return kind === 'added' ? outcome : additions.outcomeOf({ kind, domain });
      } catch (error) {
        additions.remove(draft);
        end(false);
        throw error;
      }
    };
    return { outcome, write };
  };
}

/** A domain that an earlier item adds. */
interface EarlierAddition {
  readonly domain: ProjectDomain;
  /** false where its write failed */
  readonly isMade: Promise<boolean>;
}

/** What the items of one call add: later ones are judged as if earlier ones were there. */
function createAdditions(context: RequestContext) {
  const rosters = createProjectRosters(context);
  const additions = new Map<string, EarlierAddition>();

  const primaryOf = (project: string): string | null =>
    additions.values().find(({ domain: { spec } }) => spec.project === project && isPrimary({ spec }))?.domain.spec
      .hostname ?? null;
  const together = { siblingsOf: (draft: ProjectDomain) => rosters.siblingsOf(draft), primaryOf };
  const accept = ({ project, ...domain }: DomainOfProject): AcceptedDomain => {
    const earlier = additions.get(domain.hostname);
    if (!earlier) return acceptedDomain(context, { project, domain }, together);
    const spec = newSpec(
      projectToRedirect(context, projectOf(context, { project }), () => primaryOf(project)),
      domain,
    );
    if (earlier.domain.spec.project !== project) throw inAnotherProject(domain.hostname);
    return existingAs(earlier.domain, spec);
  };
  const remove = (draft: ProjectDomain) => {
    additions.delete(draft.spec.hostname);
    rosters.remove(draft);
  };
  return {
    earlierOf: (hostname = '') => additions.get(hostname),
    async accept(item: DomainOfProject): Promise<AcceptedDomain> {
      const { project, ...domain } = item;
      let isSeen = false;
      return whereDestinationIsSeen(context, { project, domain }, () => {
        if (isSeen) rosters.readAgain();
        isSeen = true;
        return accept(item);
      });
    },
    /** Throws where it depends on an earlier one that was not made after all. */
    acceptAgain(item: DomainOfProject) {
      const draft = additions.get(item.hostname);
      if (!draft) return;
      remove(draft.domain);
      accept(item);
      rosters.add(draft.domain);
      additions.set(item.hostname, draft);
    },
    outcomeOf: ({ kind, domain }: AcceptedDomain | { kind: 'added'; domain: ProjectDomain }): BulkDone => ({
      kind: kind === 'existing' ? kind : 'added',
      domain: bulkDomainView(context, domain, rosters),
    }),
    add(domain: ProjectDomain, isMade: Promise<boolean>) {
      additions.set(domain.spec.hostname, { domain, isMade });
      rosters.add(domain);
    },
    remove,
  };
}
