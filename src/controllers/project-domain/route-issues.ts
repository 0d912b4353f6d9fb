import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import { issueParams, issueSentence } from '../../rules/issue-params.ts';
import { isInformational } from '../../rules/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';
import type { FoundIssue } from './found-issue.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

/** What the edge says of the domain's route; nothing of a route that is not there, or that is being taken away. */
export function routeFindingsOf({
  route,
  domain,
  settings,
  claimRelation,
  edgeControllers = {},
  fullEdges = [],
  edgeSilentSince,
  now,
}: ProjectDomainSnapshot): RouteFindings {
  if (!route || claimRelation.kind !== 'Held') return noRouteFindings;
  const { hostname } = domain.spec;
  const look = { hostname, now, controllers: edgeControllers, fullEdges, silentSince: edgeSilentSince };
  return settings.routes.findingsOf(route.objects, look);
}

/** The same as issues of its status. */
export const routeIssues = (snapshot: ProjectDomainSnapshot): readonly FoundIssue[] =>
  routeFindingsOf(snapshot).findings.map(issueOf);

function issueOf({ code, act, params: place }: RouteFinding): FoundIssue {
  const { actor, params: ofAct } = issueActs[act];
  const params = issueParams(place, { code, ofAct });
  return {
    code,
    severity: isInformational(code) ? 'Warning' : 'Error',
    act,
    actor,
    params,
    delete: [],
    create: [],
    servers: [],
    message: issueSentence(code, params),
    record: '',
    fix: actSentence(act, { params, delete: [], create: [] }),
  };
}
