import { isInformational } from '../../rules/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';
import type { FoundIssue } from './found-issue.ts';
import { issueOfAct } from './issue-of-act.ts';
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

const issueOf = ({ code, act, params: place }: RouteFinding): FoundIssue =>
  issueOfAct({ code, severity: isInformational(code) ? 'Warning' : 'Error', act, place });
