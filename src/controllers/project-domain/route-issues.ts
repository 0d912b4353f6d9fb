import type { EventRecord } from '../../kubernetes/kubernetes-port.ts';
import type { EventReason } from '../../rules/reasons.ts';
import { isInformational } from '../../rules/codes/route-codes.ts';
import type { RouteFinding, RouteFindings } from '../../routing/route-findings.ts';
import { noRouteFindings } from '../../routing/route-findings.ts';
import type { FoundIssue } from './found-issue.ts';
import { issueOfAct } from './found-issue.ts';
import type { EvaluatedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

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

/** The same as issues of its status, and that somebody else's Ingress has the hostname. */
export const routeIssues = (snapshot: EvaluatedProjectDomain): readonly FoundIssue[] =>
  [...snapshot.ofEdge.findings, ...elsewhere(snapshot)].map(issueOf);

/** Names one of the account's own namespace alone: who else has what in the cluster is for its administrators. */
function elsewhere({ otherIngresses = [], claimRelation, domain }: ProjectDomainSnapshot): readonly RouteFinding[] {
  if (otherIngresses.length === 0 || claimRelation.kind !== 'Held') return [];
  const { namespace = '' } = domain.metadata;
  const own = otherIngresses.find((one) => one.startsWith(`${namespace}/`));
  const params = { name: domain.spec.hostname, object: own === undefined ? '' : `Ingress ${own}` };
  return [{ code: 'IngressElsewhere', act: 'RemoveOtherIngress', params }];
}

/** A Warning for administrators, about the claim, which customers do not read: with the names, when it begins. */
export function elsewhereEvents(snapshot: ProjectDomainSnapshot): readonly EventRecord[] {
  const { claim, otherIngresses = [], domain } = snapshot;
  const isKnown = domain.status?.issues?.some(({ code }) => code === 'IngressElsewhere') ?? false;
  if (!claim || isKnown || elsewhere(snapshot).length === 0) return [];
  const reason: EventReason = 'IngressElsewhere';
  const message = `${domain.spec.hostname} is in Ingress ${otherIngresses.join(', ')} too: the ingress controller decides which of them visitors get`;
  return [{ about: claim, type: 'Warning', reason, message }];
}

const issueOf = ({ code, act, params: place }: RouteFinding): FoundIssue =>
  issueOfAct({ code, severity: isInformational(code) ? 'Warning' : 'Error', act, place });
